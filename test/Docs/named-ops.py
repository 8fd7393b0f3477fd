#!/usr/bin/python3
"""Checks that docs/language.md names exactly the ops of other dialects that the language takes.

Call: named-ops.py LANGUAGE.cpp LANGUAGE.md

The table in LANGUAGE.cpp has each as a string; LANGUAGE.md has each in backticks.
"""

import re
import sys
from pathlib import Path

OP = r"(?:arith|func|math|scf|ub)\.\w+"


def main():
    code, page = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
    # A name that the page shows with its operands counts as well.
    taken, named = set(re.findall(rf'"({OP})"', code)), set(re.findall(rf"`({OP})[` ]", page))
    named -= {"func.func"}
    for op in sorted(taken - named):
        print(f"{op} is taken, but not named")
    for op in sorted(named - taken):
        print(f"{op} is named, but not taken")
    print(f"{len(taken)} ops")
    return 1 if taken != named or not taken else 0


if __name__ == "__main__":
    sys.exit(main())
