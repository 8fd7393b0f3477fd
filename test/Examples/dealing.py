"""Deals cases to devices, so that a run on all of them costs little more than one on each.

The first case of each kind goes to every device, and each further one to a single device: they take turns, so that over the kinds
each device meets every place of a kind's list. Of a kind with as many cases as devices that is not needed for each device to
meet it, and who says how many there are has the first one on a single device as well. What a case meets is the same in every run.
"""

import sys
import zlib

FLAG = "--deal"


class Dealer:
    """Says of one case after the other which devices have it; without `dealing` all have every case."""

    def __init__(self, name="", dealing=True):
        self.name, self.dealing, self.kinds = name, dealing, {}

    def devices(self, kind, devices, cases=0):
        """Those of the next case of a kind out of those that could run it. Where the kind is known to have `cases` that are enough
        for all devices, its first one has a single device, too: the kind meets each of them all the same."""
        number, place = self.kinds.get(kind, (len(self.kinds), 0))
        self.kinds[kind] = number, place + 1
        if not self.dealing or not devices or (place == 0 and cases < len(devices)):
            return tuple(devices)
        # Of as many kinds in a row as there are devices each has another; where these begin is by chance.
        start = zlib.crc32(f"{self.name} {number // len(devices)}".encode())
        return (devices[(start + number + place) % len(devices)],)


def asked_for(words=None):
    """Whether a command line has the flag."""
    return FLAG in (sys.argv[1:] if words is None else words)
