#!/usr/bin/python3
"""Asks Ninja what tools/dev/package builds, and whether any of it is a test.

Call: package-targets.py REPOSITORY BUILD-FOLDER
"""

import re
import subprocess
import sys
from pathlib import Path

BUILD = re.compile(r"^tools/dev/build release(?P<targets>.*)$", re.MULTILINE)
OF_TESTS = re.compile(r"(?:^|/)(?:test|examples)/|gtest|Tests?\b")


def main():
    repository, build = sys.argv[1:]
    calls = [match["targets"].split() for match in BUILD.finditer(Path(repository, "tools/dev/package").read_text(encoding="utf-8"))]
    targets = calls[0] if len(calls) == 1 else []
    if not targets:
        print("package does not call `tools/dev/build release TARGET...` once, so that it builds everything")
        return 1
    asked = ["ninja", "-C", build, "-t", "inputs", *targets]
    inputs = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    # Relative to the repository, whose own path may well have `test` in it.
    names = [name.removeprefix(f"{repository}/") for name in inputs]
    tests = [name for name in names if not name.startswith("/usr/") and OF_TESTS.search(name)]
    print("\n".join(f"package builds {name}" for name in tests) or f"{', '.join(targets)}: {len(names)} inputs, no test")
    return 1 if tests or len(names) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
