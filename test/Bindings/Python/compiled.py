"""What `torch.compile` makes of a function, forward and backward, against the function: its kernels are FSM's without a GPU.

Call: compiled.py DEVICE     with a Python that has Triton
"""

import os
import sys

import fsm.triton
import torch
import torch.nn.functional as F
from torch._inductor import config
from triton.backends import backends


def function(x, weight, shift):
    return F.gelu(F.layer_norm(x, (x.shape[-1], ), weight, shift)).softmax(-1)


def made(call, arguments):
    result = call(*arguments)
    return [result, *torch.autograd.grad(result.square().sum(), arguments)]


def compiled(device, arguments):
    """What the compiled function makes, and which kernels were launched."""
    from fsm.triton.driver import Launcher
    launched, launch = [], Launcher.launch

    def noted(self, text, *rest):
        launched.append(self.metadata["name"] if isinstance(self.metadata, dict) else self.metadata.name)
        launch(self, text, *rest)

    Launcher.launch = noted
    with fsm.triton.enable(device=device), config.patch(cpu_backend="triton"):
        assert config.compile_threads == 1 and device in torch.compiler.config.cache_key_tag
        results = made(torch.compile(function), arguments)
    Launcher.launch = launch
    return results, launched


def main():
    torch.manual_seed(3)
    threads, tag = config.compile_threads, torch.compiler.config.cache_key_tag
    arguments = [torch.randn(*shape, requires_grad=True) for shape in ((24, 96), (96, ), (96, ))]
    results, launched = compiled(sys.argv[1], arguments)
    for got, wanted in zip(results, made(function, arguments)):
        torch.testing.assert_close(got, wanted)
    assert len(launched) >= 2 and all(name.startswith("triton_") for name in launched), launched
    assert "cpu" not in backends and config.compile_threads == threads and torch.compiler.config.cache_key_tag == tag
    assert "TORCHINDUCTOR_COMPILE_THREADS" not in os.environ
    print("compiled as it is")


main()
