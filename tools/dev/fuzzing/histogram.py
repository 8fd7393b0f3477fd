"""Counts what kernels hold: ops by element type, ways of conversions, trips of loops, masks, refusals."""

import re
import subprocess
from collections import Counter

from .language import INT_ORDERS
from .registry import ACCESS
from .required import required
from .staged_plan import KINDS
from .sum_steps import KINDS as SUM_KINDS
from .tensor_steps import KINDS as TENSOR_KINDS
from .trial import CHANGES
from .view_steps import KINDS as VIEW_KINDS

OP = re.compile(r"^\s*(?:%[\w:#, %]+ = )?((?:arith|math|fsm|scf|func|ub)\.\w+)( <\w+>)?(.*)$")
TYPE = re.compile(r"!fsm\.ptr<(?:!fsm\.ptr<\w+>|\w+)>|tensor<(?:\d+x)+(\w+)>|"
                  r"(?<![\w%.#@])(i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E4M3FN|f8E5M2)\b(?![\w:(])")
POINTER = re.compile(r"!fsm\.ptr<(!?)(?:fsm\.ptr<)?(\w+)>")
# Ops whose type is that of the elements in memory, ops that hand several values on, ops of one type that is not written.
MEMORY = ("fsm.load", "fsm.store", "fsm.offset", "fsm.ptr_to_int", "fsm.int_to_ptr", "fsm.atomic_rmw", "fsm.atomic_cas",
          "fsm.descriptor")
CARRY = ("scf.yield", "scf.condition", "scf.while", "func.call", "fsm.yield", "fsm.print", "fsm.reduce_with", "fsm.scan_with")
FIXED = {"fsm.barrier": "", "fsm.return": "", "fsm.assume": "i1"}
PAIRED = ("arith.extsi", "arith.extui", "arith.trunci", "arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp",
          "arith.fptosi", "arith.fptoui", "arith.bitcast", "fsm.convert")
CONVERSION = re.compile(r"fsm\.(?:convert_layout|reshape) from \w+ to \w+, (nothing|registers|shuffles)")
# What a conversion through shared memory is written out as: the memory has a layout of its own.
EXCHANGE = re.compile(r"fsm\.shared_load %\w+ .*!fsm\.shared<[^>]*#")
# How computed accesses end, whatever they are computed by.
ENDS = ("offsets of i32", "offsets of i64", "mask", "no mask", *(f"mask by {order}" for order in INT_ORDERS))
PLAN_KINDS = ("nothing", "registers", "shuffles", "shared memory")
# How loads come to run ahead, as the compiled kernel holds it.
COPY = re.compile(r"fsm\.copy_async [^:]*? into %\w+\[%[\w#]+\]( mbarrier)?.*!fsm\.shared<\w+ slots (\d+)")
AHEAD_KINDS = ("async copy", "bulk copy", "register buffer", "indirect beside direct")


def types_in(text):
    """The element types of values that a text lists; a pointer is "ptr"."""
    return [match.group(1) or match.group(2) or "ptr" for match in TYPE.finditer(text)]


def cells_of_line(line):
    """The op of a line with the types that it works on: of its operand, or of what it chooses, accesses or hands on."""
    match = OP.match(line)
    if not match:
        return set()
    op, kind, rest = match.group(1), match.group(2) or "", match.group(3)
    if op in FIXED:
        return {(op, FIXED[op])}
    if op == "fsm.kernel":
        return {(op, e) for e in types_in(rest)}
    if op in ("scf.for", "scf.if"):
        return {(op, e) for e in types_in(rest.partition(" -> ")[2].rpartition(" : ")[0] if op == "scf.for"
                                          else rest.partition(" -> ")[2])}
    if op in ("fsm.program_id", "fsm.num_programs"):
        return {(op, "i32")}
    if op == "arith.constant" and " : " not in rest:
        return {(op, "i1")}
    if op in MEMORY:
        nested, pointee = POINTER.findall(rest)[-1 if op == "fsm.store" else 0]
        return {(op + kind, "ptr" if nested else pointee)}
    types = types_in(rest.partition(" : ")[2] if op == "scf.while" else rest[rest.rfind(" : "):])
    if op in CARRY:
        return {(op, e) for e in types}
    if op in PAIRED:
        return {(f"{op} to {types[-1]}", types[0])}
    return {(op + kind, types[-1] if op == "arith.select" else types[0])} if types else set()


def cells_of(text):
    cells = Counter()
    for line in text.splitlines():
        cells.update(cells_of_line(line))
    return cells


def ahead_of(text):
    """Which ways of loading ahead each compiled kernel has. A copy whose memory has fewer slots than another's of its loop
    begins later than that one, since its address is loaded first."""
    counts = Counter()
    for kernel in text.split("fsm.kernel ")[1:]:
        copies = {bulk for bulk, _ in COPY.findall(kernel)}
        slots = [{slots for _, slots in COPY.findall(loop)} for loop in re.split(r"scf\.for |scf\.yield", kernel)[1:]]
        found = ("" in copies, " mbarrier" in copies, '{fsm.buffer = #fsm.load_buffer<registers>' in kernel, any(len(s) > 1 for s in slots))
        counts.update(kind for kind, is_there in zip(AHEAD_KINDS, found) if is_there)
    return counts


def plans_of(program, texts, folder):
    """How the conversions between layouts that kernels come to hold are carried out, and how loads run ahead, as fsm-opt prints
    them."""
    path = folder / "plans.mlir"
    path.write_text("\n// -----\n".join(texts))
    done = subprocess.run([str(program), str(path), "--split-input-file", "--fsm-gpu-pipeline=stage=fsm",
                           "--fsm-print-layouts=max-elements=1"], capture_output=True, text=True, check=False,
                          errors="replace")
    path.unlink()
    exchanges = Counter({"shared memory": len(EXCHANGE.findall(done.stdout))})
    return Counter(CONVERSION.findall(done.stderr)) + exchanges + ahead_of(done.stdout)


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
        """Cells that the language has and that occurred less often."""
        cells = [(f"{op} {element}".strip(), self.cells[op, element]) for op, element in sorted(required())]
        cells += [(f"conversions by {kind}", self.plans[kind]) for kind in PLAN_KINDS]
        cells += [(f"kernels with {kind}", self.plans[kind]) for kind in AHEAD_KINDS]
        cells += [(f"loops in stages: {kind}", self.notes["stages", kind]) for kind in KINDS]
        cells += [(f"chains of views: {kind}", self.notes["views", kind]) for kind in VIEW_KINDS]
        cells += [(f"tiles of tensors by {kind}", self.notes["tensors", kind]) for kind in TENSOR_KINDS]
        cells += [(f"neighbours added to: {kind}", self.notes["sums", kind]) for kind in SUM_KINDS]
        cells += [("ends by one warp", self.notes["finish", "by one warp"])]
        cells += [(f"programs along {axis}", self.notes["grid", axis]) for axis in "xyz"]
        cells += [(f"runs with {change}", self.notes["way", change]) for change in CHANGES]
        cells += [(way, self.notes["access", way]) for way in sorted({cell.op for cell in ACCESS} | {*ENDS})]
        return sorted((count, name) for name, count in cells if count < least)

    def text(self):
        lines = ["op by element type:"]
        for op in sorted({op for op, _ in self.cells}):
            of = {element: count for (name, element), count in self.cells.items() if name == op}
            lines.append(f"  {op:24} " + " ".join(f"{e or 'all'}={n}" for e, n in sorted(of.items())))
        lines.append("conversions between layouts: " + ", ".join(f"{k}={self.plans[k]}" for k in PLAN_KINDS))
        lines.append("kernels whose loads run ahead: " + ", ".join(f"{k}={self.plans[k]}" for k in AHEAD_KINDS))
        for what, title in (("stages", "loops in stages"), ("views", "chains of views"), ("trips", "trips of loops"), ("repeats", "copies of what repeats"), ("mask", "masks"), ("way", "runs"),
                            ("access", "computed accesses"), ("promise", "stages promised of loops that store"), ("ahead", "found once for many"), ("far", "far rows and shared words"), ("tensors", "tiles of tensors"),
                            ("sums", "neighbours added to"), ("finish", "ends")):
            of = sorted((which, n) for (name, which), n in self.notes.items() if name == what)
            lines.append(f"{title}: " + ", ".join(f"{which}={n}" for which, n in of))
        share = 100 * self.refused / max(1, self.kernels)
        lines.append(f"refused in some way: {self.refused} of {self.kernels} kernels ({share:.2f} %)")
        return "\n".join(lines)
