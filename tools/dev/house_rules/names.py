"""What files are called."""

import re
from pathlib import PurePosixPath

from .cplusplus import code_only
from .tree import Finding, line_of

VAGUE = re.compile(r"util|helper|common|misc", re.IGNORECASE)
SOURCES = (".cpp", ".h", ".c", ".py", ".td", ".cmake", ".sh")
# `struct FooBar : impl::FooBarPassBase<FooBar>` is where a pass is defined.
PASS_BASE = re.compile(r"\bimpl::(\w+?)(?:Pass)?Base\s*<")


def names_say_what(tree):
    """No file or folder is called util, helper, common or misc."""
    for name in tree.files(("include/", "lib/", "tools/", "test/", "examples/"), SOURCES):
        for part in PurePosixPath(name).parts:
            match = VAGUE.search(part)
            if match:
                yield Finding(name, 1, f"'{part}' says nothing: name it after what it defines, not '{match[0]}'")


def passes_are_named_as_files(tree):
    """A file of lib/Transforms that defines a pass is named as the pass."""
    for name in tree.files(("lib/Transforms/",), (".cpp",)):
        code, stem = code_only(tree.text(name)), PurePosixPath(name).stem
        for match in PASS_BASE.finditer(code):
            if match[1] != stem:
                yield Finding(name, line_of(code, match.start()), f"the pass {match[1]} belongs in {match[1]}.cpp")
