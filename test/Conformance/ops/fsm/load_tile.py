"""Parts of tensors that are read, with zeros or NaN for what is outside."""

import numpy as np

from suite import formats, tiles
from suite.kernels import Structured, patterns
from suite.launches import In, Out
from suite.shapes import same


def one(kind, tile, pad):
    offsets, inside = tile.offsets()
    data = patterns(kind, max(tile.count(), 1), "load_tile", tile.sizes)
    kernel, tensor, first, given = tile.kernel(kind, out="*" + kind, source="*" + kind)
    padding = " pad = nan" if pad else ""
    loaded = kernel.define(f"fsm.load_tile {tensor}{first}{padding} : {tile.type(kind)} -> {tile.block(kind)}")
    kernel.store(loaded, "%out", kind, tile.extents)
    outside = data.dtype.type(tiles.NAN[kind] if pad else 0)
    expected = np.where(inside, data[np.where(inside, offsets, 0)], outside)
    return kernel.launch(f"{tile}{padding}", [Out(kind, expected.size), In(kind, data), *given], same((kind, expected)))


def make(kind):
    return [one(kind, tile, pad=number % 2 and kind in formats.ALL_FLOATS) for number, tile in enumerate(tiles.some(kind))]


OP = Structured(formats.ELEMENTS, make, tiles.refuse)
