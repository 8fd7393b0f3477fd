"""In what two codes of a kernel differ, and how many instructions each has."""

import collections
import re

# What a change is, by what is the same before and after; the first that holds.
KINDS = ("one refused", "said", "names", "order", "instructions")

SENTENCE = re.compile(r"(?:\S+:\d+: )?(?:error|warning|remark|note): ")
# Registers that a compiler numbers or chooses, and labels.
NAME = {"ptx": re.compile(r"%(?:p|rs|rd|rq|r|fd|f)\d+|\$L\w+"), "asm": re.compile(r"%\w+|\.L\w+")}
COMMENT = {"ptx": "//", "asm": "#"}

# The kind, and the number of instructions before and after.
Change = collections.namedtuple("Change", "kind before after")


def instructions(text, form):
    """The lines that begin with a tab are directives and instructions."""
    lines = (line.split(COMMENT[form])[0].split() for line in text.splitlines() if line.startswith("\t"))
    return [" ".join(words) for words in lines if words and not words[0].startswith(".")]


def sentences(text):
    return [line for line in text.splitlines() if SENTENCE.match(line)]


def change_between(before, after, form):
    """Of two texts that differ, the exit code in front, as `form` is: "ptx" or "asm"."""
    codes = [instructions(text, form) for text in (before, after)]
    plain = [[NAME[form].sub("", line) for line in code] for code in codes]
    if before.split("\n", 1)[0] != after.split("\n", 1)[0]:
        kind = "one refused"
    elif codes[0] == codes[1] and sentences(before) != sentences(after):
        kind = "said"
    elif plain[0] == plain[1]:
        kind = "names"
    elif sorted(plain[0]) == sorted(plain[1]):
        kind = "order"
    else:
        kind = "instructions"
    return Change(kind, *map(len, codes))


def family_of(name):
    """Of a kernel of the corpus: the first word, and of the conformance suite the op."""
    words = name.replace("/", " ").split()
    return " ".join(words[:2 if words[0] == "conformance" else 1])


def table(changes):
    """Lines, one for each family, form and kind, of triples of a kernel's name, a form and a change."""
    rows = collections.defaultdict(list)
    for name, form, change in changes:
        rows[family_of(name), form, KINDS.index(change.kind)].append(change)
    for (family, form, kind), found in sorted(rows.items()):
        line = f"{family}, {form}, {KINDS[kind]}: {len(found)}"
        if kind == KINDS.index("instructions"):
            counts = [sum(test) for test in zip(*((c.after < c.before, c.after == c.before, c.after > c.before) for c in found))]
            line += " ({} fewer, {} as many, {} more)".format(*counts)
        if kind:
            line += f", {sum(c.before for c in found)} instructions before, {sum(c.after for c in found)} after"
        yield line
