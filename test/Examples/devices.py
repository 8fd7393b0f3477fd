"""Which devices the cases run on.

A case names a device: "cpu" for what runs on anything that compiles, "interp" for the small ones that the interpreter
can do in time, "sim" for one that is simulated however large it is. The devices asked for come from --devices=A,B or from the environment variable FSM_TEST_DEVICES.
"""

import os
from dataclasses import replace

DEFAULT = "cpu,interp"
VARIABLE = "FSM_TEST_DEVICES"
KNOWN = ("cpu", "interp", "cuda", "sim")

# The simulator executes some ten million thread instructions a second.
LARGEST_SIMULATED = 20_000

# These know where a buffer ends; on the CPU a page lies there that nobody may touch.
CHECKS_BOUNDS = ("cpu", "interp", "sim")


def devices_of(text=None):
    """The devices of a list such as "cpu,sim"; without a list those of the environment, or the default."""
    names = (text or os.environ.get(VARIABLE) or DEFAULT).split(",")
    for name in names:
        if name.split(":")[0] not in KNOWN:
            raise ValueError(f"expected devices out of {', '.join(KNOWN)}, got '{name}'")
    return tuple(dict.fromkeys(names))


def on_devices(cases, devices, dealer=None):
    """The cases on the devices asked for, in the order of the cases; with a dealer only the first of an element type on all of
    those that can have it."""
    chosen = []
    for case in cases:
        if case.device in ("interp", "sim"):
            chosen += [case] if case.device in devices else []
            continue
        able = [device for device in devices
                if device != "interp" and (device != "sim" or case.rows * case.cols <= LARGEST_SIMULATED)]
        for device in dealer.devices(case.type, able) if dealer else able:
            chosen.append(case if device == case.device else replace(case, device=device))
    return chosen
