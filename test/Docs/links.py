#!/usr/bin/python3
"""Checks what the pages of docs/, and those outside it that a newcomer reads, point to.

Call: links.py SOURCE-TREE

A relative link leads to a file or folder of the tree, and its anchor to a heading. A link to a unit test, such as
[`Reduce.IntegerSumWraps`](../test/Unit/Interpreter/ReduceTest.cpp), names a test of that file; `@kernel`
in the text of a link is a kernel or a function of its file.
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\[(?P<text>[^][]*)\]\((?P<target>[^()\s]+)\)")
UNIT_TEST = re.compile(r"`(\w+)\.(\w+)`")
SYMBOL = re.compile(r"`@(\w+)`")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def anchors(text):
    """What a heading is called in a link, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def complaint(page, text, target):
    """What is wrong with one link, or None."""
    if re.match(r"https?:", target):
        return None
    path, _, anchor = target.partition("#")
    file = page.parent / path if path else page
    if not file.exists():
        return "leads nowhere"
    if anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
        return f"there is no heading #{anchor}"
    test = UNIT_TEST.fullmatch(text)
    if test and file.suffix == ".cpp":
        suite, name = test.groups()
        if not re.search(rf"\bTEST(?:_[FP])?\(\s*{suite},\s*{name}\s*\)", file.read_text(encoding="utf-8")):
            return f"the file has no test {suite}.{name}"
    for name in SYMBOL.findall(text):
        if not re.search(rf"@{name}\b", file.read_text(encoding="utf-8")):
            return f"the file has no @{name}"
    return None


def main():
    tree = Path(sys.argv[1]).resolve()
    links, failed = 0, 0
    for page in sorted([*tree.glob("*.md"), *(tree / "docs").rglob("*.md"), *(tree / "examples").rglob("*.md")]):
        text = FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), page.read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            links += 1
            sentence = complaint(page, match["text"], match["target"])
            if sentence:
                line = text.count("\n", 0, match.start()) + 1
                print(f"{page.relative_to(tree)}:{line}: {match['target']}: {sentence}")
                failed += 1
    print(f"{links} links, {failed} faults")
    return 1 if failed or not links else 0


if __name__ == "__main__":
    sys.exit(main())
