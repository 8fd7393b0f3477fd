"""Programs that ask for "cuda" tensors, on a machine without a GPU: they get tensors in the host's memory.

`HostTensors` is a mode of torch's, `pretend()` answers what is asked of `torch.cuda`. Used by `python -m fsm.triton` and by
the plug-in for pytest, never by `enable()` itself.
"""

import torch

from . import driver

# Behind each tensor that a factory makes there is memory that a kernel may touch: a GPU's allocator has such, and kernels
# that access beside their tensors, on purpose or not, do not end the process. 0 where the device checks bounds.
SLACK = 4 << 20
_MAKE = ("empty", "zeros", "ones", "full", "rand", "randn", "randint", "arange", "tensor", "as_tensor", "empty_strided",
         "empty_like", "zeros_like", "ones_like", "rand_like", "randn_like", "full_like", "randint_like", "linspace", "eye",
         "randperm", "normal")
_IS_GPU = torch.Tensor.is_cuda.__get__
# Methods that name a device without the word.
_MOVE = ("to", "type", "new_empty", "new_zeros", "new_ones", "new_full", "new_tensor")


def is_gpu(device):
    """Whether a device, or its name or number, is one of those that are pretended."""
    if isinstance(device, torch.device):
        return device.type == "cuda"
    return isinstance(device, int) and not isinstance(device, bool) or str(device).startswith("cuda")


def _padded(tensor, slack):
    """A copy of a tensor that owns its memory, with more memory behind it."""
    # What traces a program makes tensors of a type of its own, without memory.
    if type(tensor) is not torch.Tensor:
        return tensor
    storage = tensor.untyped_storage()
    if tensor.layout != torch.strided or driver.slack_of(storage) or tensor.storage_offset():
        return tensor
    bytes_of_all = storage.nbytes()
    memory = torch.empty(bytes_of_all + slack, dtype=torch.uint8)
    memory[:bytes_of_all] = torch.empty(0, dtype=torch.uint8).set_(storage)
    padded = torch.empty(0, dtype=tensor.dtype).set_(memory.untyped_storage(), 0, tensor.size(), tensor.stride())
    driver.note_slack(memory.untyped_storage(), slack)
    return padded.requires_grad_(tensor.requires_grad)


class HostTensors(torch.overrides.TorchFunctionMode):
    """Makes what is asked of a GPU in the host's memory."""

    def __init__(self, slack=SLACK):
        super().__init__()
        self.slack = slack

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = getattr(function, "__name__", "")
        if name in ("cuda", "cpu") and args and isinstance(args[0], torch.Tensor):
            # A copy, as between a GPU and its host: what happens to one does not happen to the other.
            copy = args[0].clone()
            copy.fsm_host = name == "cpu"
            return copy
        if function == _IS_GPU:
            return not getattr(args[0], "fsm_host", False)
        asked = kwargs.get("device")
        was_gpu = asked is not None and is_gpu(asked)
        if was_gpu:
            kwargs["device"] = "cpu"
        if name in _MOVE:
            return self._move(function, args, kwargs, was_gpu)
        pinned = kwargs.pop("pin_memory", False)
        result = function(*args, **kwargs)
        if not isinstance(result, torch.Tensor) or name not in _MAKE:
            return result
        # Memory that was asked for on the host by name is not the GPU's, unless it is pinned.
        if asked == "cpu" and not pinned:
            result.fsm_host = True
        elif self.slack and (was_gpu or name.endswith("_like")):
            result = _padded(result, self.slack)
        return result

    def _move(self, function, args, kwargs, was_gpu):
        moved = [isinstance(arg, (str, torch.device)) and is_gpu(arg) for arg in args]
        args = tuple("cpu" if is_moved else arg for arg, is_moved in zip(args, moved))
        result = function(*args, **kwargs)
        if not isinstance(result, torch.Tensor):
            return result
        names_device = was_gpu or any(moved) or "cpu" in args or kwargs.get("device") == "cpu"
        if names_device and result is args[0]:
            result = result.clone()
        return _padded(result, self.slack) if self.slack and (was_gpu or any(moved)) else result


class _Properties:
    """What torch says of an H200."""
    name, major, minor = "NVIDIA H200", driver.GPU // 10, driver.GPU % 10
    multi_processor_count = driver.PROPERTIES["multiprocessor_count"]
    shared_memory_per_block_optin = driver.PROPERTIES["max_shared_mem"]
    total_memory, L2_cache_size, warp_size = 140 << 30, 50 << 20, 32


class _Stream:
    """The one stream, on which everything is over."""
    cuda_stream = 0

    def __init__(self, *_, **__):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def synchronize(self):
        """Launches are over when they return."""

    def wait_stream(self, stream):
        """Launches are over when they return."""

    def wait_event(self, event):
        """Launches are over when they return."""


class _Generator:
    """The GPU's random numbers, of which kernels are given seed and offset: its state is these two, as a GPU's is."""

    def __init__(self):
        self.words = torch.zeros(2, dtype=torch.int64)

    def manual_seed(self, seed):
        self.words = torch.tensor([int(seed) & (1 << 63) - 1, 0])
        return self

    def initial_seed(self):
        return int(self.words[0])

    def get_state(self):
        return self.words.view(torch.uint8).clone()

    def set_state(self, state):
        self.words = state.clone().view(torch.int64)
        return self


def pretend():
    """Lets torch.cuda and torch.accelerator answer as if there were an H200; what undoes it."""
    generator = _Generator()
    answers = {
        "get_device_capability": lambda *_: (_Properties.major, _Properties.minor),
        "get_device_name": lambda *_: _Properties.name,
        "get_device_properties": lambda *_: _Properties(),
        "current_device": lambda: 0, "device_count": lambda: 1, "is_available": lambda: True,
        "set_device": lambda *_: None, "synchronize": lambda *_: None, "empty_cache": lambda: None,
        "manual_seed": generator.manual_seed, "manual_seed_all": generator.manual_seed, "default_generators": (generator,),
        "get_rng_state": lambda *_: generator.get_state(), "set_rng_state": lambda state, *_: generator.set_state(state),
        "_exchange_device": lambda *_: 0, "_maybe_exchange_device": lambda *_: 0, "_DeviceGuard": _Stream, "memory_allocated": lambda *_: 0,
        "current_stream": lambda *_: _Stream(), "stream": lambda stream: stream or _Stream(), "device": _Stream,
        "Stream": _Stream, "Event": driver.Event,
    }
    # Programs go by the name of their device's type: torch.cpu lacks what all others have.
    places = [(torch.cuda, name, answer) for name, answer in answers.items()] + [(torch.cpu, "set_stream", lambda _: None)]
    places += [(torch.accelerator, name, answers[name]) for name in ("is_available", "device_count", "synchronize")]
    places += [(torch.accelerator, "current_device_index", answers["current_device"])]
    before = [(module, name, getattr(module, name, None)) for module, name, _ in places]
    for module, name, answer in places:
        setattr(module, name, answer)

    def undo():
        for module, name, value in before:
            setattr(module, name, value)

    return undo
