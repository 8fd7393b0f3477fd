"""Runs recorded kernels on the simulator and compares with what the GPU computed.

Call: replay.py FSM_RUN [FOLDER] [--spoil]

The simulator is the driver's library beside FSM_RUN. FOLDER is this one unless it is named. --spoil changes an element of
what was recorded by a little more than is allowed, or by a bit.
"""

import ctypes
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parents[2] / "tools" / "dev"))

from bench.driver import Driver, DriverError
from bench.recorded import PTX, launch


def arguments_of(case, about):
    """The arguments of a launch, in their order."""
    found = {int(path.stem[len("in"):]): np.load(path) for path in case.glob("in*.npy")}
    for position, fill in about["filled"].items():
        found[int(position)] = np.full(fill["count"], fill["value"], fill["type"])
    for position, value in about["scalars"].items():
        found[int(position)] = ctypes.c_float(value) if isinstance(value, float) else ctypes.c_int32(value)
    assert sorted(found) == list(range(len(found))), f"{case.name}: expected all arguments, got {sorted(found)}"
    return [found[position] for position in range(len(found))]


def differing(got, recorded, relative):
    """Which elements are not what the GPU computed."""
    bits = f"u{got.itemsize}"
    differ = got.view(bits) != recorded.view(bits)
    if relative:
        with np.errstate(invalid="ignore"):
            wide, expected = got.astype(np.float64), recorded.astype(np.float64)
            differ &= ~(np.abs(wide - expected) <= relative * np.abs(expected))
    return differ


def spoil(array, relative):
    """Changes the element of the largest magnitude."""
    at = np.nanargmax(np.abs(array.astype(np.float64)))
    if relative:
        array[at] *= 1 + 2 * relative
    else:
        array.view(f"u{array.itemsize}")[at] ^= 1


def replay(driver, case, spoiled):
    """What differs, a sentence for each argument."""
    about = json.loads((case / "launch.json").read_text())
    ptx = (PTX / about["file"] if about["file"] else case / "kernel.ptx").read_text()
    arguments = arguments_of(case, about)
    results = launch(driver, ptx, about["kernel"], about["grid"], about["block"], about["shared_bytes"], arguments)
    written, sentences = 0, []
    for position, got in results.items():
        path = case / f"out{position}.npy"
        recorded = np.load(path) if path.exists() else arguments[position]
        written += path.exists()
        if spoiled and path.exists():
            spoil(recorded, about["relative"])
        differ = differing(got, recorded, about["relative"])
        if differ.any():
            at = np.flatnonzero(differ)[0]
            sentences.append(f"{case.name}: argument {position}: {differ.sum()} of {got.size} elements differ, the first at "
                             f"{at}: {recorded[at]!r} was recorded, the simulator has {got[at]!r}")
    return sentences or ([] if written else [f"{case.name}: expected an array that the launch changed"])


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    library = Path(words[0]).resolve().parents[1] / "lib" / "libfsm-simulator.so"
    folder = Path(words[1]) if len(words) > 1 else HERE
    cases, wrong = sorted(path.parent for path in folder.glob("*/launch.json")), 0
    for case in cases:
        try:
            # A driver of its own, so that nothing of a kernel that fails is left.
            sentences = replay(Driver(str(library)), case, "--spoil" in sys.argv)
        except DriverError as error:
            sentences = [f"{case.name}: {error}"]
        wrong += bool(sentences)
        for sentence in sentences:
            print(sentence)
    print(f"{len(cases)} kernels replayed, {wrong} differ")
    return 0 if cases and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
