"""A process that holds libfsm beside another LLVM, whichever comes first: both work, by turns.

Call: beside_llvm.py PAGE LIBFSM OTHER first|last, PAGE being docs/embed.md, whose Python is run, and OTHER another LLVM as a
library with all its symbols visible to whatever is loaded behind it, or `triton`, which is imported with torch."""

import ctypes
import os
import re
import sys
from pathlib import Path

page, library, other, order = sys.argv[1:]
(program,) = re.findall(r"```python\n(.*?)```", Path(page).read_text(), re.DOTALL)
IR = b"define i32 @answer(i32 %x) {\n  %y = add i32 %x, 2\n  %z = mul i32 %y, 21\n  ret i32 %z\n}\n"
TTIR = """module {
  tt.func public @nothing(%p: !tt.ptr<f32>) {
    tt.return
  }
}
"""


def fsm():
    """Compiles and launches a kernel on the CPU."""
    exec(program.replace('"libfsm.so"', repr(library)), {})


def llvm():
    """Compiles a function and calls it, by the C interface of LLVM, with an option that FSM's own must not hear of."""
    lib = ctypes.CDLL(other, mode=ctypes.RTLD_GLOBAL)
    for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter"):
        getattr(lib, "LLVMInitializeX86" + part)()
    words = (ctypes.c_char_p * 2)(b"other", b"-x86-asm-syntax=intel")
    lib.LLVMParseCommandLineOptions(2, words, None)
    for name in ("LLVMContextCreate", "LLVMCreateMemoryBufferWithMemoryRangeCopy"):
        getattr(lib, name).restype = ctypes.c_void_p
    lib.LLVMGetFunctionAddress.restype = ctypes.c_uint64
    context = ctypes.c_void_p(lib.LLVMContextCreate())
    text = ctypes.c_void_p(lib.LLVMCreateMemoryBufferWithMemoryRangeCopy(IR, ctypes.c_size_t(len(IR)), b"answer"))
    module, engine, message = (ctypes.c_void_p() for _ in range(3))
    assert lib.LLVMParseIRInContext(context, text, ctypes.byref(module), ctypes.byref(message)) == 0
    lib.LLVMLinkInMCJIT()
    assert lib.LLVMCreateExecutionEngineForModule(ctypes.byref(engine), module, ctypes.byref(message)) == 0
    answer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lib.LLVMGetFunctionAddress(engine, b"answer"))
    assert answer(0) == 42
    lib.LLVMDisposeExecutionEngine(engine)
    lib.LLVMContextDispose(context)


def triton():
    """Compiles a kernel for a GPU by Triton's own LLVM, and adds by torch."""
    import tempfile
    import torch
    import triton as its
    from triton.backends.compiler import GPUTarget

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        path = Path(folder, "nothing.ttir")
        path.write_text(TTIR)
        compiled = its.compile(str(path), target=GPUTarget("cuda", 90, 32))
    assert ".entry nothing" in compiled.asm["ptx"]
    assert torch.ones(5).sum().item() == 5


them = triton if other == "triton" else llvm
turns = (them, fsm) if order == "first" else (fsm, them)
for turn in 2 * turns:
    turn()
print("right")
