"""A condition that holds does nothing; one that does not ends the launch with the message, where it was and which
element of which program it was, and nothing behind it runs there."""

import re

import numpy as np

from suite import formats
from suite.kernels import Kernel, Structured, block, refused
from suite.launches import In, Out
from suite.shapes import same

COUNT = 261


def kernel_of(scalar):
    """Asserts the flags of each program, and prints and stores behind it."""
    kernel = Kernel(out="*i32", flags="*i1")
    program = kernel.define("fsm.program_id x : i32")
    first = kernel.define(f"arith.muli {program}, {kernel.constant(1 if scalar else COUNT)} : i32")
    shape = () if scalar else (COUNT,)
    flags = kernel.load(kernel.moved("%flags", "i1", first), "i1", shape)
    line = kernel.write(f'fsm.assert {flags}, "out of range" : {block(shape, "i1")}')
    kernel.write(f'fsm.print "behind" {program} : i32')
    kernel.store(program, kernel.moved("%out", "i32", program), "i32")
    return kernel, line


def holds(scalar):
    kernel, _ = kernel_of(scalar)
    flags = np.ones(3 if scalar else 3 * COUNT, np.uint8)
    return kernel.launch(f"holds scalar={scalar}", [Out("i32", 3), In("i1", flags)],
                         same(("i32", np.arange(3, dtype=np.uint32))), grid=3)


def breaks(scalar, place):
    """In program 1, at one element."""
    kernel, line = kernel_of(scalar)
    flags = np.ones(3 if scalar else 3 * COUNT, np.uint8)
    flags[1 if scalar else COUNT + place] = 0

    def check(outcome, device):
        del device
        text = outcome.stderr
        message = rf"^.*:{line}:\d+: .*program \(1, 0, 0\).*out of range"
        if not re.search(message, text, re.MULTILINE):
            return f"no message of line {line} and program (1, 0, 0): {text[:300]}"
        if not scalar and not re.search(rf"\[{place}\]", text):
            return f"the element {place} is not named: {text[:300]}"
        return "something behind it ran" if re.search(r"program \(1, 0, 0\): behind", text) else ""
    return kernel.launch(f"breaks at {place} scalar={scalar}", [Out("i32", 3), In("i1", flags)], check, grid=3, fails=1)


def make(kind):
    del kind
    return [holds(False), holds(True), breaks(True, 0), *(breaks(False, place) for place in (0, 31, 32, 255, COUNT - 1))]


def refuse(kind):
    yield refused(f'fsm.assert %n, "no" : {formats.text_of(kind)}', n=kind)


OP = Structured(("i1",), make, refuse)
