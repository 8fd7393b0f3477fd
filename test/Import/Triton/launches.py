"""Kernels of Triton on every device against NumPy: the files of Inputs, which write_ttir.py makes of kernels.py.

Usage: launches.py FSM_RUN [--devices=A,B].
"""

import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "Device"))
from device import DEVICES, finish, perform

RANDOM = np.random.default_rng(7)
F32, F16, I32 = np.float32, np.float16, np.int32


def floats(*shape, dtype=F32):
    return RANDOM.standard_normal(shape).astype(dtype)


def integers(*shape, most=10, dtype=I32):
    return RANDOM.integers(0, most, shape).astype(dtype)


def zeros(*shape, dtype=F32):
    return np.zeros(shape, dtype)


def e5m2(numbers):
    """The bits of an f8E5M2 are the upper ones of an f16; numbers that have no others."""
    return (np.asarray(numbers, F16).view(np.uint16) >> 8).astype(np.uint8)


def from_e5m2(bits):
    return (bits.astype(np.uint16) << 8).view(F16).astype(np.float64)


def rounded_to_e5m2(numbers):
    """f32 to the nearest f8E5M2, ties to even."""
    candidates = np.arange(256, dtype=np.uint8)
    values = from_e5m2(candidates)
    known = np.isfinite(values)
    candidates, values = candidates[known], values[known]
    nearest = []
    for number in numbers.astype(np.float64):
        distance = np.abs(values - number)
        best = np.flatnonzero(distance == distance.min())
        nearest.append(min((candidates[i] for i in best), key=lambda c: (c & 1, c)))
    return np.array(nearest, np.uint8)


# A case is a launch: its grid, its arguments, and what each array must hold behind it, by the number of the argument.
# Arrays of types that NumPy lacks say them in front.


def vector_add():
    x, y = floats(300), floats(300)
    return 3, [x, y, zeros(300), 300], {2: x + y}


def programs():
    z, y, x = np.meshgrid(np.arange(2), np.arange(3), np.arange(4), indexing="ij")
    return "4,3,2", [zeros(24, dtype=I32)], {0: (x + 10 * y + 100 * z + 2000).ravel()}


def shapes():
    x = floats(8, 16)
    turned = x.T.reshape(8, 16)
    return 1, [x, zeros(256)], {1: np.concatenate([(x + np.arange(16, dtype=F32)).ravel(), turned.ravel()])}


def cube():
    x = floats(4, 2, 8)
    return 1, [x, zeros(64)], {1: x.transpose(2, 0, 1).ravel()}


def bits():
    flags, x = integers(64, most=2, dtype=bool), floats(64)
    return 1, [flags, x, zeros(64, dtype=bool), zeros(64, dtype=I32)], {2: flags & (x > 0), 3: x.view(I32)}


def reductions():
    x = floats(8, 32)
    outs = [zeros(8), zeros(32), zeros(8, dtype=I32), zeros(8), zeros(8), zeros(1)]
    return 1, [x, *outs], {1: x.sum(1, dtype=np.float64), 2: x.max(0), 3: x.argmin(1), 4: x.min(1), 5: x.max(1),
                           6: np.abs(x).sum(dtype=np.float64)}


def scans():
    x, factor = floats(64), RANDOM.uniform(0.5, 1, 64).astype(F32)
    states, state = [], 0.0
    for value, by in zip(x.astype(np.float64), factor.astype(np.float64)):
        state = value + by * state
        states.append(state)
    wide = x.astype(np.float64)
    return 1, [x, factor, zeros(64), zeros(64), zeros(64)], {
        2: wide.cumsum(), 3: wide[::-1].cumsum()[::-1], 4: states}


def product():
    x, y = floats(16, 16, dtype=F16), floats(16, 32, dtype=F16)
    return 1, [x, y, zeros(16, 32, dtype=F16)], {2: x.astype(np.float64) @ y.astype(np.float64)}


def scaled_product():
    table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])
    packed, y = integers(16, 32, most=256, dtype=np.uint8), e5m2(integers(64, 16, most=5) - 2)
    x = np.stack([table[packed & 15], table[packed >> 4]], -1).reshape(16, 64)
    xs, ys = 120 + integers(16, 2, dtype=np.uint8), 120 + integers(16, 2, dtype=np.uint8)
    xs[3, 1] = 255
    scale = lambda s: np.where(s == 255, np.nan, 2.0 ** (s.astype(np.float64) - 127)).repeat(32, 1)
    answer = (x * scale(xs)) @ (from_e5m2(y) * scale(ys).T)
    return 1, [packed.view(np.int8), xs.view(np.int8), ("f8E5M2", y), ys.view(np.int8), zeros(16, 16)], {4: answer}


def atomics():
    x = integers(64)
    total = np.array([x[:63][np.arange(63) % 4 == k].sum() for k in range(4)])
    outs = [zeros(4, dtype=I32), zeros(1, dtype=I32), zeros(64, dtype=I32), zeros(2, dtype=I32)]
    return 1, [x, *outs], {1: total, 2: [x.max()], 3: np.ones(64), 4: [7, 9]}


def float_atomics():
    x = integers(64).astype(F32)
    return 1, [x, zeros(2)], {1: [x[::2].sum(), x[1::2].sum()]}


def casts():
    x = floats(64)
    eight = rounded_to_e5m2(x)
    near = x.astype(F16)
    cut = np.where(np.abs(near.astype(F32)) > np.abs(x), np.nextafter(near, F16(0)), near)
    return 1, [x, ("f8E5M2", zeros(64, dtype=np.uint8)), zeros(64), zeros(64, dtype=F16)], {
        1: eight, 2: from_e5m2(eight), 3: cut}


def arithmetic():
    x, y, words = floats(64), floats(64), integers(64, most=2**32, dtype=np.uint32)
    high = (words.astype(np.uint64) * (words + np.uint32(12345)).astype(np.uint64)) >> np.uint64(32)
    outs = [zeros(64), zeros(64), zeros(64), zeros(64, dtype=I32), zeros(64)]
    return 1, [x, y, words.view(I32), *outs], {
        3: x.clip(-0.5, 0.5), 4: np.sqrt(np.abs(x)), 5: x / y, 6: high.astype(np.uint32).view(I32),
        7: np.arcsin(x.astype(np.float64).clip(-1, 1))}


def functions():
    x = floats(32)
    x[:4] = np.inf, -np.inf, np.nan, -1
    counts = integers(32, most=9) - 4
    counts[3] = 2**24 + 1
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        made = [wide ** counts, 10 ** wide, np.nan_to_num(wide, nan=0).clip(0, 1), 1 / wide,
                (x * x + F32(1)).astype(F32), np.exp(wide), wide ** 5, wide ** -2.0]
    numbers = [np.isfinite(x), np.isinf(x), np.isnan(x), x.view(I32), np.floor(counts / 4)]
    return 1, [x, counts, zeros(8, 32), zeros(5, 32, dtype=I32), zeros(32, dtype=np.int64)], {
        2: np.array(made), 3: np.array(numbers, I32), 4: np.rint(counts / 4)}


def lookups():
    x, index = floats(64), integers(64, most=64)
    return 1, [x, index, zeros(64), zeros(16, dtype=I32)], {
        2: x[index], 3: np.bincount(index[index > 3] % 16, minlength=16)}


def addresses():
    x, y, choice = floats(40), floats(80), integers(32, most=2)
    at = np.arange(32)
    return 1, [x, y, choice, zeros(32)], {3: np.where(choice > 0, x[at + 1], y[2 * at + 1])}


def one_base(n):
    x, choice, at = floats(128), integers(32, most=2), np.arange(32)
    return 1, [x, choice, zeros(32), n], {2: x[np.where(choice > 0, 0, n) + at + (n if n > 8 else at)]}


def moving():
    x, at, answer = floats(256), np.arange(32), np.zeros(32)
    for step in range(6):
        answer += x[at + 3 * step] + 2 * x[at + step * at] + 4.0 * x[step]
    return 1, [x, zeros(32), 6, 3], {1: answer}


def swapped():
    x, y = floats(32), floats(32)
    return 1, [x, y, zeros(32), 3], {2: 5 * x.astype(np.float64) + 2 * y}


def table():
    x = floats(4, 32)
    return 1, [x, zeros(4, dtype=np.int64), zeros(36)], {2: np.concatenate([x[1], x[:, 1]])}


def early():
    out = np.zeros(32, I32)
    for pid in range(16):
        if pid > 5 and pid > 9:
            continue
        out[pid] = 1 if pid > 5 else 2
        if pid != 1:
            out[16 + pid] = 3
    return 16, [zeros(32, dtype=I32), 5, 9], {0: out}


def ways():
    """Of a file by hand: branches of a frontend go two ways, each choice by itself."""
    return 6, [zeros(6, dtype=I32)], {0: [7, 10, 20, 7, 40, 7]}


def collatz():
    def steps(number):
        return 0 if number == 1 else 1 + steps(number // 2 if number % 2 == 0 else 3 * number + 1)

    start = np.arange(1, 13, dtype=I32)
    return 12, [start, zeros(12, dtype=I32)], {1: [steps(n) for n in start]}


def helper(factor):
    x = floats(32)
    return 1, [x, zeros(32), factor], {1: x.astype(np.float64) * (factor if factor > 2 else 1) + 1}


def hinted():
    x = floats(64)
    return 1, [x, zeros(64)], {1: x}


def promised():
    x, at = floats(304), 36 * np.arange(2)[:, None] + np.arange(256)
    return 1, [x, zeros(512), 36], {1: sum(x[at + 4 * i] for i in range(3)).ravel()}


def far():
    x = floats(64)
    return 1, [x, zeros(32)], {1: x[::2]}


def nans():
    x = floats(32)
    x[5] = np.nan
    return 1, [x, zeros(1), zeros(1), zeros(32)], {1: [np.nanmax(x)], 2: [np.nan], 3: x.clip(-1, 1)}


def mapped():
    x, y = integers(64, most=4), integers(64, most=4)
    return 1, [x, y, zeros(64, dtype=I32), zeros(64, dtype=I32)], {
        2: np.sign(x - y), 3: np.where(x < y, x, np.where(x == y, x + 100, y))}


def packed():
    x, y, which = integers(64, most=100), 1 + integers(64, most=9), np.arange(64, dtype=I32) % 4
    return 1, [x, y, zeros(64, dtype=I32), zeros(64, dtype=I32)], {2: x // y + 1000 * which, 3: x % y}


def inlined():
    x, y = (integers(64, most=2**32, dtype=np.uint32).view(I32) for _ in "xy")
    bytes_, at = integers(64, most=256, dtype=np.uint8), np.arange(64)
    turned = (y.view(np.uint32).astype(np.uint64) << np.uint64(32)) | x.view(np.uint32)
    turned = (turned << (at % 32).astype(np.uint64)) >> np.uint64(32)
    larger = np.maximum(x, y).view(np.uint32).astype(np.uint64)
    moved = np.where(x % 64 > 31, 0, larger << (x % 64).astype(np.uint64)).astype(np.uint32)
    low = (y - 3 * x) >> 2
    numbers = bytes_.astype(F32)
    numbers[0::4] = 2 * numbers[0::4] + 1
    numbers[1::4] = bytes_[1::4].view(np.int8)
    outs = [zeros(64, dtype=I32), zeros(64, dtype=I32), zeros(64, dtype=I32), zeros(64, dtype=np.int8), zeros(64),
            zeros(64, dtype=F16)]
    return 1, [x, y, bytes_.view(np.int8), *outs], {
        3: turned.astype(np.uint32).view(I32), 4: moved.view(I32), 5: low, 6: (bytes_ << 3).view(np.int8), 7: numbers,
        8: -numbers.astype(F16)}


def instructions():
    """Of PTX; a funnel that moves right keeps the lower half."""
    x, y = (integers(64, most=2**32, dtype=np.uint32) for _ in "xy")
    signed = [part.view(I32) for part in (x, y)]
    whole = [np.maximum(x + y, 7), ((x - y).astype(np.uint64) | y.astype(np.uint64) << np.uint64(32)) >> np.uint64(5),
             0 * x, np.minimum(np.minimum(*signed).view(np.uint32), x), x | y, x ^ y, ~x, 0 - x]
    a = RANDOM.uniform(0.25, 4, 64).astype(F32)
    wide, half = a.astype(np.float64), a.astype(F16)
    turned = np.stack([half[1::2], half[::2] * F16(2)], -1).ravel()
    real = [wide + 1, wide - 1, wide * wide, np.minimum(a, 1), np.sqrt(wide), 1 / np.sqrt(wide),
            np.maximum(np.abs(np.log2(wide)), a), 2**wide, np.sin(wide), np.cos(wide), np.tanh(wide), np.sqrt(wide), turned]
    return 1, [*signed, a, zeros(8 * 64, dtype=I32), zeros(13 * 64)], {
        3: np.concatenate([part.astype(np.uint32).view(I32) for part in whole]), 4: np.concatenate(real)}


def asserted():
    """No sum is above 64 * 9."""
    x = integers(4, 16)
    return 1, [x, zeros(1, dtype=I32), zeros(16, dtype=I32), zeros(64, dtype=I32)], {
        1: [x.sum()], 2: x.sum(0), 3: x.cumsum(1)}


def sized():
    x = floats(32)
    return 1, [x, zeros(32, dtype=I32), zeros(32, dtype=np.int16)], {1: x.view(I32), 2: x.view(np.int16)[1::2]}


def drawn():
    """Philox-4x32-10 with the counter (i, 0, 0, 0); the first of its words."""
    c, (k0, k1), low = [np.arange(64, dtype=np.uint64), *np.zeros((3, 64), np.uint64)], (42, 0), 0xFFFFFFFF
    for _ in range(10):
        one, other = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(other >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), other & np.uint64(low),
             (one >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), one & np.uint64(low)]
        k0, k1 = (k0 + 0x9E3779B9) & low, (k1 + 0xBB67AE85) & low
    return 1, [zeros(64, dtype=I32), 42], {0: c[0].astype(np.uint32).view(I32)}


def ordered():
    x = floats(64)
    return 1, [x, zeros(64), zeros(64)], {1: np.sort(x), 2: np.sort(x)[::-1]}


def half_swaps():
    """Zeros of two signs are not the same bits."""
    x, value = floats(64, dtype=F16), floats(64, dtype=F16)
    x[5] = 0
    compare = np.where(integers(64, most=2) > 0, x, x + F16(1))
    compare[5] = F16(-0.0)
    same = compare.view(np.uint16) == x.view(np.uint16)
    return 1, [x, compare, value, zeros(64, dtype=F16)], {0: np.where(same, value, x), 3: x}


def alone():
    return 1, [np.array([17], I32), zeros(2, dtype=I32)], {1: np.array([0, 18])}


def wrapped_hash():
    """Products of 32 bits that wrap: a mask by a quotient, which is rounded to 0, and slots by remainders, of which one has the
    sign of the number."""
    hashes = (np.arange(4)[:, None] * 1640531528 + np.arange(64) + 2**31) % 2**32 - 2**31
    slots = np.zeros((4, 64))
    slots[np.arange(4)[:, None], hashes % 64] = hashes
    signed = np.zeros((4, 128))
    signed[np.arange(4)[:, None], np.fmod(hashes, 64) + 64] = hashes
    arrays = [zeros(4, 64, dtype=I32), zeros(4, 64, dtype=I32), zeros(4, 128, dtype=I32)]
    return 4, arrays, {0: np.trunc(hashes / 4) % 2 == 0, 1: slots, 2: signed}


def guarded():
    x, y, at = floats(64), integers(64, most=128) - 64, np.arange(64)
    x[5] = np.nan
    chosen = ((y.view(np.uint32) < at) | (at == 3)) & ~(y < -5)
    kept = np.where(np.isnan(x), 9, np.where(x < 0, y + 1, 7))
    return 1, [x, y, zeros(64), zeros(64, dtype=I32), zeros(64, dtype=I32)], {
        2: np.where(x > 0.25, x, x * F32(0.5) - 1), 3: np.where(chosen, y, at), 4: kept}


CASES = [(function.__name__, function()) for function in (
    vector_add, programs, shapes, cube, bits, reductions, scans, product, scaled_product, atomics, float_atomics, casts,
    arithmetic, functions, lookups, addresses, moving, swapped, table, early, ways, collatz, hinted, promised, far, nans,
    mapped, packed, inlined, instructions, guarded, asserted, sized, drawn, ordered, half_swaps, alone, wrapped_hash)]
CASES += [("one_base", one_base(4)), ("one_base", one_base(16)), ("helper", helper(2)), ("helper", helper(3))]


def check(fsm_run, device, name, case, folder):
    """What is wrong, one sentence for each array."""
    grid, arguments, expected = case
    command = [str(HERE / "Inputs" / f"{name}.ttir"), f"--device={device}", f"--grid={grid}"]
    for index, argument in enumerate(arguments):
        kind, array = argument if isinstance(argument, tuple) else ("", argument)
        if not isinstance(array, np.ndarray):
            command.append(f"--arg={array}")
            continue
        np.save(folder / f"in{index}.npy", array)
        command.append(f"--arg={kind + ':' if kind else ''}@{folder / f'in{index}.npy'}")
        if index in expected:
            command.append(f"--out={index}:{folder / f'out{index}.npy'}")
    perform(fsm_run, command)
    for index, answer in expected.items():
        got, answer = np.load(folder / f"out{index}.npy").ravel(), np.asarray(answer).ravel()
        same = np.array_equal(got, answer)
        if got.dtype.kind == "f":
            bound = 2e-3 if got.dtype == F16 else 1e-5
            same = np.allclose(got.astype(np.float64), answer, rtol=bound, atol=bound, equal_nan=True)
        if not same:
            yield f"{name} on {device}: argument {index} is {got}, not {answer}"


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES:
            for device in DEVICES:
                for sentence in check(sys.argv[1], device, name, case, pathlib.Path(folder)):
                    print(f"FAIL {sentence}")
                    wrong += 1
    print(f"{len(CASES)} launches on {len(DEVICES)} devices, {wrong} wrong")
    sys.exit(0 if finish() and not wrong else 1)


main()
