"""Runs a kernel file with fsm-run on NumPy arrays of any element type of the language."""

import os
import pathlib
import sys
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Examples"))
import batch
from dealing import Dealer, asked_for
from guards import guard_of

# What one launch may take before it counts as hanging.
SECONDS = 60
# Of so many failures what they are is printed.
MOST_PRINTED = 20

# Storage type and conversion to float64 of each element type.
STORAGE = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64,
}


def requested_devices(arguments):
    """The devices of --devices=A,B, or of FSM_TEST_DEVICES, or cpu and interp."""
    given = [word.partition("=")[2] for word in arguments if word.startswith("--devices=")]
    text = given[-1] if given else os.environ.get("FSM_TEST_DEVICES") or "cpu,interp"
    for name in text.split(","):
        if name.split(":")[0] not in ("cpu", "interp", "cuda", "sim"):
            sys.exit(f"expected devices out of cpu, interp, cuda and sim, got '{name}'")
    return tuple(text.split(","))


DEVICES = requested_devices(sys.argv[1:])
# Numbers of CTAs of a program, of --num-ctas=2,4, which launches on GPUs have by their command lines.
CTAS = [int(count) for word in sys.argv[1:] if word.startswith("--num-ctas=")
        for count in word.partition("=")[2].split(",")]
# Launches on several CTAs repeat those on one: where cases are dealt, one in three has them.
HANDS = DEVICES + ("",) * (2 * bool(CTAS))


def dealt(cases, kind_of, more=()):
    """The place in the list, the case and the device of each run. With --deal the cases of a kind are dealt to the devices, and only
    the first of a kind with fewer of them is run on every device (test/Examples/dealing.py); the devices in `more` get two hands."""
    cases = list(cases)
    dealer, counts = Dealer(dealing=asked_for()), Counter(map(kind_of, cases))
    for place, case in enumerate(cases):
        for device in dict.fromkeys(dealer.devices(kind_of(case), HANDS + tuple(more), counts[kind_of(case)])):
            if device:
                yield place, case, device


def ctas_of(arguments):
    """The argument that spreads the programs of a launch over CTAs, if it is to be."""
    if not CTAS or not any(word.startswith(("--device=cuda", "--device=sim")) for word in arguments):
        return []
    # Names of files are others in each run.
    line = " ".join(word for word in arguments if "/" not in word)
    return [f"--num-ctas={CTAS[zlib.crc32(line.encode()) % len(CTAS)]}"]


def round_bf16(values):
    """float64 to bfloat16 bits, one rounding to nearest even."""
    values = np.asarray(values, np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        near = values.astype(np.float32)
        # Round to odd, so that the second rounding is the only one that counts.
        back = near.astype(np.float64)
        bits = near.view(np.uint32).copy()
        finite = np.isfinite(values)
        away = finite & (np.abs(back) > np.abs(values))
        bits[away] -= 1
        bits[finite & (back != values)] |= 1
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    rounded[np.isnan(values)] = 0x7FC0
    return rounded


def to_float64(array, kind):
    """Elements of a float type as float64."""
    if kind == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def from_float64(values, kind):
    """The nearest elements of a float type."""
    if kind == "bf16":
        return round_bf16(values)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(values, np.float64).astype(STORAGE[kind])


def ordered(array, kind):
    """Integers in the order of the floats, so that a difference counts ulps; both zeros are 0."""
    unsigned = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[array.dtype.itemsize]
    width = 8 * array.dtype.itemsize
    bits = array.view(unsigned).astype(object)
    sign = 1 << (width - 1)
    return np.array([-(b - sign) if b >= sign else b for b in bits.ravel()], object)


def ulps(got, expected, kind):
    """Per element, how many ulps apart; 0 where both are NaN, huge where one is."""
    g, e = to_float64(got, kind).ravel(), to_float64(expected, kind).ravel()
    distance = np.abs(ordered(got, kind) - ordered(expected, kind)).astype(np.float64)
    distance[np.isnan(g) & np.isnan(e)] = 0
    distance[np.isnan(g) != np.isnan(e)] = np.inf
    return distance


def run(fsm_run, source, device, kind, inputs, shape, folder, grid=1, scalars=(), kernel=None,
        parameters=None, num_warps=0):
    """Runs a kernel whose first argument is the output; returns the output array."""
    folder = pathlib.Path(folder)
    prefix = "bf16:" if kind == "bf16" else ""
    command = [str(source), f"--device={device}", f"--grid={grid}",
               f"--arg={kind}[{'x'.join(map(str, shape))}]", f"--out=0:{folder / 'out.npy'}"]
    if kernel:
        command.append(f"--kernel={kernel}")
    if num_warps:
        command.append(f"--num-warps={num_warps}")
    for index, array in enumerate(inputs):
        name = folder / f"in{index}.npy"
        np.save(name, array)
        command.append(f"--arg={prefix}@{name}")
    command += [f"--arg={scalar}" for scalar in scalars]
    for name, value in (parameters or {}).items():
        command += ["-D", f"{name}={value}"]
    perform(fsm_run, command)
    return np.load(folder / "out.npy")


def perform(fsm_run, arguments):
    """Performs a command line, on the CPU between guards; an error is a RuntimeError with the line."""
    arguments = [*arguments, *guard_of(arguments), *ctas_of(arguments)]
    done = batch.run([fsm_run], arguments, SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join([fsm_run, *arguments])}\nexit {done.returncode}: {done.stderr.strip()}")


def finish():
    """To be called at the end of a script: whether no process of FSM complained about its own end."""
    complaints = batch.finish()
    for text in complaints:
        print(f"FAIL {text}")
    return not complaints


def given(name, default):
    """What --name=... of the command line says, the last one; or the default."""
    words = [word.partition("=")[2] for word in sys.argv[1:] if word.startswith(f"--{name}=")]
    return words[-1] if words else default


def perform_all(cases, perform_one):
    """The exit code of a script that performs all of these cases with the fsm-run of its command line, on --jobs=N threads.
    `perform_one` is given the program and a case, and returns what is wrong, or nothing."""
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    cases, failures = list(cases), 0
    with ThreadPoolExecutor(int(given("jobs", 1))) as pool:
        for text in pool.map(lambda case: perform_one(fsm_run, case), cases):
            if not text:
                continue
            failures += 1
            if failures <= MOST_PRINTED:
                print(text, flush=True)
    print(f"{len(cases)} checks, {failures} failed")
    return 0 if finish() and cases and not failures else 1
