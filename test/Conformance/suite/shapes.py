"""Ops that move elements: what NumPy makes of the same bits must come out."""

from suite import formats, values
from suite.elementwise import Numbers, each
from suite.kernels import Kernel, Structured, block, patterns, refused, size
from suite.launches import In, Out


class Bits(Numbers):
    """Elements must be the same bits, NaNs as well."""

    def wrong(self, got, device):
        return (got != self.answers) & self.valid


def same(*answers):
    """A check of all outputs, bit for bit; each answer is a type and bits."""
    return each(*(Bits(kind, bits.reshape(-1)) for kind, bits in answers))


def moves(cases, line, answer, refuse=None):
    """An op from one block to another. `cases` are shapes of the source and others that `line` and `answer` take:
    line(name of the source, type of the source, type of the result, case) and answer(array, case)."""

    def make(kind):
        found = []
        # Half of the cases for each type, in turns.
        turn = formats.ELEMENTS.index(kind) % 2
        for shape, *case in cases[turn::2]:
            data = patterns(kind, size(shape), line, shape).reshape(shape)
            expected = answer(data, *case)
            kernel = Kernel(out="*" + kind, source="*" + kind)
            source = kernel.load("%source", kind, shape)
            result = kernel.define(line(source, block(shape, kind), block(expected.shape, kind), *case))
            kernel.store(result, "%out", kind, expected.shape)
            found.append(kernel.launch(f"{shape} {case}", [Out(kind, expected.size), In(kind, data)], same((kind, expected))))
        return found

    def refuse_pointers(kind):
        shape, *case = cases[0]
        result = answer(values.np.zeros(shape), *case).shape
        yield refused(line("%p", f"tensor<{'x'.join(map(str, shape))}x{formats.text_of(kind)}>",
                           f"tensor<{'x'.join(map(str, result))}x{formats.text_of(kind)}>", *case), p="ptr")
    return Structured(formats.ELEMENTS, make, refuse or refuse_pointers)
