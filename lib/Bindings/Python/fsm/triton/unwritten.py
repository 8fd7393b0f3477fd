"""What nobody has written into memory that torch gives without a content, for `check=True`.

While it is installed, `torch.empty` and its like fill what they return with a number that nobody writes by chance. Words
that still hold it when a launch is checked were written by nobody, neither by torch nor by a kernel: reading one is
reported. No other function of torch is watched. What has no memory of its own is left alone: tensors of other types, of
transformations of functions, and what is made while something watches or traces torch. Scripts of torch.jit are not watched.
"""

import torch
from torch._C import _len_torch_dispatch_stack
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.jit import _builtins

# Two NaN of f32, one of f64, and their upper halves NaN of bf16. 8 bytes of memory that hold it are unwritten.
NUMBER = 0x7FF1A2B3FFD3C4E5
# Its lower 4 bytes as a number of 32 bits with a sign, for memory that ends in the middle of a word.
_LOW = (NUMBER & 0xFFFFFFFF) - (1 << 32)
_NAMES = [(torch, name) for name in ("empty", "empty_like", "empty_strided", "empty_permuted")] + [(torch.Tensor, "new_empty")]


def _has_memory(tensor):
    return (type(tensor) in (torch.Tensor, torch.nn.Parameter) and not is_functorch_wrapped_tensor(tensor) and
            not _len_torch_dispatch_stack() and tensor.layout == torch.strided and tensor.device.type in ("cpu", "cuda"))


def _fill(tensor, new):
    """The whole storage, for the words of the tensor alone may be cut."""
    if not _has_memory(tensor):
        return
    count = tensor.untyped_storage().nbytes()
    whole = new(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage())
    with torch.no_grad():
        whole[:count - count % 8].view(torch.int64).fill_(NUMBER)
        if count % 8 >= 4:
            whole[count - count % 8:][:4].view(torch.int32).fill_(_LOW)


def install():
    """Fills fresh memory from now on; what undoes it."""
    before = [(owner, name, getattr(owner, name)) for owner, name in _NAMES]
    new = torch.empty
    # What torch.jit takes a function for, by its id.
    scripted, ours = _builtins._get_builtin_table(), []

    def filled(function):

        def fresh(*args, **kwargs):
            tensor = function(*args, **kwargs)
            if kwargs.get("out") is None:
                _fill(tensor, new)
            return tensor

        fresh.__name__, fresh.__doc__ = function.__name__, function.__doc__
        if id(function) in scripted:
            scripted[id(fresh)] = scripted[id(function)]
            ours.append(fresh)
        return fresh

    for owner, name, function in before:
        setattr(owner, name, filled(function))

    def undo():
        for owner, name, function in before:
            setattr(owner, name, function)
        for fresh in ours:
            del scripted[id(fresh)]

    return undo
