"""The tables of mutants, and the copies of sources in which each is behind the run-time switch."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
TABLES = REPOSITORY / "test" / "Mutants" / "tables"
HEADER = REPOSITORY / "test" / "Mutants" / "Mutant.h"
OPEN, CLOSE = "@[", "]@"
REQUIRED = {"name": str, "of": str, "file": str, "code": str, "wrong": str, "some": bool, "breaks": str}
OPTIONAL = {"kind": str, "when": str, "type": str, "why_not": str}
KINDS = ("value", "effect", "statement")
# What has to have mutants as a whole, beside each pass and each analysis.
LAYERS = ("Engine", "IR", "Launcher", "Layout", "Target")


class TableError(Exception):
    """A table, or an entry of one, that is not right; the text names it."""


@dataclass(frozen=True)
class Mutant:
    """One planted bug: in `file`, the marked part of `code` becomes `wrong`."""
    name: str
    of: str  # the pass, analysis or layer that it breaks
    file: str
    code: str  # with marks around what is replaced
    wrong: str
    some: bool  # wrong for some shapes or types only
    breaks: str
    kind: str = "value"
    when: str = "true"  # where the sides of an effect or a statement differ
    type: str = ""  # of both sides, where theirs are not the same
    why_not: str = ""  # why no generic test can be asked to notice it

    def parts(self):
        """What stands in front of the marked part, the part, and what stands behind."""
        if self.code.count(OPEN) != 1 or self.code.count(CLOSE) != 1:
            raise TableError(f"mutant {self.name}: expected one part of its code between {OPEN} and {CLOSE}")
        before, rest = self.code.split(OPEN)
        return (before, *rest.split(CLOSE))

    def place(self, text):
        """Where the marked part begins and ends in the text of its file."""
        before, marked, after = self.parts()
        count = text.count(before + marked + after)
        if count != 1:
            raise TableError(f"mutant {self.name}: expected its code once in {self.file}, got {count} times")
        begin = text.index(before + marked + after) + len(before)
        return begin, begin + len(marked)

    def wrap(self, right):
        """The source of both sides behind the switch."""
        wrong = " ".join(self.wrong.split())
        when = f"[&] {{ return {self.when}; }}"
        if self.kind == "statement":
            return f'if (::fsm::mutants::statement("{self.name}", {when})) {{ {wrong} }} else {{ {right} }}'
        right, wrong = (f"{self.type}({side})" if self.type else side for side in (right, wrong))
        sides = f"[&] {{ return {right}; }}, [&] {{ return {wrong}; }})"
        if self.kind == "effect":
            return f'::fsm::mutants::effect("{self.name}", {when}, {sides}'
        return f'::fsm::mutants::value("{self.name}", {sides}'


def _mutant(entry, path):
    named = f"{path.name}: mutant {entry.get('name', '?')}"
    for key, kind in REQUIRED.items():
        if not isinstance(entry.get(key), kind):
            raise TableError(f"{named}: expected {key} as {kind.__name__}, got {entry.get(key)!r}")
    for key in entry.keys() - REQUIRED.keys() - OPTIONAL.keys():
        raise TableError(f"{named}: nothing is called {key}")
    mutant = Mutant(**entry)
    if mutant.kind not in KINDS:
        raise TableError(f"{named}: expected kind to be one of {', '.join(KINDS)}, got {mutant.kind}")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", mutant.name):
        raise TableError(f"{named}: expected a name of lower-case words joined by hyphens")
    return mutant


def read(folder=TABLES):
    """All mutants, in the order of the tables' names."""
    mutants = []
    for path in sorted(folder.glob("*.toml")):
        try:
            entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
        except tomllib.TOMLDecodeError as error:
            raise TableError(f"{path.name}: {error}") from error
        mutants += [_mutant(entry, path) for entry in entries]
    names = [mutant.name for mutant in mutants]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"mutant {name}: expected its name once, got it {names.count(name)} times")
    return mutants


def owners(repository=REPOSITORY):
    """What has to have two mutants at least: each pass, each analysis, and some layers as wholes."""
    names = list(LAYERS)
    for folder in ("Transforms", "Conversion", "Import"):
        for path in (repository / "include" / "fsm" / folder).glob("*Passes.td"):
            names += re.findall(r'^def \w+\s*: Pass<"([\w-]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    names += [path.stem for path in (repository / "include" / "fsm" / "Analysis").glob("*.h")]
    return sorted(set(names))


# How loosely an operator binds, the loosest first; what is not among them binds more tightly.
LOOSE = ("?", "||", "&&")


def _loosest(code):
    """The place in LOOSE of the operator that joins an expression's parts last."""
    for _ in range(code.count("(") + code.count("[") + code.count("{")):
        code = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "_", code)
    return min((place for place, operator in enumerate(LOOSE) if operator in code), default=len(LOOSE))


def is_torn(mutant):
    """Whether the right expression is no operand of what stands around it, so that a copy computes something else."""
    if mutant.kind == "statement" or mutant.code.count("@[") != 1:
        return False
    before, rest = mutant.code.split("@[")
    right, after = rest.split("]@")
    if re.match(r"\s*([<>/%?|^]|[=!]=|&&)", right):
        return True
    neighbours = [re.search(r"(\|\||&&|\?|[=!<>]=|[-+*/%&|^<>!])\s*$", before), re.match(r"\s*(\|\||&&|\?|[=!<>]=|[-+*/%&|^<>])", after)]
    tightness = [LOOSE.index(found[1]) if found[1] in LOOSE else len(LOOSE) for found in neighbours if found]
    return any(tight > _loosest(right) for tight in tightness)


MAKES_OP = re.compile(r"[\w:]+Op::create\(")


def makes_untyped_op(mutant):
    """Whether the right expression makes an op, whose type the wrong one does not have: its copy would not compile."""
    right = re.search(r"@\[(.*?)\]@", mutant.code, re.DOTALL)
    made, instead = (MAKES_OP.match(side) for side in (right[1] if right else "", mutant.wrong))
    return mutant.kind != "statement" and not mutant.type and bool(made) and (not instead or made[0] != instead[0])


def complaints(mutants, repository=REPOSITORY):
    """A sentence about each entry that does not fit its source, and each pass or analysis with too few."""
    found = []
    for mutant in mutants:
        try:
            mutant.place((repository / mutant.file).read_text(encoding="utf-8"))
        except (TableError, OSError) as error:
            found.append(str(error))
    for name in sorted({mutant.file for mutant in mutants}) if not found else ():
        try:
            copy_of(name, mutants, repository)
        except TableError as error:
            found.append(str(error))
    known = owners(repository)
    for mutant in mutants:
        if not mutant.file.endswith(".cpp"):
            found.append(f"mutant {mutant.name}: expected a source, of which a copy is compiled, got {mutant.file}")
        if is_torn(mutant):
            found.append(f"mutant {mutant.name}: expected an operand of what stands around it between @[ and ]@")
        if makes_untyped_op(mutant):
            found.append(f"mutant {mutant.name}: expected the type of both sides, one of which makes an op")
        if mutant.of not in known:
            found.append(f"mutant {mutant.name}: expected a pass, an analysis, "
                         f"{', '.join(LAYERS[:-1])} or {LAYERS[-1]}, got {mutant.of}")
    for name in known:
        if (count := sum(mutant.of == name for mutant in mutants)) < 2:
            found.append(f"expected at least 2 mutants of {name} in test/Mutants/tables, got {count}")
    return found


def _rendered(text, begin, end, edits):
    """The text between two places, with the edits (begin, end, mutant) that lie in it."""
    pieces, at = [], begin
    while edits:
        first, last, mutant = edits[0]
        inner = [edit for edit in edits[1:] if edit[0] < last]
        for edit in inner:
            if edit[1] > last:
                raise TableError(f"mutants {mutant.name} and {edit[2].name}: what they replace overlaps")
        pieces += [text[at:first], mutant.wrap(_rendered(text, first, last, inner))]
        at, edits = last, edits[1 + len(inner):]
    return "".join([*pieces, text[at:end]])


def mutated(text, mutants):
    """The text of a source with all its mutants behind the switch."""
    edits = sorted(((*mutant.place(text), mutant) for mutant in mutants), key=lambda edit: (edit[0], -edit[1]))
    return _rendered(text, 0, len(text), edits)


def copy_of(name, mutants, repository=REPOSITORY):
    """What stands in the build folder for the source `name`, whose lines keep their numbers."""
    text = (repository / name).read_text(encoding="utf-8")
    return f'#include "{HEADER}"\n#line 1 "{repository / name}"\n' + mutated(
        text, [mutant for mutant in mutants if mutant.file == name])
