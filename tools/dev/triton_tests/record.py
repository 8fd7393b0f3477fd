"""A plug-in for pytest that writes down what became of each case as it ends: RECORD_TO=FILE, a line of JSON each.

RECORD_EVERY=N/K runs every N-th case of each function, from the K-th on; RECORD_SKIP=FILE leaves out what that file has.
"""

import json
import os

import pytest

_OUT = open(os.environ["RECORD_TO"], "a", encoding="utf-8")
# What NumPy and torch say of numbers that differ.
_NUMBERS = ("Not equal to tolerance", "Mismatched elements", "Tensor-likes are not", "Scalars are not", "Arrays are not",
            "arrays are not", "Items are not")
_TEXTS = ("ptx", "asm[", "llir", "ttgir", "sass")


def _write(**line):
    _OUT.write(json.dumps(line) + "\n")
    _OUT.flush()


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
    items[:] = kept


def name_of(item):
    return item.nodeid.split("/")[-1]


def _outcome(report, call):
    """pass, skip, or what kind of failure: wrong numbers, a check of a text, what is refused, or another error."""
    if report.skipped:
        return "skip", ""
    if report.passed:
        return "pass", ""
    error, kind = call.excinfo.value, call.excinfo.typename
    text = f"{kind}: {str(error).strip()}"
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
    with open(os.environ["RECORD_TO"] + ".running", "w", encoding="utf-8") as file:
        file.write(name_of(item))
