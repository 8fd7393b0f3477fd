"""Deals cases to devices, so that a run on all of them costs little more than one on each.

The first case of each kind goes to every device, and each further one to a single device: they take turns, so that over the kinds
each device meets every place of a kind's list. What a case meets is the same in every run.
"""

import sys
import zlib

FLAG = "--deal"


class Dealer:
    """Says of one case after the other which devices have it; without `dealing` all have every case."""

    def __init__(self, name="", dealing=True):
        self.name, self.dealing, self.kinds = name, dealing, {}

    def devices(self, kind, devices):
        """Those of the next case of a kind out of those that could run it."""
        number, place = self.kinds.get(kind, (len(self.kinds), 0))
        self.kinds[kind] = number, place + 1
        if not self.dealing or place == 0 or not devices:
            return tuple(devices)
        # Of as many kinds in a row as there are devices each has another; where these begin is by chance.
        start = zlib.crc32(f"{self.name} {number // len(devices)}".encode())
        return (devices[(start + number + place) % len(devices)],)


def asked_for(words=None):
    """Whether a command line has the flag."""
    return FLAG in (sys.argv[1:] if words is None else words)
