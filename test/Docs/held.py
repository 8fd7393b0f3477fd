#!/usr/bin/python3
"""Checks that each part of docs/language.md names a test that holds it.

Call: held.py PAGE.md

A part is a paragraph or an item of a list. A table is held by the paragraph behind it, a paragraph that leads to code
by what follows the code. Only the introduction and what is not there yet need no test.
"""

import re
import sys
from pathlib import Path

LINK_TO_TEST = re.compile(r"\]\(\.\./test/[^)]+\)")
FREE_SECTIONS = ("The block language", "Not there yet")


def sections(text):
    """Headings and what stands below each, code left out."""
    text = re.sub(r"^```.*?^```\n", "", text, flags=re.DOTALL | re.MULTILINE)
    words = re.split(r"^#+ (.+)\n", text, flags=re.MULTILINE)
    return list(zip(words[1::2], words[2::2]))


def parts(text):
    """Paragraphs, items and tables, in their order."""
    blocks = [block for block in re.split(r"\n\s*\n", text) if block.strip()]
    return [part for block in blocks for part in re.split(r"\n(?=- )", block.strip("\n"))]


def is_table(part):
    return part.startswith("|")


def faults(heading, text):
    found = parts(text)
    for part, behind in zip(found, [*found[1:], ""]):
        first = part.split("\n")[0]
        if is_table(part):
            if not behind or is_table(behind):
                yield f"{heading}: nothing stands behind the table '{first[:50]}'"
        elif not LINK_TO_TEST.search(part) and not (is_table(behind) or part.endswith(":")):
            yield f"{heading}: no test is named by '{first[:70]}'"


def main():
    found = sections(Path(sys.argv[1]).read_text(encoding="utf-8"))
    checked = [section for section in found if section[0] not in FREE_SECTIONS]
    sentences = [sentence for section in checked for sentence in faults(*section)]
    for sentence in sentences:
        print(sentence)
    count = sum(len(parts(text)) for _, text in checked)
    print(f"{count} parts, {len(sentences)} faults")
    return 1 if sentences or not count else 0


if __name__ == "__main__":
    sys.exit(main())
