#!/usr/bin/python3
"""Runs check-house over each tree in a folder and compares what it finds with what the tree says it should find.

Call: check-trees.py CHECK-HOUSE FOLDER [OPTION-OF-CHECK-HOUSE...]

A `.tree` file holds a small source tree in one text:

    # Why this tree is good or bad.
    # EXPECT: path:line: sentence          (one per finding, in the order of their output)
    # EXPECT-NOTE: text                    (one per line that is no finding)
    //--- path/of/a/file
    its text; a line `@repeat N TEXT` stands for N lines TEXT
"""

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path


def read_tree(path):
    """The expected findings, the expected notes and the files (path to text) of a `.tree` file."""
    expected, notes, files, lines = [], [], {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("//--- "):
            lines = files.setdefault(line.split(maxsplit=1)[1], [])
        elif lines is None:
            expected += [line[len("# EXPECT: ") :]] if line.startswith("# EXPECT: ") else []
            notes += [line[len("# EXPECT-NOTE: ") :]] if line.startswith("# EXPECT-NOTE: ") else []
        elif line.startswith("@repeat "):
            _, count, text = line.split(" ", 2)
            lines += [text] * int(count)
        else:
            lines.append(line)
    return expected, notes, {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def differences(check_house, path, options):
    """How the findings in a tree differ from those expected, as lines of a diff; none if they agree."""
    expected, notes, files = read_tree(path)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, check_house, *options, folder], capture_output=True, text=True, check=False)
    found = run.stdout.splitlines() + run.stderr.splitlines()
    if run.returncode != (1 if expected else 0):
        found.append(f"(exit code {run.returncode})")
    return list(difflib.unified_diff(expected + notes, found, f"{path.name}, expected", f"{path.name}, found", lineterm=""))


def main():
    check_house, folder, *options = sys.argv[1:]
    trees = sorted(Path(folder).glob("*.tree"))
    failures = 0
    for path in trees:
        lines = differences(check_house, path, options)
        failures += bool(lines)
        print("\n".join(lines) if lines else f"{path.name}: as expected")
    return 1 if failures or not trees else 0


if __name__ == "__main__":
    sys.exit(main())
