"""Any value: what does not choose it is not changed by it."""

from suite import formats
from suite.kernels import Kernel, Structured, block, patterns
from suite.launches import In, Out
from suite.shapes import same


def make(kind):
    """A select that never takes it."""
    pointee = "f32" if kind == formats.POINTER else kind
    data = patterns(pointee, 40, "poison")
    kernel = Kernel(out="*" + pointee, source="*" + pointee, no="i1")
    if kind == formats.POINTER:
        poison = kernel.define(f"ub.poison : {formats.text_of(kind)}")
        source = kernel.define(f"arith.select %no, {poison}, %source : {formats.text_of(kind)}")
        kernel.store(kernel.load(source, pointee, (40,)), "%out", pointee, (40,))
    else:
        poison = kernel.define(f"ub.poison : {block((40,), kind)}")
        chosen = kernel.define(f"arith.select %no, {poison}, {kernel.load('%source', kind, (40,))} : {block((40,), kind)}")
        kernel.store(chosen, "%out", kind, (40,))
        scalar = kernel.define(f"ub.poison : {kind}")
        first = kernel.define(f"arith.select %no, {scalar}, {kernel.load('%source', kind)} : {kind}")
        kernel.store(first, "%out", kind)
    return [kernel.launch("not chosen", [Out(pointee, 40), In(pointee, data), 0], same((pointee, data)))]


OP = Structured(formats.TYPES, make)
