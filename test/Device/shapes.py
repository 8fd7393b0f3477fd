"""Transposes, joins and splits on every device, byte for byte: types x shapes x permutations x numbers of warps.

Usage: shapes.py FSM_RUN [--devices=A,B] [--jobs=N].
"""

import itertools
import math
import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, STORAGE, perform, perform_all

HERE = pathlib.Path(__file__).parent / "Inputs"
FILES = {"transpose": "transpose", "offsets": "transpose", "in_place": "in_place"}
TYPES = {"i1": np.bool_, **STORAGE, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}
# Types whose bits NumPy has no type for.
AS_BITS = ("bf16", "f8E4M3FN", "f8E5M2")
TRANSPOSES = (
    ((1, 7), (1, 0)), ((16, 64), (1, 0)), ((33, 7), (1, 0)), ((3, 100), (1, 0)), ((4, 8, 16), (0, 2, 1)),
    ((5, 4, 9), (2, 0, 1)), ((8, 3, 4), (1, 0, 2)), ((2, 3, 4, 5), (3, 1, 0, 2)), ((2, 4, 1, 8, 2), (4, 2, 3, 0, 1)),
    ((3, 2, 1, 5, 3), (1, 4, 0, 3, 2)), ((2,) * 10, (3, 1, 4, 0, 5, 9, 2, 6, 8, 7)),
    ((1, 2, 1, 3) + (1, 2) * 4 + (1,) * 12, tuple(reversed(range(24)))),
)
SQUARES = (((16, 16), (1, 0)), ((5, 5, 3), (1, 0, 2)), ((7, 3, 7), (2, 1, 0)))
PAIRS = ((1,), (64,), (37,), (8, 16), (5, 3), (3, 1, 7), (2, 3, 4, 5))
WARPS = (1, 2, 4, 8, 16)


def answer(kernel, data, shape, order):
    """The elements in row-major order."""
    if kernel in ("transpose", "in_place"):
        return data.reshape(shape).transpose(order).ravel()
    if kernel == "offsets":
        masked = data.copy()
        masked[3:4] = np.zeros(1, data.dtype)
        return masked.reshape(shape).transpose(order).ravel()
    if kernel == "join":
        return data.reshape(2, -1).T.ravel()
    if kernel == "split":
        return data.reshape(-1, 2).T.ravel()
    return data.reshape(-1, 2)[:, ::-1].ravel()


def check(fsm_run, case):
    """What is wrong, or nothing."""
    device, kind, kernel, shape, order, warps = case
    half = math.prod(shape)
    count = half if order else 2 * half
    random = np.random.default_rng(half)
    if kind == "i1":
        data = random.integers(0, 2, count).astype(bool)
    else:
        data = np.frombuffer(random.bytes(count * np.dtype(TYPES[kind]).itemsize), TYPES[kind])
    parameters = {"T": kind, "FROM": "x".join(map(str, shape)), "N": count}
    if order:
        parameters |= {"TO": "x".join(str(shape[dim]) for dim in order), "ORDER": ", ".join(map(str, order))}
    else:
        parameters |= {"HALF": half}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "in.npy", data)
        prefix = f"{kind}:" if kind in AS_BITS else ""
        arguments = [str(HERE / f"{FILES.get(kernel, 'pairs')}.mlir"), f"--kernel={kernel}", f"--device={device}",
                     "--grid=1", f"--arg={kind}[{count}]", f"--arg={prefix}@{folder / 'in.npy'}",
                     f"--out=0:{folder / 'out.npy'}"]
        arguments += [f"--num-warps={warps}"] if warps else []
        for key, value in parameters.items():
            arguments += ["-D", f"{key}={value}"]
        try:
            perform(fsm_run, arguments)
        except RuntimeError as error:
            return str(error)
        got = np.load(folder / "out.npy")
    wrong = int((got.view(np.uint8) != answer(kernel, data, shape, order).view(np.uint8)).sum())
    return f"{case}: {wrong} bytes wrong" if wrong else ""


def cases():
    """The numbers of warps take turns, so that each meets each type, shape and permutation."""
    turns = itertools.cycle(WARPS)
    moves = [("transpose", *move) for move in TRANSPOSES]
    moves += [(kernel, *move) for kernel in ("offsets", "in_place") for move in SQUARES]
    moves += [("offsets", *move) for move in TRANSPOSES[1:4]]
    moves += [(kernel, shape, None) for kernel in ("join", "split", "swap") for shape in PAIRS]
    for number, (kind, move) in enumerate(itertools.product(TYPES, moves)):
        for device in DEVICES:
            # Elements only move: what holds for a type holds for others of its width, so they share the moves.
            if kind in ("i1", "f32") or device == "interp" or number % 3 == DEVICES.index(device) % 3:
                yield device, kind, *move, next(turns) if device.startswith(("sim", "cuda")) else 0


def main():
    return perform_all(cases(), check)


if __name__ == "__main__":
    sys.exit(main())
