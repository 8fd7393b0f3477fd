"""What is counted and not forbidden: how often the tree says one thing in several places. Each function gives what it counts as
Findings, so that `check-house --counts=NAME` can show them; its docstring is the definition."""

import re
from pathlib import PurePosixPath

from .cplusplus import code_only
from .tree import Finding, line_of

PASSES = ("lib/Analysis/", "lib/Transforms/", "lib/Conversion/")
SOURCES = (".cpp", ".h")
GPU = "lib/Conversion/FSMToGPU/"

# The option that stands for all: from the command line of fsm-run to a pass.
OPTION = "strict"
OPTION_FOLDERS = ("lib/Tools/", "lib/Compiler/", "include/fsm/Tools/", "include/fsm/Compiler/")

_ASKED = re.compile(r"\b(?:isa|cast|dyn_cast|getDefiningOp)(?:_[a-z_]+)?\s*<([\w:\s,]+)>"
                    r"|\bCase<([\w:\s,]+)>|\bCase\(\[[^\]]*\]\(\s*([\w:]+)")
_CAST = re.compile(r"\b(?:isa|cast|dyn_cast)(?:_[a-z_]+)?\s*<([\w:\s,]+)>|\bCase<([\w:\s,]+)>|\bCase\(\[[^\]]*\]\(\s*([\w:]+)")
_OWN_OP = re.compile(r"^def FSM_(\w+Op)\b", re.MULTILINE)
_BARRIER = re.compile(r"(?:\.|->)(?:warpBarrier|barrier)\(")
_SUMS = {"arith::AddIOp", "arith::SubIOp"}
_BLOCKS = {"RangeOp", "SplatOp"}


def _own_ops(tree):
    return {name for file in tree.files(("include/fsm/IR/",), (".td",)) for name in _OWN_OP.findall(tree.text(file))}


def _classes(match):
    """The classes that a cast, or a case of a TypeSwitch, names."""
    listed = next(group for group in match.groups() if group)
    return {name.strip().removeprefix("fsm::") for name in listed.split(",")}


def casts(tree):
    """An isa, cast, dyn_cast or one of their kin, or a Case of a TypeSwitch, that names an op of the dialect; outside of lib/IR
    and lib/Interpreter."""
    own = _own_ops(tree)
    for name in tree.files(("lib/", "include/fsm/"), SOURCES):
        if name.startswith(("lib/IR/", "lib/Interpreter/", "include/fsm/IR/")):
            continue
        code = code_only(tree.text(name))
        for match in _CAST.finditer(code):
            if found := _classes(match) & own:
                yield Finding(name, line_of(code, match.start()), ", ".join(sorted(found)))


def barriers(tree):
    """A call of DeviceProgram's barrier or warpBarrier in the conversion to the GPU, but for those that lower fsm.barrier and
    fsm.shared_barrier."""
    for name in tree.files((GPU,), SOURCES):
        lines = code_only(tree.text(name)).splitlines()
        for number, line in enumerate(lines, 1):
            if _BARRIER.search(line) and not re.search(r"\b(?:Shared)?BarrierOp\b", " ".join(lines[max(0, number - 5) : number])):
                yield Finding(name, number, line.strip())


def shared_offsets(tree):
    """An op that the dialect lets carry fsm.shared_offset: one named in a statement of lib/IR, or in a row of a table there, that
    names the attribute."""
    own, seen = _own_ops(tree), set()
    for name in tree.files(("lib/IR/", "include/fsm/IR/"), (".cpp", ".h", ".def")):
        text = tree.text(name)
        for match in re.finditer(r"\bkSharedOffsetAttr\b|\"fsm\.shared_offset\"", text):
            statement = re.match(r"[^;]*?\n\s*\n|[^;]*;?" if name.endswith(".def") else r"[^;]*;?", text[match.start() :])[0]
            for op in re.findall(r"\b\w+Op\b", statement):
                if op in own - seen:
                    seen.add(op)
                    yield Finding(name, line_of(text, match.start()), op)


def walkers(tree):
    """A file of Analysis, Transforms or Conversion that takes offsets apart: it asks what is an integer sum (arith.addi or
    arith.subi), and what is a block of consecutive numbers or of one (fsm.range or fsm.splat). A file and those whose names begin
    with its name are one."""
    asked = {}
    for name in tree.files(PASSES, (".cpp",)):
        code = code_only(tree.text(name))
        asked[name] = set().union(*map(_classes, _ASKED.finditer(code)))
    families = {}
    for name in sorted(asked, key=lambda name: len(PurePosixPath(name).stem)):
        head = next((head for head in families if PurePosixPath(name).parent == PurePosixPath(head).parent
                     and PurePosixPath(name).stem.startswith(PurePosixPath(head).stem)), name)
        families.setdefault(head, set()).update(asked[name])
    for head, classes in sorted(families.items()):
        if classes & _SUMS and classes & _BLOCKS:
            yield Finding(head, 1, ", ".join(sorted(classes & (_SUMS | _BLOCKS))))


def _pieces(text):
    """Which top-level piece (function, type, table) each line is in: one begins behind an empty line, and at the margin."""
    piece, before = 0, ""
    for line in text.splitlines():
        if not before.strip() and re.match(r"[\w#]", line) and not re.match(r"(public|private|protected):", line):
            piece += 1
        before = line
        yield piece, line


def option_places(tree):
    """A top-level piece (function, type, table, or the text of --help) in the libraries of the tools and of the compiler, or in
    their headers, that names the option `strict`: what an option like it has to be written into."""
    for name in tree.files(OPTION_FOLDERS, (".cpp", ".h", ".def", ".inc")):
        last = None
        for number, (piece, line) in enumerate(_pieces(tree.text(name)), 1):
            if re.search(rf"\b{OPTION}\b", line) and not line.lstrip().startswith("//") and piece != last:
                last = piece
                yield Finding(name, number, line.strip())


def largest_folder(tree):
    """A file of the folder of lib that has the most files of its own, those of folders in it not counted."""
    folders = {}
    for name in tree.files(("lib/",)):
        folders.setdefault(PurePosixPath(name).parent, []).append(name)
    most = max(folders, key=lambda folder: (len(folders[folder]), str(folder)), default=None)
    for name in folders.get(most, ()):
        yield Finding(name, 1, str(most))


def lines(tree):
    """A line of a source or header under lib/Analysis, lib/Transforms or lib/Conversion."""
    for name in tree.files(PASSES, SOURCES):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            yield Finding(name, number, line)


# Name, title and function.
COUNTS = (
    ("casts", "casts over own ops outside IR and interpreter", casts),
    ("barriers", "barriers hidden in lowerings", barriers),
    ("shared-offsets", "op kinds that carry fsm.shared_offset", shared_offsets),
    ("walkers", "walkers of offsets", walkers),
    ("option-places", "places to edit for a new option", option_places),
    ("largest-folder", "files in the largest folder of lib", largest_folder),
    ("lines", "lines in lib/{Analysis,Transforms,Conversion}", lines),
)
