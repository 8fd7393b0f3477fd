#!/usr/bin/python3
"""Runs a copy of tools/dev/check over a small suite of its own, once on a terminal and once not, and compares.

Call: check-progress.py REPOSITORY

Not on a terminal, what is printed has no progress; on one, what stays of it when each line is erased that is erased is
the same, and what was erased names each test that did not fail, with its number and how many there are.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = """import lit.formats
config.name = "Small"
config.test_format = lit.formats.ShTest()
config.test_source_root = config.test_exec_root = r"{folder}"
config.suffixes = [".test"]
"""
TESTS = {
    "good": "RUN: true",
    "bad": "RUN: false",
    "other": "RUN: true",
    "absent": "REQUIRES: a-gpu\nRUN: true",
    "a-name-that-is-longer-than-a-terminal-is-wide-" + 60 * "x": "RUN: true",
}
SCRIPTS = ("check", "show-progress", "summarise-tests")


def make_tree(repository, root):
    """A tree with check, the scripts that it calls, a build that is done at once, and tests."""
    tools, suite = root / "tools/dev", root / "build/dev/test"
    tools.mkdir(parents=True)
    suite.mkdir(parents=True)
    for script in SCRIPTS:
        shutil.copy(repository / "tools/dev" / script, tools)
    (tools / "build").write_text("#!/bin/sh\n")
    (tools / "build").chmod(0o755)
    (suite / "lit.cfg.py").write_text(SUITE.format(folder=suite))
    for name, text in TESTS.items():
        (suite / f"{name}.test").write_text(text + "\n")


def on_a_terminal(command, environment):
    """What a command prints on a terminal of 80 columns, and its exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # so Linux says that nobody has the other end any more
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n"), process.wait()


def seen(text):
    """What stays on the terminal, and the lines that were erased, in order."""
    stays, erased = [], []
    for line in text.split("\n"):
        *gone, last = line.split("\r\x1b[K")
        erased += [piece for piece in gone if piece]
        stays.append(last)
    return "\n".join(stays), erased


def unordered(text):
    """The lines without what differs from run to run: the order of the tests, and how long they took."""
    return sorted(re.sub(r"\(\d+ of \d+\)|\d+\.\d+s", "", line) for line in text.splitlines())


def complaints(repository):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_tree(repository, root)
        command = [root / "tools/dev/check", "-j1"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LIT_")} | {"COLUMNS": "80"}
        plain = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        text, code = on_a_terminal(command, environment)
    stays, erased = seen(text)
    if plain.stdout.splitlines()[-1] != "3 passed, 1 failed, 1 skipped" or plain.returncode != 1:
        yield f"not on a terminal it ends with {plain.returncode} and:\n{plain.stdout}{plain.stderr}"
    if "\x1b" in plain.stdout or "good" in plain.stdout:
        yield f"not on a terminal it shows progress:\n{plain.stdout}"
    if "FAIL: Small :: bad.test" not in plain.stdout:
        yield f"not on a terminal it does not name what failed:\n{plain.stdout}"
    if code != plain.returncode or unordered(stays) != unordered(plain.stdout + plain.stderr):
        yield f"on a terminal it ends with {code}, and this stays:\n{stays}\ninstead of:\n{plain.stdout}{plain.stderr}"
    for name in TESTS:
        pattern = re.compile(r"\[ *[1-5] of 5\] Small :: " + re.escape(name[:50]))
        if any(map(pattern.match, erased)) == (name == "bad"):
            yield f"progress of the test {name} is wrong:\n" + "\n".join(erased)
    if any(len(line) >= 80 for line in erased):
        yield "a line is as wide as the terminal, so that it cannot be erased:\n" + "\n".join(erased)


def main():
    found = list(complaints(Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "check shows progress on a terminal, and only there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
