"""Tests that were written for a GPU."""

import pytest
import torch
import triton
import triton.language as tl

CAPABILITY = torch.cuda.get_device_capability()


@triton.jit
def increased(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n, other=0.0) + 1, mask=at < n)


def test_capability():
    torch.accelerator.synchronize()
    assert torch.accelerator.is_available() and torch.accelerator.current_device_index() == 0
    assert CAPABILITY == (9, 0) and torch.cuda.is_available() and triton.runtime.driver.active.get_current_target().arch == 90


@pytest.mark.parametrize("make", [
    lambda: torch.zeros(100, device="cuda"), lambda: torch.zeros(100).cuda(), lambda: torch.tensor([0.0] * 100).to("cuda")])
def test_copies(make):
    """What is copied to or from the GPU stays as it was."""
    x = make()
    before, same = x.cpu(), x
    assert x.is_cuda and not before.is_cuda and not torch.zeros(1, device="cpu").is_cuda
    increased[(1, )](x, 100, BLOCK=128)
    assert same.sum().item() == 100 and before.sum().item() == 0
    host = torch.zeros(100, device="cpu")
    with pytest.raises(ValueError, match="cannot be accessed from Triton"):
        increased[(1, )](host, 100, BLOCK=128)
    increased[(1, )](torch.zeros(100, device="cpu", pin_memory=True), 100, BLOCK=128)


def test_writes_beside():
    """A GPU's allocator leaves room behind a tensor."""
    increased[(1024, )](torch.zeros(100, device="cuda"), 1 << 20, BLOCK=1024)


class Rest:
    """What stands for a tensor from its second element on, and is none of torch's."""

    def __init__(self, tensor):
        self.tensor, self.dtype = tensor, tensor.dtype

    def data_ptr(self):
        return self.tensor.data_ptr() + self.tensor.element_size()

    def untyped_storage(self):
        return self.tensor.untyped_storage()


def test_stands_for_a_tensor():
    x = torch.zeros(64, device="cuda")
    increased[(1, )](Rest(x), 63, BLOCK=64)
    assert x[0] == 0 and x.sum() == 63


def test_seed_and_offset():
    """What kernels with random numbers of their own ask of a GPU."""
    torch.manual_seed(2**63 + 5)
    generator = torch.cuda.default_generators[torch.cuda.current_device()]
    words = generator.get_state().view(torch.int64)
    assert len(words) == 2 and words[1] == 0
    words[1] += 8
    generator.set_state(words.view(torch.uint8))
    assert generator.get_state().view(torch.int64).tolist() == words.tolist() and generator.initial_seed() == words[0]
    with torch.cuda.device(0), torch.cuda._DeviceGuard(0), torch.cuda.device_of(torch.zeros(1, device="cuda")):
        pass


def test_traced_tensors():
    """What traces a program, as torch.compile and Helion do, asks for tensors that have no memory."""
    with torch._subclasses.FakeTensorMode():
        x = torch.empty(3, 4, device="cuda")
        assert torch.zeros_like(x).shape == (3, 4)
