#!/usr/bin/python3
"""What dealing.py promises: every kind meets every device, every place of the kinds' lists too, and nothing is left out.

Call: deals.py
"""

import sys
from collections import defaultdict

sys.dont_write_bytecode = True

from dealing import Dealer

DEVICES = ("interp", "cpu", "sim")
# Kinds with as many cases as launches of a cell have in the conformance suite, and fewer and more kinds than devices.
KINDS, CASES = (3, 4, 61), (1, 2, 3, 5, 24)


def faults():
    """Where nobody says how many cases a kind has, and where that is said."""
    made = 0
    for said in (False, True):
        made_so = yield from faults_of(said)
        made += made_so
    print(f"{made} cases dealt")
    if not made:
        yield "nothing was dealt"


def faults_of(said):
    made = 0
    for kinds in KINDS:
        for cases in CASES:
            of_all = not said or cases < len(DEVICES)
            dealer, again, whole = Dealer("name"), Dealer("name"), Dealer("name", dealing=False)
            of_place = defaultdict(list)
            for kind in range(kinds):
                met = set()
                for place in range(cases):
                    given, made = dealer.devices(kind, DEVICES, cases if said else 0), made + 1
                    met.update(given)
                    of_place[place].append(given)
                    if given != again.devices(kind, DEVICES, cases if said else 0):
                        yield f"kind {kind}, case {place}: another device in another run"
                    if len(given) != (1 if place or not of_all else len(DEVICES)):
                        yield f"kind {kind}, case {place}: {given}"
                    if whole.devices(kind, DEVICES) != DEVICES:
                        yield f"kind {kind}, case {place}: not whole"
                if met != set(DEVICES):
                    yield f"kind {kind} of {cases} cases meets {met}"
            for place, given in of_place.items():
                counts = [sum(device in devices for devices in given) for device in DEVICES]
                if min(counts) < len(given) // len(DEVICES):
                    yield f"{kinds} kinds, case {place}: {counts} of {DEVICES}"
    return made


if __name__ == "__main__":
    complaints = list(faults())
    print("\n".join(complaints))
    sys.exit(bool(complaints))
