"""Launches of Triton's on FSM's own devices, for machines without a GPU: tensors in the host's memory, in this process."""

import ctypes
import re
import time

import torch
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from .._library import Failure
from . import errors
from .hook import GPU

# What Triton and its users ask of a device: an H200's numbers.
PROPERTIES = {"max_shared_mem": 232448, "max_num_regs": 65536, "multiprocessor_count": 132, "warpSize": 32,
              "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144, "arch": str(GPU)}
# Registers a thread and threads a block, which only a GPU's own compiler knows.
NOMINAL_REGISTERS, MOST_THREADS = 32, 1024
_MOST_F32 = float.fromhex("0x1.fffffep127")


def flattened(signature, arguments):
    """The type and value of each argument that the kernel takes, in the order of its text.

    Tuples are taken apart. A descriptor of a tensor is its base, shape and strides, whether it is filled up with NaN,
    and its shape and strides again: so does Triton's own launcher, where its pass took descriptors apart.
    """
    for kind, value in zip(signature, arguments):
        if isinstance(kind, tuple):
            yield from flattened(kind, value)
        elif kind.startswith("tensordesc"):
            yield "*" + re.match(r"tensordesc<([^\[>]*)", kind)[1], value.base
            bounds = [*value.shape, *value.strides]
            yield from (("i64", bound) for bound in bounds)
            yield "i1", getattr(value, "padding", "zero") == "nan"
            rank = len(value.shape)
            yield from (("i32" if i < rank else "i64", bound) for i, bound in enumerate(bounds))
        elif kind != "constexpr":
            yield kind, value


def tensor_of(value):
    """The tensor of torch that an argument is, or that objects of Triton's have as their base; None if there is none."""
    while not isinstance(value, torch.Tensor) and hasattr(value, "base"):
        value = value.base
    return value if isinstance(value, torch.Tensor) else None


def storage_of(value):
    """The storage that an argument's memory lies in; None if it says of none. Objects of others' that stand for a tensor with
    strides of their own have `untyped_storage()` as tensors have."""
    tensor = tensor_of(value)
    if tensor is not None:
        return tensor.untyped_storage()
    storage = value.untyped_storage() if hasattr(value, "untyped_storage") else None
    return storage if isinstance(storage, torch.UntypedStorage) else None


def memory_of(value, index):
    """The address of a tensor's first element, and how many bytes of its memory begin there.

    A tensor may be anything with `data_ptr()`; of those of torch, of Triton's that show one as another type, and of what else
    has a storage, the memory ends where that does, so that two views of one storage overlap. None is a null pointer, and so is a tensor without
    elements.
    """
    if value is None:
        return 0, 0
    value = getattr(value, "base", value) if not hasattr(value, "data_ptr") else value
    if isinstance(value, int):
        return value, 0
    if not hasattr(value, "data_ptr"):
        raise TypeError("Pointer argument must be either uint64 or have data_ptr method")
    if getattr(value, "fsm_host", False):
        raise ValueError(f"Pointer argument (at {index}) cannot be accessed from Triton (cpu tensor?)")
    address = value.data_ptr()
    tensor = tensor_of(value)
    if tensor is not None and tensor.is_meta:
        raise ValueError(f"Pointer argument (at {index}) cannot be accessed from Triton (a tensor without memory, of device 'meta')")
    storage = storage_of(value)
    # A view without elements has no address, wherever its storage is.
    if storage is None or not address:
        return address, 0
    return address, max(0, storage.data_ptr() + storage.nbytes() - slack_of(storage) - address)


# By the address of a storage, its bytes and how many of them lie behind the tensor it was made for.
_slack = {}


def note_slack(storage, bytes_behind):
    """What is behind a tensor for kernels that access beside it is no part of it."""
    _slack[storage.data_ptr()] = storage.nbytes(), bytes_behind


def has_slack():
    return bool(_slack)


def slack_of(storage):
    bytes_of_all, behind = _slack.get(storage.data_ptr(), (0, 0))
    return behind if bytes_of_all == storage.nbytes() else 0


def number_of(kind, value):
    """A scalar as the library takes it: an int of the type's width with a sign, or a float."""
    if isinstance(value, torch.Tensor):
        value = value.item()
    if kind.startswith(("fp", "f", "bf")):
        value = float(value)
        # What no f32 holds is infinite, as Triton's launcher converts it.
        is_kept = -_MOST_F32 <= value <= _MOST_F32 or kind not in ("fp32", "f32")
        return value if is_kept else ctypes.c_float(value).value
    bits, value = int(kind[1:]), int(value)
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


class Launcher:
    """What Triton calls for each launch of one kernel."""

    session = None

    def __init__(self, source, metadata):
        self.kinds = list(source.signature.values())
        self.metadata = metadata

    def __call__(self, x, y, z, stream, text, packed, launch_metadata, enter, leave, *arguments):
        if enter is not None:
            enter(launch_metadata)
        # The grid's numbers may be NumPy's or torch's.
        self.launch(text, (int(x), int(y), int(z)), list(flattened(self.kinds, arguments)))
        if leave is not None:
            leave(launch_metadata)

    def launch(self, text, grid, arguments):
        values = [memory_of(value, index) if kind.startswith("*") else number_of(kind, value)
                  for index, (kind, value) in enumerate(arguments)]
        if 0 in grid:
            return
        if self.session.checker:
            self.session.checker.check(text, grid, arguments)
        try:
            self.session.device.launch(text, grid, values, print)
        except Failure as failure:
            raise errors.translated(failure, errors.LaunchError) from None


class Utils:
    """What Triton asks a driver about its device, and to load code."""

    def __init__(self, session):
        self.session = session

    def get_device_properties(self, device):
        return dict(PROPERTIES)

    def load_binary(self, name, code, shared, device):
        """Module, function, registers, spills and most threads; the "function" is the kernel's text."""
        text = code.decode()
        try:
            self.session.device.load(text)
        except Failure as failure:
            raise errors.translated(failure) from None
        return text, text, NOMINAL_REGISTERS, 0, MOST_THREADS

    def set_printf_fifo_size(self, size):
        """Prints have no buffer that could be too small."""

    def fill_tma_descriptor(self, *arguments):
        raise NotImplementedError("descriptors of tensors are taken apart; there is none to fill")


class Event:
    """A point in time; launches are over when they return."""

    def __init__(self, enable_timing=False, **_):
        self.seconds = None

    def record(self, stream=None):
        self.seconds = time.perf_counter()

    def synchronize(self):
        """Everything before is over."""

    def wait(self, stream=None):
        """Everything before is over."""

    def query(self):
        return True

    def elapsed_time(self, later):
        """Milliseconds, more than none."""
        return max((later.seconds - self.seconds) * 1e3, 1e-6)


class DeviceInterface:
    """What torch.cuda is to Triton's own driver."""

    Event = Event

    @staticmethod
    def synchronize(device=None):
        """Launches are over when they return."""

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def set_device(device):
        """There is one."""


class FsmDriver(DriverBase):
    """A driver of Triton's whose device is FSM's `cpu` or `sim`, shown as an H200.

    `triton.runtime.driver.set_active(FsmDriver(...))` is what `fsm.triton.enable(device=...)` does.
    """

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.utils = Utils(session)
        self.launcher_cls = type("Launcher", (Launcher, ), {"session": session})

    @classmethod
    def is_active(cls):
        return True

    def map_python_to_cpp_type(self, ty):
        from triton.backends.nvidia.driver import ty_to_cpp
        return ty_to_cpp(ty)

    def get_current_target(self):
        return GPUTarget("cuda", GPU, 32)

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return DeviceInterface

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        """There is one."""

    def get_current_stream(self, device):
        return 0

    def get_device_capability(self, *_):
        return GPU // 10, GPU % 10

    def get_benchmarker(self):
        """Times one call, in milliseconds, whatever quantiles are asked for."""

        def measure(call, quantiles=None, **_):
            start = time.perf_counter()
            call()
            taken = (time.perf_counter() - start) * 1e3
            return [taken] * len(quantiles) if quantiles else taken

        return measure

    def get_empty_cache_for_benchmark(self):
        return torch.empty(1, dtype=torch.int)

    def clear_cache(self, cache):
        cache.zero_()
