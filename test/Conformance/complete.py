#!/usr/bin/python3
"""Checks that each op of the language has a file in the conformance suite, and each file an op.

Call: complete.py SOURCE-TREE [--ops=FOLDER]

The ops are those of the dialect's definitions, without those that only passes write (FSM_PlanOp and classes of it), and the table of ops
of other dialects in lib/IR/Language.cpp.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from suite import loader  # pylint: disable=wrong-import-position

FOREIGN = re.compile(r'"((?:arith|func|math|scf|ub)\.\w+)"')
OWN = re.compile(r'^def FSM_\w+Op\s*:\s*(\w+)<"(\w+)"', re.MULTILINE)
FAMILY_OF_PLANS = re.compile(r"^class (\w+)<[^:]*>\s*:\s*FSM_PlanOp<", re.MULTILINE)


def language(tree):
    """The names of all ops."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((tree / "include/fsm/IR").glob("*Ops.td"))]
    plans = {"FSM_PlanOp", *(name for text in texts for name in FAMILY_OF_PLANS.findall(text))}
    names = set(FOREIGN.findall((tree / "lib/IR/Language.cpp").read_text(encoding="utf-8")))
    names.update(f"fsm.{name}" for text in texts for base, name in OWN.findall(text) if base not in plans)
    return names


def main():
    folder = [word[len("--ops="):] for word in sys.argv[2:] if word.startswith("--ops=")]
    have = set(loader.names(pathlib.Path(folder[-1]) if folder else loader.OPS))
    names = language(pathlib.Path(sys.argv[1]))
    for name in sorted(names - have):
        print(f"{name} has no file")
    for name in sorted(have - names):
        print(f"{name} is no op of the language")
    print(f"{len(names)} ops")
    return 1 if names != have or not names else 0


if __name__ == "__main__":
    sys.exit(main())
