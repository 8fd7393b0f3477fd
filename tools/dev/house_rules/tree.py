"""The source tree that the rules look at, and what they report."""

import subprocess
from collections import namedtuple
from pathlib import Path, PurePosixPath

Finding = namedtuple("Finding", "path line sentence")

# What a tree that is no git checkout may hold besides sources.
NOT_SOURCE = {".git", ".cache", "__pycache__", "build", "dist"}


def _git_files(root):
    """What git knows or would add, or None where `root` is not the top of a checkout."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if not (root / ".git").exists():
        return None
    try:
        listing = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in listing.decode().split("\0") if name]


class Tree:
    """The text files of a source tree, by their paths relative to its root (with forward slashes)."""

    def __init__(self, root):
        self.root = root
        names = _git_files(root)
        if names is None:
            names = [path.relative_to(root).as_posix() for path in root.rglob("*")]
        self._texts = {}
        for name in sorted(set(names)):
            path = root / name
            if NOT_SOURCE.isdisjoint(PurePosixPath(name).parts) and path.is_file() and not path.is_symlink():
                self._read(name, path)

    def _read(self, name, path):
        try:
            self._texts[name] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            pass  # a binary file, to which no rule applies

    def files(self, folders=("",), suffixes=("",)):
        """The names of the files under one of some folders that end in one of some suffixes."""
        return [name for name in self._texts if name.startswith(tuple(folders)) and name.endswith(tuple(suffixes))]

    def has(self, name):
        return name in self._texts

    def text(self, name):
        return self._texts[name]

    def is_script(self, name):
        """Whether a file is run by a shell or an interpreter rather than compiled or read."""
        return name.startswith((".ci/", "tools/dev/")) or self._texts[name].startswith("#!")

    def is_python(self, name):
        return name.endswith(".py") or self._texts[name].startswith("#!/usr/bin/python3")


def line_of(text, offset):
    """The number of the line that holds a character."""
    return text.count("\n", 0, offset) + 1


def shorten(text, width=60):
    return text if len(text) <= width else text[: width - 3] + "..."
