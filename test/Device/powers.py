"""Powers of f32 against NumPy's in long double: any bits, bases near 1, large exponents, negative bases, and all pairs of what is
special.

Usage: powers.py FSM_RUN [--devices=A,B] [--jobs=N].
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, perform, perform_all

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "powers.mlir"
PART = 2048
SPECIAL = (0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 2, -2, 0.5, -0.5, 3, -3, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38, 1.0000001,
           0.99999994, 1e9, -1e9, 1.5, 2.5)
# Ulps.
MOST = 1.0


def pairs():
    """Bases and exponents."""
    generator = np.random.default_rng(5)

    def bits():
        return generator.integers(0, 1 << 32, PART, dtype=np.uint64).astype(np.uint32).view(np.float32)
    special = np.array(np.meshgrid(SPECIAL, SPECIAL)).reshape(2, -1)
    parts = [(bits(), bits()), (np.abs(bits()), generator.uniform(-4, 4, PART)),
             (1 + generator.uniform(-1e-3, 1e-3, PART), generator.uniform(-9e4, 9e4, PART)),
             (generator.uniform(0, 4, PART), generator.uniform(-60, 60, PART)),
             (-generator.uniform(0, 9, PART), generator.integers(-40, 40, PART)),
             (1 + generator.integers(-4, 5, PART) * 2.0**-24, 10.0 ** generator.uniform(-5, 9, PART)),
             (np.resize(special[0], PART), np.resize(special[1], PART))]
    with np.errstate(over="ignore"):
        return [np.concatenate([np.asarray(part[side], np.float32) for part in parts]) for side in (0, 1)]


def perform_one(fsm_run, device):
    x, y = pairs()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", y)
        perform(fsm_run, [str(SOURCE), f"--device={device}", f"--grid={x.size // 1024}", f"--arg=f32[{x.size}]",
                          f"--arg=@{folder}/x.npy", f"--arg=@{folder}/y.npy", f"--out=0:{folder}/out.npy"])
        out = np.load(folder / "out.npy")
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
        nearest = exact.astype(np.float32)
        is_number = np.isfinite(nearest) & np.isfinite(out) & (nearest != 0)
        ulps = np.abs(out - exact) / np.spacing(np.abs(nearest)).astype(np.longdouble)
        same = (out == nearest) & (np.signbit(out) == np.signbit(nearest)) | np.isnan(out) & np.isnan(nearest)
    wrong = np.flatnonzero(np.where(is_number, ulps > MOST, ~same))
    if not wrong.size:
        return ""
    at = wrong[0]
    return f"{device}: {wrong.size} wrong, first {x[at]!r} ** {y[at]!r}: got {out[at]!r}, expected {nearest[at]!r}"


if __name__ == "__main__":
    sys.exit(perform_all([(device,) for device in DEVICES], lambda fsm_run, case: perform_one(fsm_run, *case)))
