"""FSM for Python: kernels on arrays, NumPy's or others.

    import fsm, numpy
    softmax = fsm.load("softmax.mlir", BLOCK=1024)      # or fsm.loads(TEXT)
    softmax[rows](out, x, stride, stride, columns)      # so many programs
    softmax(out, x, stride, stride, columns)            # as many as the kernel states by its grid [...]

`fsm.triton` compiles and runs kernels of Triton's. docs/python.md is the manual.
"""

from ._library import Failure as Error
from .kernels import Kernel, load, loads

__all__ = ["Error", "Kernel", "load", "loads"]
