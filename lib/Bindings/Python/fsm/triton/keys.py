"""What keys of Triton's caches say of Triton itself.

Triton reads all of itself for them in each process, 400 MB, which takes longer than to compile a kernel. While FSM compiles,
Triton's library is named by the number that the linker gave it, a hash of all that is in it; its Python files are read as before.
"""

import functools
import hashlib
import pathlib

import triton
from triton._C import libtriton
from triton.runtime import cache

from .._library import build_id

# The folders whose files Triton's own function reads.
_SOURCES = ("compiler", "backends", "language")


def key_of(root, library):
    """Names what is in the folder of a Triton and its library; None if the linker gave it no number."""
    number = build_id(library)
    if number is None:
        return None
    contents = hashlib.sha256()
    for file in [root / "runtime" / "cache.py", *sorted(file for name in _SOURCES for file in (root / name).rglob("*.py"))]:
        text = file.read_bytes()
        contents.update(f"{file.relative_to(root)} {len(text)}\n".encode() + text)
    return f"{number}-{contents.hexdigest()}"


@functools.lru_cache()
def key():
    """Names this Triton, or is None as key_of."""
    named = key_of(pathlib.Path(triton.__file__).parent, libtriton.__file__)
    return named and f"{triton.__version__}-{named}"


def install():
    """Puts the key in place of Triton's; what undoes it."""
    before = cache.triton_key
    if key() is not None:
        cache.triton_key = key

    def undo():
        cache.triton_key = before

    return undo
