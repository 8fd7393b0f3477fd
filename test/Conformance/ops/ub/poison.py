"""Any value: what does not take it is not changed by it. No fold knows that: a loop runs as often as an argument says, and
masks an access."""

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns, pointer, size
from suite.launches import In, Out
from suite.shapes import same


def replaced(kernel, kind, shape, value):
    """What a loop that begins with poison makes of it: `value`."""
    text, result = block(shape, kind), f"%r{len(kernel.lines)}"
    poison = kernel.define(f"ub.poison : {text}")
    zero, one = kernel.constant(0), kernel.constant(1)
    kernel.write(f"{result} = scf.for %i = {zero} to %once step {one} iter_args(%c = {poison}) -> ({text}) : i32 {{",
                 f"scf.yield {value} : {text}", "}")
    return result


def make_block(kind, shape):
    """A block that a loop replaces, one that a mask does not store, and one that a mask does not choose."""
    data = patterns(kind, size(shape), "poison", shape).reshape(shape)
    kernel = Kernel(out="*" + kind, source="*" + kind, once="i32", no="i1")
    places = kernel.places(shape)
    kernel.store(replaced(kernel, kind, shape, kernel.load("%source", kind, shape, places)), "%out", kind, shape, places)
    poison = kernel.define(f"ub.poison : {block(shape, kind)}")
    mask = kernel.define(f"fsm.splat %no : {block(shape, 'i1')}")
    kernel.write(f"fsm.store {poison}, %out[{places}], {mask} : {block(shape, kind)}, {pointer(kind)}, "
                 f"{block(shape, 'i32')}")
    return kernel.launch(f"{shape}", [Out(kind, data.size), In(kind, data), 1, 0], same((kind, data)))


def pointer(kind):
    return f"!fsm.ptr<{formats.text_of(kind)}>"


def make_scalar(kind):
    """The same of a scalar, or of a pointer to 40 numbers."""
    pointee = "f32" if kind == formats.POINTER else kind
    data = patterns(pointee, 40 if kind == formats.POINTER else 1, "poison")
    kernel = Kernel(out="*" + pointee, source="*" + pointee, once="i32", no="i1")
    if kind == formats.POINTER:
        source = replaced(kernel, kind, (), "%source")
        kernel.store(kernel.load(source, pointee, (40,)), "%out", pointee, (40,))
    else:
        kernel.store(replaced(kernel, kind, (), kernel.load("%source", kind)), "%out", kind)
    poison = kernel.define(f"ub.poison : {formats.text_of(kind)}")
    kernel.write("scf.if %no {")
    if kind == formats.POINTER:
        kernel.store(kernel.load(poison, pointee), "%out", pointee)
    else:
        kernel.store(poison, "%out", kind)
    kernel.write("}")
    return kernel.launch("scalar", [Out(pointee, data.size), In(pointee, data), 1, 0], same((pointee, data)))


def make(kind):
    shapes = () if kind == formats.POINTER else ((40,), (5, 37))
    return [make_scalar(kind), *(make_block(kind, shape) for shape in shapes)]


OP = Structured(formats.TYPES, make)
