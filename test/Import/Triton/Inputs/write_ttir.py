"""Writes what Triton makes of the kernels of kernels.py, one file each, or compares it with the files there.

Call: write_ttir.py FOLDER [--check]     with a Python that has Triton 3.6.0
"""

import pathlib
import sys

import kernels
from triton import compile, knobs
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

F, H, I = "*fp32", "*fp16", "*i32"
# The types of the parameters, then the values of those that are constants.
SIGNATURES = {
    "vector_add": ((F, F, F, "i32"), (128,)),
    "programs": ((I,), ()),
    "shapes": ((F, F), (8, 16)),
    "cube": ((F, F), (4, 2, 8)),
    "bits": (("*i1", F, "*i1", I), (64,)),
    "reductions": ((F, F, F, I, F, F, F), (8, 32)),
    "scans": ((F, F, F, F, F), (64,)),
    "product": ((H, H, H), (16, 32, 16)),
    "scaled_product": (("*u8", "*u8", "*fp8e5", "*u8", F), (16, 16, 64)),
    "atomics": ((I, I, I, I, I), (64,)),
    "float_atomics": ((F, F), (64,)),
    "casts": ((F, "*fp8e5", F, H), (64,)),
    "arithmetic": ((F, F, "*u32", F, F, F, "*u32", F), (64,)),
    "functions": ((F, I, F, I, "*i64"), (32,)),
    "lookups": ((F, I, F, I), (64, 16)),
    "addresses": ((F, F, I, F), (32,)),
    "one_base": ((F, I, F, "i32"), (32,)),
    "moving": ((F, F, "i32", "i32"), (32,)),
    "swapped": ((F, F, F, "i32"), (32,)),
    "table": ((F, "*u64", F), (32, 4)),
    "early": ((I, "i32", "i32"), ()),
    "collatz": ((I, I), (1,)),
    "helper": ((F, F, "i32"), (32,)),
    "hinted": ((F, F), (64,)),
    "promised": ((F, F, "i32"), (256,)),
    "talkative": ((I,), (8,)),
    "far": ((F, F), (32,)),
    "nans": ((F, F, F, F), (32,)),
    "mapped": ((I, I, I, I), (64,)),
    "packed": ((I, I, I, I), (64,)),
    "inlined": ((I, I, "*i8", I, I, I, "*i8", F, H), (64,)),
    "instructions": ((I, I, F, I, F), (64,)),
    "guarded": ((F, I, F, I, I), (64,)),
    "asserted": ((I, I, I, I), (4, 16)),
    "sized": ((F, I, "*i16"), (32,)),
    "drawn": ((I, "i32"), (64,)),
    "ordered": ((F, F, F), (64,)),
    "half_swaps": ((H, H, H, H), (64,)),
    "alone": ((I, I), ()),
}


class Written(Exception):
    """The stage is over; nothing behind it is wanted."""


def stop_behind_ttir(backend, stages, options, language, capability):
    def ttgir(module, metadata):
        raise Written(module.str_nodebug())

    for name in [name for name in stages if name != "ttir"]:
        stages.pop(name)
    stages["ttgir"] = ttgir


def ttir(name):
    """The text of a kernel, its arguments named as in Python."""
    kernel = getattr(kernels, name)
    types, constants = SIGNATURES[name]
    names = kernel.arg_names
    signature = dict(zip(names, types + ("constexpr",) * len(constants)))
    values = {(len(types) + index,): value for index, value in enumerate(constants)}
    try:
        compile(ASTSource(kernel, signature, values), target=GPUTarget("cuda", 90, 32), options={"debug": True, "sanitize_overflow": False})
    except Written as written:
        return written.args[0]


def main(folder, *options):
    knobs.runtime.add_stages_inspection_hook = stop_behind_ttir
    knobs.compilation.always_compile = True
    stale = []
    for name in SIGNATURES:
        path, text = pathlib.Path(folder) / f"{name}.ttir", ttir(name)
        if "--check" not in options:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    sys.exit(f"not what Triton makes: {', '.join(stale)}" if stale else None)


main(*sys.argv[1:])
