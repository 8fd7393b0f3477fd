"""`enable(check=True)`: each launch is first done by FSM's simulator of a GPU, on copies of its arguments.

The simulator looks at every access: bounds, alignment, races between threads and programs, values that nobody wrote, barriers
that not all reach. What a kernel assumes (`tl.assume`, and of a descriptor that its address and strides are multiples of 16
bytes) it asserts there. What it finds is a CheckError at the line in Python. It takes about a thousand times as long as a GPU, so
of a large grid only PROGRAMS programs run, spread evenly from the first to the last.
"""

import re

import torch
from triton.runtime import driver as triton_driver

from .._library import Failure
from . import errors, unwritten
from .device import opened
from .driver import flattened, memory_of, number_of, slack_of, storage_of

# Of a grid, so many blocks of a GPU run.
PROGRAMS = 64
# A program that has executed so many instructions of warps, for some seconds, waits for what nobody does.
MOST_STEPS = 1 << 26
# What an assumption that does not hold says.
BROKEN = "assumed, but not so; of a descriptor, that its address and its strides are multiples of 16 bytes"
# Copies begin where their originals do, modulo this many bytes. The simulator's memory of them begins at such a multiple with the
# first view of a storage: from there on alignments stay true.
_ALIGNMENT = 256


class Checker:
    """Runs launches on the simulator."""

    def __init__(self, library):
        self.device = opened(library, "sim")
        self.device.configure("global_races", 1)
        self.device.configure("max_steps", MOST_STEPS)
        self._asserting = {}

    def check(self, text, grid, arguments):
        """Raises what is wrong with a launch. The arguments are as `flattened` gives them, and stay as they are."""
        copies = {}
        values = [_copied(value, index, copies) if kind.startswith("*") else number_of(kind, value)
                  for index, (kind, value) in enumerate(arguments)]
        if 0 in grid:
            return
        if text not in self._asserting:
            self._asserting[text] = asserting(text)
        with self.device.alone:
            self.device.configure("most_blocks", PROGRAMS)
            self.device.configure("unwritten", unwritten.NUMBER)
            try:
                self.device.launch(self._asserting[text], grid, values, _drop)
            except Failure as failure:
                raise errors.translated(failure, errors.CheckError) from None
            finally:
                self.device.configure("most_blocks", 0)
                self.device.configure("unwritten", 0)


def asserting(text):
    """A kernel's text with an assert of what it assumes, and of what is taken for granted of addresses."""
    text = re.sub(r"^module attributes \{", "module attributes {tt.assert_addresses = 1 : i32, ", text, count=1, flags=re.MULTILINE)
    return re.sub(r"llvm\.intr\.assume (%[\w#]+) : i1", rf'tt.assert \1, "{BROKEN}" : i1', text)


def _drop(_):
    """The launch itself prints."""


def _copied(value, index, copies):
    """Address and bytes of a copy of a tensor's memory; views of one storage are views of one copy."""
    address, _ = memory_of(value, index)
    storage = storage_of(value)
    if storage is None:
        raise TypeError(f"expected tensors of torch to check a launch, got {type(value).__name__} as pointer {index}")
    if not address:
        return 0, 0
    start, count = storage.data_ptr(), storage.nbytes() - slack_of(storage)
    if start not in copies:
        original = torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)[:count]
        room = torch.empty(count + _ALIGNMENT, dtype=torch.uint8)
        first = (start - room.data_ptr()) % _ALIGNMENT
        room[first:first + count] = original.cpu()
        copies[start] = room, room.data_ptr() + first
    at = copies[start][1] + address - start
    return at, max(0, count - (address - start))


class CheckedLauncher:
    """Triton's own launcher, behind a check. Where the launcher is FSM's, it asks the checker itself."""

    checker = launcher = None

    def __init__(self, source, metadata):
        self.kinds, self.metadata = list(source.signature.values()), metadata
        self.launch = self.launcher(source, metadata)

    def __call__(self, x, y, z, stream, function, packed, launch_metadata, enter, leave, *arguments):
        if hasattr(self.metadata, "fsm_text"):
            self.checker.check(self.metadata.fsm_text, (int(x), int(y), int(z)), list(flattened(self.kinds, arguments)))
        self.launch(x, y, z, stream, function, packed, launch_metadata, enter, leave, *arguments)


def install(session):
    """Lets a session check; what undoes it."""
    checker = Checker(session.library)
    not_filled = unwritten.install()
    if session.device:
        session.checker = checker
        return not_filled
    active = triton_driver.active
    before = active.launcher_cls
    active.launcher_cls = type("CheckedLauncher", (CheckedLauncher, ), {
        "checker": checker, "launcher": staticmethod(before)})

    def undo():
        active.launcher_cls = before
        not_filled()

    return undo
