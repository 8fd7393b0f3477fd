"""What one `enable()` holds: device, library, hook and driver."""

import sys

import triton
from triton.runtime import driver as triton_driver

from .. import _library
from . import TRITON, hook, inductor, keys, launcher as own_launcher, records
from .device import opened

DEVICES = (None, "cpu", "sim")
_active = []


class Session:
    """One `enable()`; a context manager that ends it.

    `refused` has the name of each kernel that Triton compiled in FSM's place, and why.
    """

    def __init__(self, device, strict, fallback, check, launcher):
        self.strict, self.fallback, self.launcher = strict, fallback, launcher
        # Whether there is a GPU on which FSM's engine could launch kernels that have, or make, descriptors of their tensors.
        self.launches_described = False
        self.library = _library.load()
        self.device = opened(self.library, device) if device else None
        self.refused, self.checker = [], None
        words = [f"fsm-{self.library.hash()}", device or "gpu"] + ["strict"] * strict + [fallback] * bool(fallback)
        # Triton keeps a kernel with its launcher, which checks or does not.
        words += ["launched"] * (launcher == "fsm") + ["checked"] * check
        self.mode = "-".join(words)
        self._undo = [hook.install(self), keys.install()]
        if device:
            self._use_driver()
        else:
            self._undo.append(_say_what_needs_no_gpu())
            self._undo += [records.install(), inductor.install(self, None)]
            if not fallback:
                self._undo.append(own_launcher.install(self))
        if check:
            from . import check as checking
            self._undo.append(checking.install(self))

    def _use_driver(self):
        from .driver import FsmDriver
        before = triton_driver._active
        triton_driver.set_active(FsmDriver(self))
        self._undo.append(inductor.install(self, FsmDriver))

        def undo():
            triton_driver._active = before

        self._undo.append(undo)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def accesses(self):
        """What the accesses of the last launch on "sim" moved, and what would have done: a text, by lines in Python."""
        if not self.device or self.device.name != "sim":
            raise ValueError('expected enable(device="sim"): nothing else counts accesses')
        return self.device.accesses()

    def close(self):
        """Everything as it was before; once. What was enabled since ends with it, for that put back what it found."""
        while self in _active and _active[-1] is not self:
            _active[-1].close()
        while self._undo:
            self._undo.pop()()
        if self in _active:
            _active.remove(self)


def _say_what_needs_no_gpu():
    """A launch without a GPU fails in Triton, which counts its drivers."""
    module = sys.modules["triton.runtime.driver"]
    create = module._create_driver

    def create_or_say():
        try:
            return create()
        except RuntimeError as error:
            raise RuntimeError(f'expected a GPU, and Triton finds none; enable(device="cpu") or enable(device="sim") needs none ({error})') from error

    def undo():
        module._create_driver = create

    module._create_driver = create_or_say
    return undo


def begin(device, strict, fallback, check, launcher):
    if device not in DEVICES:
        raise ValueError(f"expected the device to be one of {DEVICES}, got {device!r}")
    if fallback not in (None, "triton"):
        raise ValueError(f"expected the fallback to be None or 'triton', got {fallback!r}")
    if fallback and device:
        raise ValueError("expected no fallback without a GPU: Triton's own code needs one")
    if launcher not in ("triton", "fsm"):
        raise ValueError(f"expected the launcher to be 'triton' or 'fsm', got {launcher!r}")
    if launcher == "fsm" and (device or fallback):
        raise ValueError("expected FSM's launcher on a GPU and without a fallback: elsewhere there is no other, and code of "
                         "Triton's needs Triton's")
    if not triton.__version__.startswith(TRITON + "."):
        raise RuntimeError(f"fsm.triton is for Triton {TRITON}, and this is {triton.__version__}")
    _active.append(Session(device, strict, fallback, check, launcher))
    return _active[-1]


def end():
    if _active:
        _active[-1].close()
