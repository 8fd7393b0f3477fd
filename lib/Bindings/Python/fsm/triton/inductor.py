"""What `torch.compile` makes, which is kernels of Triton's: compiled by FSM, and without a GPU run by it.

Inductor compiles kernels in processes of its own, which know nothing of a session, and keeps binaries by the text of a graph.
While a session lasts it compiles in this process, and what it keeps has the session's name. Programs that were compiled before
keep the kernels that they have.

On `cpu` and `sim` kernels for tensors in the host's memory are Triton's where `torch._inductor.config.cpu_backend` is
"triton"; inductor then asks Triton for a back end of that name, and finds it here.
"""

import os
import sys

import torch
from triton.backends import Backend, backends
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDABackend

from .hook import GPU

_THREADS = "TORCHINDUCTOR_COMPILE_THREADS"
_CONFIG = "torch._inductor.config"


class HostBackend(CUDABackend):
    """Triton's back end of NVIDIA's, for a target that is named after the host; behind `ttir` the stages are FSM's."""

    @staticmethod
    def supports_target(target):
        return target.backend == "cpu"

    def __init__(self, target):
        super().__init__(target)
        self.target = GPUTarget("cuda", GPU, 32)


def _compile_here():
    """Lets inductor compile in this process, whether it has read its configuration or not; what undoes it."""
    config, variable = sys.modules.get(_CONFIG), os.environ.get(_THREADS)
    threads = config and config.compile_threads
    os.environ[_THREADS] = "1"
    if config:
        config.compile_threads = 1

    def undo():
        del os.environ[_THREADS]
        if variable is not None:
            os.environ[_THREADS] = variable
        if _CONFIG in sys.modules:
            sys.modules[_CONFIG].compile_threads = threads or sys.modules[_CONFIG].decide_compile_threads()

    return undo


def install(session, driver):
    """Lets inductor compile by FSM; what undoes it. `driver` is the session's kind of one, or None where it is Triton's own."""
    config = torch.compiler.config
    tag, config.cache_key_tag = config.cache_key_tag, f"{config.cache_key_tag}{session.mode}"
    undo_threads = _compile_here()
    before = backends.get("cpu")
    if driver:
        backends["cpu"] = Backend(compiler=HostBackend, driver=driver)

    def undo():
        config.cache_key_tag = tag
        undo_threads()
        if driver:
            del backends["cpu"]
        if driver and before:
            backends["cpu"] = before

    return undo

