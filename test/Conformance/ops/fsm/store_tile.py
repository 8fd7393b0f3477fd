"""Parts of tensors that are written; what is outside, and what is between rows, stays."""

from suite import formats, tiles
from suite.kernels import Structured, patterns
from suite.launches import In, Out
from suite.shapes import same


def one(kind, tile):
    offsets, inside = tile.offsets()
    data = patterns(kind, offsets.size, "store_tile", tile.sizes).reshape(offsets.shape)
    before = patterns(kind, max(tile.count(), 1), "before", tile.sizes)
    kernel, tensor, first, given = tile.kernel(kind, source="*" + kind, values="*" + kind)
    value = kernel.load("%values", kind, tile.extents)
    kernel.write(f"fsm.store_tile {value}, {tensor}{first} : {tile.block(kind)}, {tile.type(kind)}")
    expected = before.copy()
    expected[offsets[inside]] = data[inside]
    return kernel.launch(f"{tile}", [Out(kind, before.size, before), In(kind, data), *given], same((kind, expected)))


def make(kind):
    # Of elements that lie in one place any may be stored.
    return [one(kind, tile) for tile in tiles.some(kind) if 0 not in tile.numbers("strides")[-len(tile.extents):]]


OP = Structured(formats.ELEMENTS, make, tiles.refuse)
