"""Parts of tensors: where NumPy finds their elements, and what is outside."""

from dataclasses import dataclass

import numpy as np

from suite import formats
from suite.kernels import Kernel, block, pointer, refused

# The bits of the NaN that stands for what is outside.
NAN = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8000000000000, "f8E4M3FN": 0x7F, "f8E5M2": 0x7E}


@dataclass(frozen=True)
class Tile:
    """The tensor's sizes and strides, where the part begins, and its extents. A number that is in a list itself is an
    operand; `wide` ones are i64."""

    sizes: tuple
    strides: tuple
    first: tuple
    extents: tuple
    wide: bool = False

    def numbers(self, name):
        return [number[0] if isinstance(number, list) else number for number in getattr(self, name)]

    def offsets(self):
        """Where each element of the part is, and whether it is in the tensor."""
        rank, first = len(self.sizes), self.numbers("first")
        whole = (1,) * (rank - len(self.extents)) + self.extents
        at = [axis + begin for axis, begin in zip(np.indices(whole), first)]
        inside = np.all([(axis >= 0) & (axis < size) for axis, size in zip(at, self.numbers("sizes"))], axis=0)
        offsets = sum(axis * stride for axis, stride in zip(at, self.numbers("strides")))
        return offsets.reshape(self.extents), inside.reshape(self.extents)

    def count(self):
        """Elements of memory from the pointer on."""
        ends = [(size - 1) * stride for size, stride in zip(self.numbers("sizes"), self.numbers("strides"))]
        return 0 if 0 in self.numbers("sizes") else 1 + sum(ends)

    def kernel(self, kind, **arguments):
        """A kernel with a descriptor of `%source`, the coordinates as text, and what its numbers are."""
        kernel, given = Kernel(**arguments), []

        def listed(name, integer):
            words = []
            for number in getattr(self, name):
                if isinstance(number, list):
                    kernel.arguments[f"n{len(given)}"] = integer
                    words.append(f"%n{len(given)}")
                    given.append(number[0])
                else:
                    words.append(str(number))
            return f"[{', '.join(words)}]"

        integer = "i64" if self.wide else "i32"
        lists = f"sizes {listed('sizes', integer)} strides {listed('strides', integer)}"
        types = f"{pointer(kind)}{', i64' if self.wide else ''} -> {self.type(kind)}"
        tensor = kernel.define(f"fsm.descriptor %source {lists} : {types}")
        return kernel, tensor, listed("first", "i32"), given

    def type(self, kind):
        return f"!fsm.descriptor<{len(self.sizes)} x {formats.text_of(kind)}>"

    def block(self, kind):
        return block(self.extents, kind)


TILES = [
    Tile(([100],), (1,), ([90],), (33,)), Tile((77,), ([2],), ([-5],), (261,), wide=True), Tile((77,), (1,), (-100,), (64,)),
    Tile(([33], [50]), ([64], 1), ([16], [32]), (32, 64)), Tile((33, [48]), ([48], 1), ([-7], 0), (16, 64)),
    Tile(([20], 17), (1, [20]), ([5], [-3]), (5, 37), wide=True), Tile(([0], 5), (5, 1), (0, 0), (4, 8)),
    Tile(([3], [9], 30), ([270], 30, 1), ([2], [4], [-8]), (8, 16)), Tile((3, 9, 30), (270, 30, 1), ([3], 0, 0), (8, 16)),
    Tile((3, [2], 11), (40, 12, [1]), ([1], 1, 2), (3, 2, 11)), Tile(([4], 5, 6), (0, [6], 1), ([-1], 1, 2), (4, 4)),
    Tile((2, [3], 4, 2, [5]), (120, 40, 10, [5], 1), (1, [2], 0, 1, 2), (4, 2, 5)),
    Tile((2, 3, [1], 5, 2), ([30], 10, 10, 2, 1), ([0], -1, 0, [1], 0), (2, 3, 1, 5, 2), wide=True),
]


def some(kind):
    """Half of the parts for each type, in turns."""
    return TILES[formats.ELEMENTS.index(kind) % 2::2]


def refuse(kind):
    """No descriptor is of pointers."""
    text = formats.text_of(kind)
    yield refused(f"%d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<{text}> -> !fsm.descriptor<1 x {text}>", p="*" + kind)
