"""What a pass does follows from its IR and its options."""

import re

from .cplusplus import code_only
from .tree import Finding, line_of

PURE = ("lib/Transforms/", "lib/Conversion/", "lib/Analysis/")
PURE_HEADERS = tuple(folder.replace("lib/", "include/fsm/") for folder in PURE)
HIDDEN_INPUT = re.compile(r"\bcl::(?:opt|list|bits)\b|\b(?:secure_)?getenv\b|\bGetEnv\b")


def passes_are_pure(tree):
    """No cl::opt and no getenv in Transforms, Conversion and Analysis."""
    for name in tree.files(PURE + PURE_HEADERS, (".cpp", ".h")):
        code = code_only(tree.text(name))
        for match in HIDDEN_INPUT.finditer(code):
            yield Finding(name, line_of(code, match.start()), f"'{match[0]}' hides an input: make it an option of the pass")
