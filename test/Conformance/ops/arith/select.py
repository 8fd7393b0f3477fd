"""One of two values, bit for bit, by a condition for each element or by one for all; pointers as well."""

from suite import formats
from suite.elementwise import Elementwise
from suite.kernels import Kernel
from suite.launches import Out
from suite.shapes import same

BOTH = "{op} {0}, {1}, {2} : {T0}, {T1}"


class Select(Elementwise):
    """Takes bits, not numbers: NaNs stay what they are."""

    def __init__(self):
        super().__init__(formats.TYPES, lambda c, x, y, *w: x if c else y, 3, text=BOTH, unsigned=True, others=[(0, "i1")])

    def rounded(self, value, kind):
        return value

    def launches(self, row, kind):
        return [pointers(yes) for yes in (0, 1)] if kind == formats.POINTER else super().launches(row, kind)


def pointers(yes):
    """Writes through one of two pointers."""
    kernel = Kernel(a="*i32", b="*i32", yes="i1")
    chosen = kernel.define("arith.select %yes, %a, %b : !fsm.ptr<i32>")
    kernel.store(kernel.constant(5), chosen, "i32")
    answers = [[5] if number == 1 - yes else [9] for number in (0, 1)]
    return kernel.launch(f"pointers {yes}", [Out("i32", 1, [9]), Out("i32", 1, [9]), yes],
                         same(*(("i32", formats.bits_of(formats.array_of(answer, "i32"))) for answer in answers)))


OP = Select()
