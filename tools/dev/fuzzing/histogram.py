"""Counts what kernels hold: ops by element type, ways of conversions, trips of loops, masks, refusals."""

import re
import subprocess
from collections import Counter

from .registry import CELLS

OP = re.compile(r"^\s*(?:%[\w:#, %]+ = )?((?:arith|math|fsm|scf)\.\w+)( <\w+>)?(.*)$")
TYPE = re.compile(r"(?:tensor<(?:\d+x)+|!fsm\.ptr<|(?<![\w%.#]))(i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E4M3FN|f8E5M2)\b")
LAST = ("arith.select", "fsm.load")
CONVERSION = re.compile(r"fsm\.(?:convert_layout|reshape) from \w+ to \w+, (nothing|registers|shuffles|shared memory)")
PLAN_KINDS = ("nothing", "registers", "shuffles", "shared memory")


def cells_of(text):
    """Each op of a kernel with the type that it works on: that of its operand, or of what it chooses or loads."""
    cells = Counter()
    for line in text.splitlines():
        match = OP.match(line)
        if not match:
            continue
        op, kind, rest = match.group(1), match.group(2) or "", match.group(3)
        if op.startswith("scf.") or op == "fsm.barrier":
            cells[op, ""] += 1
            continue
        if op == "arith.constant" and ":" not in rest:
            cells[op, "i1"] += 1
            continue
        types = TYPE.findall(rest[rest.rfind(" : "):] if " : " in rest else rest)
        if types:
            cells[op + kind, types[-1] if op in LAST else types[0]] += 1
    return cells


def plans_of(program, texts, folder):
    """How the conversions between layouts that kernels come to hold are carried out, as fsm-opt prints them."""
    path = folder / "plans.mlir"
    path.write_text("\n// -----\n".join(texts))
    done = subprocess.run([str(program), str(path), "--split-input-file", "--fsm-gpu-pipeline=stage=fsm",
                           "--fsm-print-layouts=max-elements=1", "-o", "/dev/null"], capture_output=True, text=True, check=False,
                          errors="replace")
    path.unlink()
    return Counter(CONVERSION.findall(done.stderr + done.stdout))


class Histogram:
    """What occurred in the kernels that ran."""

    def __init__(self):
        self.cells, self.notes, self.plans, self.refusals = Counter(), Counter(), Counter(), Counter()
        self.kernels = self.refused = self.ways = 0

    def add(self, other):
        for name in ("cells", "notes", "plans", "refusals"):
            getattr(self, name).update(getattr(other, name))
        for name in ("kernels", "refused", "ways"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def scarce(self, least):
        """Cells that a run is to reach and that occurred less often."""
        named = {(cell.op, cell.element) for cell in CELLS} | {(op, "") for op in ("scf.for", "scf.while", "scf.if")}
        cells = [(f"{op} {element}".strip(), self.cells[op, element]) for op, element in sorted(named)]
        cells += [(f"conversions by {kind}", self.plans[kind]) for kind in PLAN_KINDS]
        return sorted((count, name) for name, count in cells if count < least)

    def text(self):
        lines = ["op by element type:"]
        for op in sorted({op for op, _ in self.cells}):
            of = {element: count for (name, element), count in self.cells.items() if name == op}
            lines.append(f"  {op:24} " + " ".join(f"{e or 'all'}={n}" for e, n in sorted(of.items())))
        lines.append("conversions between layouts: " + ", ".join(f"{k}={self.plans[k]}" for k in PLAN_KINDS))
        for what, title in (("trips", "trips of loops"), ("mask", "masks")):
            of = sorted((which, n) for (name, which), n in self.notes.items() if name == what)
            lines.append(f"{title}: " + ", ".join(f"{which}={n}" for which, n in of))
        share = 100 * self.refused / max(1, self.kernels)
        lines.append(f"refused in some way: {self.refused} of {self.kernels} kernels ({share:.2f} %)")
        lines += [f"  {n} times: {sentence}" for sentence, n in self.refusals.most_common(8)]
        return "\n".join(lines)
