"""Who may include whom. The levels are those of the architecture: a folder includes only folders below its number."""

from functools import lru_cache

from .cplusplus import includes
from .tree import Finding, line_of

LEVELS = {
    "Support": 0,
    "Artifact": 0,
    "Layout": 0,
    "Machine": 1,
    "IR": 2,
    "Analysis": 3,
    "Transforms": 4,
    "Conversion": 5,
    "Target": 6,
    "Source": 7,
    "Builder": 7,
    "Import": 7,
    "Compiler": 8,
    "Cache": 9,
    "Runtime": 9,
    "HostJit": 9,
    "Interpreter": 9,
    "Simulator": 9,
    "Launcher": 10,
    "Engine": 10,
    "CAPI": 11,
    "Bindings": 11,
    "Tools": 11,
}

# These run where there is no compiler.
ONLY_ARTIFACT = {"Runtime", "Simulator"}

# These know nothing of LLVM: they are built and tested in moments, and shipped without it.
PLAIN = {"Layout", "Artifact", "Builder", "Machine", "Simulator", "Runtime", "Launcher"}

# Whose interface a header of include/fsm-c is, where it is not that of CAPI.
C_HEADERS = {"fsm-compiled.h": "Support", "fsm-status.h": "Support", "fsm-runtime.h": "Launcher"}

SOURCES = (".h", ".cpp", ".c", ".inc", ".def")


def _folder(name):
    """The folder a source belongs to: `lib/X/...`, `include/fsm/X/...` or `fsm/X/...`; None for a top-level header."""
    for prefix in ("lib/", "include/fsm/", "fsm/"):
        if name.startswith(prefix):
            parts = name[len(prefix) :].split("/")
            return parts[0] if len(parts) > 1 else None
    if not name.startswith(("include/fsm-c/", "fsm-c/")):
        return None
    return C_HEADERS.get(name.rsplit("/", 1)[1], "CAPI")


def _sources(tree):
    return [name for name in tree.files(("lib/", "include/"), SOURCES) if _folder(name) is not None]


def _why_not(user, used):
    """Why one folder may not include another, or None if it may."""
    if used == user:
        return None
    if used not in LEVELS:
        return f"the folder {used} has no level in the architecture"
    if user in ONLY_ARTIFACT and used not in ("Artifact", "Support"):
        return f"{user} may include only Artifact and Support, not {used}"
    if used == "Support" or LEVELS[used] < LEVELS[user]:
        return None
    return f"{user} (level {LEVELS[user]}) may not include {used} (level {LEVELS[used]}): includes go to lower levels"


def folders_include_upwards(tree):
    """A folder includes only itself, Support, and folders of a lower level."""
    for name in _sources(tree):
        user, text = _folder(name), tree.text(name)
        if user not in LEVELS:
            yield Finding(name, 1, f"the folder {user} has no level in the architecture")
            continue
        for header, offset in includes(text):
            used = _folder(header)
            reason = used and _why_not(user, used)
            if reason:
                yield Finding(name, line_of(text, offset), reason)


def plain_folders_stay_plain(tree):
    """Layout, Artifact, Machine, Simulator, Runtime and Launcher include neither MLIR nor LLVM, not even through another header."""

    @lru_cache(maxsize=None)
    def reached(header):
        """The LLVM header that a header of ours leads to, or None."""
        if header.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/")):
            return header
        ours = "include/" + header
        if not tree.has(ours):
            return None
        return next(filter(None, (reached(inner) for inner, _ in includes(tree.text(ours)) if inner != header)), None)

    for name in _sources(tree):
        folder, text = _folder(name), tree.text(name)
        for header, offset in includes(text) if folder in PLAIN else ():
            found = reached(header)
            if found:
                through = "" if found == header else f" (through {header})"
                yield Finding(name, line_of(text, offset), f"{folder} is free of MLIR and LLVM, but includes {found}{through}")
