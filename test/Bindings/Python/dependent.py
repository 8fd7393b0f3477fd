"""Code for a GPU under Triton's launcher waits for the launches before it, and the launch says so; but not to inductor's launcher."""

import importlib

import fsm.triton
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def twice(x, y, n, size: tl.constexpr):
    at = tl.program_id(0) * size + tl.arange(0, size)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


@triton.jit
def waits(x, y):
    tl.extra.cuda.gdc_wait()
    tl.store(y, tl.load(x))
    tl.extra.cuda.gdc_launch_dependents()


def compiled(kernel, types, constants, capability, **options):
    return triton.compile(ASTSource(kernel, types, constants), target=GPUTarget("cuda", capability, 32), options=options)


def main():
    types = {"x": "*fp32", "y": "*fp32", "n": "i32"}
    with fsm.triton.enable():
        for capability, expected in ((90, True), (100, True), (80, False)):
            code = compiled(twice, types, {"size": 1024}, capability)
            assert code.metadata.launch_pdl is expected, (capability, code.metadata.launch_pdl)
            assert ("griddepcontrol.wait;" in code.asm["ptx"]) is expected, code.asm["ptx"]
        code = compiled(waits, {"x": "*fp32", "y": "*fp32"}, {}, 90)
        assert code.metadata.launch_pdl and code.asm["ptx"].count("griddepcontrol") == 1, code.asm["ptx"]
        importlib.import_module("torch._inductor.runtime.triton_heuristics")
        code = compiled(twice, types, {"size": 512}, 90)
        assert not code.metadata.launch_pdl and "griddepcontrol.wait;" in code.asm["ptx"]
    print("right")


main()
