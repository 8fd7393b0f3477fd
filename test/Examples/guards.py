"""Where the arrays of a run on the CPU lie: they begin, or end, at a page that nobody may touch (fsm-run --guard)."""

import zlib

SIDES = ("begin", "end")


def guard_of(words):
    """The option for a command line, as a list; the sides by turns, the same in every run. Elsewhere than on the CPU bounds
    are checked, or hosts have nothing to say."""
    if "--device=cpu" not in words:
        return []
    # Names of files differ from run to run.
    text = " ".join(word for word in words if "/" not in word)
    return [f"--guard={SIDES[zlib.crc32(text.encode()) % 2]}"]
