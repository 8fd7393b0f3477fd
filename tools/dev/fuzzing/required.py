"""What kernels must hold: each op with each type that the language allows, as the conformance suite lists them.

A new op has a file there (test/Conformance/complete.py), so one that kernels never hold is noticed.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parents[3] / "test" / "Conformance"
sys.path.insert(0, str(SUITE))
from suite import formats, loader  # pylint: disable=wrong-import-position


def cells_of_op(name, op):
    """Name of a line and type of each cell; an op without types has one."""
    if not op.typed:
        return {(name, "")}
    if hasattr(op, "pairs"):
        return {(f"{name} to {target}", source) for source, target in op.pairs}
    if op.rows == ("",):
        return {(name, kind) for kind in op.types}
    return {(f"{name} <{row}>", kind) for row in op.rows for kind in (op.types(row) if callable(op.types) else op.types)}


def required():
    cells = set()
    for name in loader.names(loader.OPS):
        cells |= cells_of_op(name, loader.load(loader.OPS, name))
    return cells
