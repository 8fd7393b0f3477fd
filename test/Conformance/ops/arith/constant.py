"""Numbers as they are written, alone, for a whole block and element by element."""

import numpy as np

from suite import formats, values
from suite.kernels import Kernel, Structured, block, patterns, refused
from suite.launches import Out
from suite.numbers import written
from suite.shapes import same


def make(kind):
    numbers, many = values.special(kind), patterns(kind, 37, "constant").tolist()
    kernel = Kernel(scalars="*" + kind, same="*" + kind, list="*" + kind)
    for place, bits in enumerate(numbers):
        text = written(bits, kind)
        kernel.store(kernel.constant(text, kind), kernel.moved("%scalars", kind, place), kind)
        kernel.store(kernel.constant(text, kind, (5,)), kernel.moved("%same", kind, 5 * place), kind, (5,))
    elements = "[" + ", ".join(written(bits, kind) for bits in many) + "]"
    kernel.store(kernel.define(f"arith.constant dense<{elements}> : {block((37,), kind)}"), "%list", kind, (37,))
    bits = formats.BITS[formats.WIDTH[kind]]
    answers = [np.array(numbers, bits), np.repeat(np.array(numbers, bits), 5), np.array(many, bits)]
    return [kernel.launch("numbers", [Out(kind, answer.size) for answer in answers],
                          same(*((kind, answer) for answer in answers)))]


def refuse(kind):
    yield refused(f"%r = arith.constant 0 : {formats.text_of(kind)}")


OP = Structured(formats.ELEMENTS, make, refuse)
