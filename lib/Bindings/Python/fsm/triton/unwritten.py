"""What nobody has written into memory that torch gives without a content, for `check=True`.

While it is installed, `torch.empty` and its like fill what they return with a number that nobody writes by chance. Words
that still hold it when a launch is checked were written by nobody, neither by torch nor by a kernel: reading one is
reported. No other function of torch is watched.
"""

import torch

# Two NaN of f32, one of f64, and their upper halves NaN of bf16. 8 bytes of memory that hold it are unwritten.
NUMBER = 0x7FF1A2B3FFD3C4E5
# Its lower 4 bytes as a number of 32 bits with a sign, for memory that ends in the middle of a word.
_LOW = (NUMBER & 0xFFFFFFFF) - (1 << 32)
_NAMES = [(torch, name) for name in ("empty", "empty_like", "empty_strided", "empty_permuted")] + [(torch.Tensor, "new_empty")]


def _fill(tensor, new):
    """The whole storage, for the words of the tensor alone may be cut."""
    if not isinstance(tensor, torch.Tensor) or tensor.layout != torch.strided or tensor.device.type not in ("cpu", "cuda"):
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

    def filled(function):

        def fresh(*args, **kwargs):
            tensor = function(*args, **kwargs)
            if kwargs.get("out") is None:
                _fill(tensor, new)
            return tensor

        fresh.__name__, fresh.__doc__ = function.__name__, function.__doc__
        return fresh

    for owner, name, function in before:
        setattr(owner, name, filled(function))

    def undo():
        for owner, name, function in before:
            setattr(owner, name, function)

    return undo
