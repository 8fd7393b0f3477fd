"""A plug-in for pytest that writes down what became of each case as it ends: RECORD_TO=FILE, a line of JSON each.

RECORD_EVERY=N/K runs every N-th case of each function, from the K-th on; RECORD_SKIP=FILE leaves out what that file has.
RECORD_CLAIMS=FILE shares the cases among processes: each takes the next one that nobody has taken, in an order that mixes
them, so that what is done when RECORD_UNTIL (seconds since 1970) comes is a sample of all.
While a case runs, RECORD_TO.running has its name.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import time

import pytest

_OUT = open(os.environ["RECORD_TO"], "a", encoding="utf-8")
_RUNNING = pathlib.Path(os.environ["RECORD_TO"] + ".running")
_CLAIMS = os.environ.get("RECORD_CLAIMS")
_UNTIL = float(os.environ.get("RECORD_UNTIL", "inf"))
# The exit code of a process that has brought its GPU's context down.
GPU_IS_LOST = 75
# What NumPy and torch say of numbers that differ.
_NUMBERS = ("Not equal to tolerance", "Mismatched elements", "Tensor-likes are not", "Scalars are not", "Arrays are not",
            "arrays are not", "Items are not")
_TEXTS = ("ptx", "asm[", "llir", "ttgir", "sass")
# What CUDA says when no later call can succeed in this process.
_LOST = ("illegal memory access", "misaligned address", "unspecified launch failure", "illegal instruction",
         "device-side assert", "launch timed out", "invalid address space", "invalid program counter", "hardware stack error")
_state = {"lost": False}


def _write(**line):
    _OUT.write(json.dumps(line) + "\n")
    _OUT.flush()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    every, _, first = os.environ.get("RECORD_EVERY", "1/0").partition("/")
    seen = set()
    if os.environ.get("RECORD_SKIP"):
        with open(os.environ["RECORD_SKIP"], encoding="utf-8") as file:
            seen = {json.loads(line)["case"] for line in file}
    counts, kept = {}, []
    for item in items:
        function = item.nodeid.split("[")[0]
        counts[function] = counts.get(function, -1) + 1
        if counts[function] % int(every) == int(first or 0) and name_of(item) not in seen:
            kept.append(item)
    items[:] = sorted(kept, key=lambda item: hashlib.sha1(item.nodeid.encode()).digest()) if _CLAIMS else kept


def _claimed(count):
    """The numbers below `count` that this process is to do."""
    while time.time() < _UNTIL and not _state["lost"]:
        with open(_CLAIMS, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            number = int(file.read() or 0)
            file.seek(0)
            file.write(str(number + 1))
        if number >= count:
            return
        yield number


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    if not _CLAIMS:
        return None
    for number in _claimed(len(session.items)):
        item = session.items[number]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        _RUNNING.unlink(missing_ok=True)
    if _state["lost"]:
        os._exit(GPU_IS_LOST)
    return True


def name_of(item):
    """The file's name and what is behind it, where parameters may hold a slash."""
    path, _, case = item.nodeid.partition("::")
    return f"{path.rpartition('/')[2]}::{case}"


def _outcome(report, call):
    """pass, skip, or what kind of failure: wrong numbers, a check of a text, what is refused, or another error."""
    if report.skipped:
        return "skip", ""
    if report.passed:
        return "pass", ""
    error, kind = call.excinfo.value, call.excinfo.typename
    text = f"{kind}: {str(error).strip()}"
    if any(words in text for words in _LOST):
        _state["lost"] = True
        return "crash", text
    if kind == "KeyError" and "ttgir" in text:
        return "ttgir", text
    if kind in ("CompileError", "OutOfResources"):
        return "refused", text
    if kind == "LaunchError":
        return "report", text
    if isinstance(error, AssertionError):
        if any(words in text for words in _NUMBERS):
            return "wrong", text
        statement = str(call.excinfo.traceback[-1].statement)
        return ("text", statement) if any(word in statement for word in _TEXTS) else ("assert", f"{statement}: {text}")
    return "error", text


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    out = yield
    report = out.get_result()
    if report.when == "call" or (report.when == "setup" and not report.passed):
        outcome, why = _outcome(report, call)
        _write(case=name_of(item), outcome=outcome, why=why[:400], seconds=round(call.duration, 3))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _RUNNING.write_text(name_of(item), encoding="utf-8")
