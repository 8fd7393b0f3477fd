"""What FSM refuses or reports, as exceptions that Triton's callers know.

All that FSM refuses is a CompilationError of Triton's. Triton's autotuner takes OutOfResources as "this configuration does
not run" and goes on; everything else ends the launch.
"""

import re

from triton.compiler.errors import CompilationError
from triton.errors import TritonError
from triton.runtime.errors import OutOfResources

from .._library import Failure

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? ")
# What stands in front of all that the simulator has found.
_HEAD = "error: the simulator reports\n"
# The compiler says so of what it has laid out and of what it is given, and the driver of what is loaded.
_SHARED = re.compile(r"needs (\d+) bytes of shared memory(?: a cta, of which \S+ has|, and a CTA of \S+ has at most|, but a CTA of .+ has) (\d+)")
_REGISTERS = re.compile(r"needs (?:about )?(\d+) registers a thread for .*?(?:more than|\bhas|leaves) (\d+)")


class FsmError(TritonError):
    """A sentence of FSM's about a kernel, with the place in Python that it speaks of.

    `sentence` is without the place; `file`, `line` and `column` are None where FSM names none; `notes` are further
    sentences, each with its own place in front.
    """

    def __init__(self, message):
        TritonError.__init__(self, message)
        self.message = message.removeprefix(_HEAD)
        first, *self.notes = self.message.split("\n")
        place = _PLACE.match(first)
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place and place["column"] else None
        rest = first[place.end():] if place else first
        self.sentence = rest.removeprefix("error: ")

    def __reduce__(self):
        return type(self), (self.message,)

    def __str__(self):
        shown = source_line(self.file, self.line)
        return self.message + (f"\n    {shown}" if shown else "")


class CompileError(FsmError, CompilationError):
    """A kernel that FSM does not compile."""

    def __init__(self, message):  # pylint: disable=super-init-not-called
        FsmError.__init__(self, message)
        # What Triton's own errors have: no text of Python's, for the sentence names its place.
        self.src, self.node, self.error_message = None, None, self.sentence


class OutOfRoom(OutOfResources, CompilationError):
    """A kernel that FSM does not compile, for a program would need more of something than a GPU has."""

    def __init__(self, required, limit, name):  # pylint: disable=super-init-not-called
        OutOfResources.__init__(self, required, limit, name)
        self.src, self.node, self.error_message = None, None, OutOfResources.__str__(self)

    def __str__(self):
        return OutOfResources.__str__(self)

    def __reduce__(self):
        return type(self), (self.required, self.limit, self.name)


class LaunchError(FsmError, RuntimeError):
    """A kernel that failed while it ran: an assert, or an access that the device found wrong."""


class CheckError(LaunchError):
    """What `enable(check=True)` found in a launch."""


class Defect(RuntimeError):
    """A defect of FSM. It is no error of Triton's, so that nobody takes it for one of the kernel."""


def source_line(file, number):
    """The line of a file, or "" if it is not to be had."""
    if not file or not number:
        return ""
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            lines = text.read().split("\n")
    except OSError:
        return ""
    return lines[number - 1].strip() if number <= len(lines) else ""


def translated(failure, kind=CompileError):
    """The exception for a Failure of the library: `kind`, OutOfResources or Defect."""
    if failure.kind == Failure.INTERNAL:
        return Defect(failure.message)
    for pattern, resource in ((_SHARED, "shared memory"), (_REGISTERS, "registers")):
        found = pattern.search(failure.message)
        if found and failure.kind != Failure.EXECUTION:
            return OutOfRoom(int(found[1]), int(found[2]), resource)
    return kind(failure.message)
