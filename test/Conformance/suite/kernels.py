"""Kernels with a structure of their own, line by line."""

import numpy as np

from suite import formats, values
from suite.launches import Launch
from suite.op import Op

# What blocks look like: a row, rows whose ends are in the middle of vectors and warps, one element, many dimensions.
SHAPES = ((values.EXTENT,), (5, 37), (1, 1), (3, 2, 11), (2, 3, 1, 5, 2))


def block(shape, kind):
    """The type of a block, or of a scalar for the shape ()."""
    return f"tensor<{'x'.join(map(str, shape))}x{kind}>" if shape else formats.text_of(kind)


def size(shape):
    return int(np.prod(shape, dtype=int))


def pointer(kind):
    return f"!fsm.ptr<{formats.text_of(kind)}>"


class Kernel:
    """Collects lines. `arguments` are names and types; in a type, `*f32` is a pointer."""

    def __init__(self, attributes="", functions="", **arguments):
        self.arguments = {name: pointer(kind[1:]) if kind.startswith("*") else formats.text_of(kind)
                          for name, kind in arguments.items()}
        self.attributes, self.functions, self.lines, self.count = attributes, functions, [], 0

    def write(self, *lines):
        """Adds lines; gives the number in the text of the last one."""
        self.lines += lines
        return 1 + self.functions.count("\n") + len(self.lines)

    def define(self, text):
        self.count += 1
        self.write(f"%x{self.count} = {text}")
        return f"%x{self.count}"

    def constant(self, number, kind="i32", shape=()):
        text = f"dense<{number}>" if shape else str(number)
        typed = "" if kind == "i1" and not shape else f" : {block(shape, kind)}"
        return self.define(f"arith.constant {text}{typed}")

    def table(self, name="%table"):
        """A table of pointers at an array of i64, which is what a launch can give."""
        address = self.define(f"fsm.ptr_to_int {name} : {pointer('i64')} -> i64")
        return self.define(f"fsm.int_to_ptr {address} : i64 -> {pointer(formats.POINTER)}")

    def coordinates(self, shape, axis, stride=1):
        """The i32 block of each element's position along an axis, times a stride."""
        part, shaped = self.define(f"fsm.range 0, {shape[axis]} : {block((shape[axis],), 'i32')}"), [shape[axis]]
        if stride != 1:
            factor = self.constant(stride, shape=shaped)
            part = self.define(f"arith.muli {part}, {factor} overflow<nsw> : {block(shaped, 'i32')}")
        for other in range(len(shape)):
            if other != axis:
                before, shaped = block(shaped, "i32"), shaped[:other] + [1] + shaped[other:]
                part = self.define(f"fsm.expand_dims {part} axis {other} : {before} -> {block(shaped, 'i32')}")
        if tuple(shaped) != tuple(shape):
            part = self.define(f"fsm.broadcast {part} : {block(shaped, 'i32')} -> {block(shape, 'i32')}")
        return part

    def places(self, shape):
        """The i32 block of the row-major positions of a shape."""
        total = None
        for axis in range(len(shape)):
            part = self.coordinates(shape, axis, size(shape[axis + 1:]))
            total = part if total is None \
                else self.define(f"arith.addi {total}, {part} overflow<nsw> : {block(shape, 'i32')}")
        return total

    def load(self, source, kind, shape=(), places=None):
        """A block from the begin of a buffer, or a scalar."""
        if not shape:
            return self.define(f"fsm.load {source} : {pointer(kind)} -> {formats.text_of(kind)}")
        places = places or self.places(shape)
        return self.define(f"fsm.load {source}[{places}] : {pointer(kind)}, {block(shape, 'i32')} -> {block(shape, kind)}")

    def store(self, value, target, kind, shape=(), places=None):
        if not shape:
            return self.write(f"fsm.store {value}, {target} : {formats.text_of(kind)}, {pointer(kind)}")
        places = places or self.places(shape)
        return self.write(f"fsm.store {value}, {target}[{places}] : {block(shape, kind)}, {pointer(kind)}, "
                          f"{block(shape, 'i32')}")

    def moved(self, base, kind, number):
        """A pointer moved by a number of elements: a value's name, or an int."""
        number = self.constant(number) if isinstance(number, int) else number
        return self.define(f"fsm.offset {base}, {number} : {pointer(kind)}, i32")

    def text(self):
        arguments = ", ".join(f"%{name}: {kind}" for name, kind in self.arguments.items())
        attributes = f" attributes {{{self.attributes}}}" if self.attributes else ""
        body = "\n  ".join(self.lines)
        return f"{self.functions}fsm.kernel @kernel({arguments}){attributes} {{\n  {body}\n  fsm.return\n}}\n"

    def launch(self, title, arguments, check, **others):
        return Launch(title, self.text(), arguments, check, **others)


class Structured(Op):
    """An op with kernels of its own. `make` gives the launches for a type (and row), `refuse` the kernels that must be
    refused for the types that the op does not take, each with the number of the op's line."""

    def __init__(self, types, make, refuse=None, rows=("",), typed=True):
        self.types, self.make, self.refuse, self.rows, self.typed = types, make, refuse, rows, typed

    def arguments(self, row, kind):
        return ([row] if self.rows != ("",) else []) + ([kind] if self.typed else [])

    def takes(self, row, kind):
        types = self.types(row) if callable(self.types) else self.types
        return not self.typed or kind in types

    def launches(self, row, kind):
        return self.make(*self.arguments(row, kind)) if self.takes(row, kind) else []

    def refused(self, row, kind):
        return self.refuse(*self.arguments(row, kind)) if self.refuse else []


def refused(line, **arguments):
    """The kernel in which one op on its arguments must be refused."""
    kernel = Kernel(**arguments)
    number = kernel.write(*([line] if isinstance(line, str) else line))
    return kernel.text(), number


def refused_of_blocks(line, kind, count, shape=(4,)):
    """A kernel whose op on blocks %b0, %b1, ... of a type must be refused."""
    kernel = Kernel()
    kernel.write(*(f"%b{i} = ub.poison : {block(shape, kind)}" for i in range(count)))
    number = kernel.write(line)
    return kernel.text(), number


def patterns(kind, count, *words):
    """Bits of all kinds: the special numbers first and last, random ones between; NaNs with their payload."""
    specials = values.special(kind)
    noise = values.dice(kind, count, *words).integers(0, 1 << min(formats.WIDTH[kind], 62), count, np.uint64)
    bits = noise.astype(formats.BITS[formats.WIDTH[kind]])
    half = min(len(specials), count)
    bits[:half] = specials[:half]
    if count > 2 * half:
        bits[-half:] = specials[:half][::-1]
    return bits
