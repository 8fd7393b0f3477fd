"""What control flow hands on: a scalar and a block of every type, or a pointer. Each program takes other numbers of trips,
or other conditions."""

import numpy as np

from suite import formats
from suite.kernels import Kernel, block, patterns
from suite.launches import In, Out
from suite.shapes import same

SHAPE = (5, 37)
COUNT = 185


class Pair:
    """Two values of a type to be told apart, as a scalar, as a block, or as pointers to two buffers. A kernel keeps
    `results` values of each program."""

    def __init__(self, kind, form, results=1):
        self.kind, self.form, self.results = kind, form, results
        self.pointee = "f32" if form == "pointer" else kind
        self.shape = SHAPE if form == "block" else ()
        self.type = block(self.shape, kind)
        self.count = COUNT if form == "block" else 1
        self.data = [patterns(self.pointee, COUNT, name)[-self.count:] for name in ("first", "second")]
        self.target = ""

    def kernel(self):
        """A kernel, its two values, and the number that its program takes."""
        kernel = Kernel(out="*" + self.pointee, first="*" + self.pointee, second="*" + self.pointee, numbers="*i32")
        program = kernel.define("fsm.program_id x : i32")
        place = kernel.define(f"arith.muli {program}, {kernel.constant(self.results * self.count)} : i32")
        self.target = kernel.moved("%out", self.pointee, place)
        number = kernel.load(kernel.moved("%numbers", "i32", program), "i32")
        if self.form == "pointer":
            return kernel, "%first", "%second", number
        return kernel, *(kernel.load(name, self.kind, self.shape) for name in ("%first", "%second")), number

    def keep(self, kernel, value, number=0):
        """Stores a value as number 0, 1, ... of the results."""
        value = kernel.load(value, self.pointee) if self.form == "pointer" else value
        kernel.store(value, kernel.moved(self.target, self.pointee, number * self.count), self.pointee, self.shape)

    def launch(self, kernel, numbers, answer):
        """`answer` says of a program's number which of the two each result is."""
        expected = np.concatenate([self.data[one] for number in numbers for one in answer(number)])
        arguments = [Out(self.pointee, expected.size), *(In(self.pointee, bits) for bits in self.data),
                     In("i32", np.array(numbers, np.int32).view(np.uint32))]
        return kernel.launch(f"{self.form} {numbers}", arguments, same((self.pointee, expected)), grid=len(numbers))


def pairs(kind, results=1):
    forms = ["pointer"] if kind == formats.POINTER else ["scalar", "block"]
    return [Pair(kind, form, results) for form in forms]
