"""fsm.convert between every two float types, on every device, bit for bit.

Usage: converts.py FSM_RUN [--devices=A,B] [--sources=N]. Sources of 8 and 16 bits are all there are; of f32 and f64
there are about N for each result, dense around the results' numbers and the ties between them. An answer is found among
all numbers of the result's type, which its definition lists as float64; those of f16 and f32 are NumPy's as well. NaN
is the one whose bits but the sign are all set.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

HERE = pathlib.Path(__file__).parent / "Inputs"
BLOCK = 1024
# Bits, bits of the fraction, exponent of the smallest normal number, whether there is an infinity.
FORMATS = {"f8E4M3FN": (8, 3, -6, False), "f8E5M2": (8, 2, -14, True), "f16": (16, 10, -14, True),
           "bf16": (16, 7, -126, True), "f32": (32, 23, -126, True), "f64": (64, 52, -1022, True)}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
WAYS = ("nearest_even", "nearest_even saturate", "toward_zero", "toward_zero saturate")


def largest_bits(kind):
    """The bits of the largest finite number; f8E4M3FN has only one NaN above it."""
    width, fraction, _, has_infinity = FORMATS[kind]
    ones = (1 << (width - 1)) - 1
    return (ones >> fraction << fraction) - 1 if has_infinity else ones - 1


def value_of(bits, kind):
    """The number of each magnitude's bits, by the definition of the format; beyond the largest as though it went on."""
    _, fraction, least, _ = FORMATS[kind]
    field, low = bits >> fraction, bits & ((1 << fraction) - 1)
    significand = np.where(field == 0, low, low + (1 << fraction)).astype(np.float64)
    return np.ldexp(significand, np.maximum(field, 1) - 1 + least - fraction)


def all_values(kind):
    """Of a type of 8 or 16 bits all numbers from 0 on, and one that would be next; their places are their bits."""
    return value_of(np.arange(largest_bits(kind) + 2, dtype=np.int64), kind)


def widened(bits, kind):
    """Elements given by their bits, as float64."""
    if kind in FLOATS:
        with np.errstate(invalid="ignore"):
            return bits.view(FLOATS[kind]).astype(np.float64)
    width, _, _, has_infinity = FORMATS[kind]
    magnitude = bits.astype(np.int64) & ((1 << (width - 1)) - 1)
    values = value_of(magnitude, kind)
    values[magnitude > largest_bits(kind)] = np.nan
    if has_infinity:
        values[magnitude == largest_bits(kind) + 1] = np.inf
    return np.where(bits >> (width - 1) & 1, -values, values)


def enumerated(x, kind, way):
    """The bits of the magnitudes of finite `x` >= 0 among all numbers of the type."""
    values = all_values(kind)
    below = np.searchsorted(values, x, side="right") - 1
    if way.startswith("toward_zero"):
        return np.minimum(below, largest_bits(kind))
    below = np.minimum(below, largest_bits(kind))
    middle = (values[below] + values[below + 1]) / 2
    return below + ((x > middle) | ((x == middle) & (below % 2 == 1)))


def by_numpy(x, kind, way):
    """The same by NumPy's rounding to nearest even."""
    unsigned = UNSIGNED[FORMATS[kind][0]]
    with np.errstate(over="ignore"):
        near = x.astype(FLOATS[kind])
    bits = near.view(unsigned).astype(np.int64)
    if way.startswith("toward_zero"):
        bits -= near.astype(np.float64) > x
    return bits


def answers(x, kind, way):
    """The bits of each float64 in a type."""
    width = FORMATS[kind][0]
    if kind == "f64":
        way = "nearest_even saturate" if "saturate" in way else "nearest_even"
    magnitude = np.abs(x)
    finite = np.where(np.isfinite(x), magnitude, 0.0)
    if kind in ("f32", "f64"):
        bits = by_numpy(finite, kind, way)
    else:
        bits = enumerated(finite, kind, way)
        if kind == "f16" and not np.array_equal(bits, by_numpy(finite, kind, way)):
            sys.exit("NumPy and the list of all f16 disagree")
    largest = largest_bits(kind)
    saturates = "saturate" in way or width == 8
    if saturates or way.startswith("toward_zero"):
        bits = np.minimum(bits, largest)
    bits[np.isinf(x)] = largest if saturates else largest + 1
    bits |= np.signbit(x).astype(np.int64) << (width - 1)
    bits[np.isnan(x)] = (1 << (width - 1)) - 1
    return bits.astype(UNSIGNED[width])


def special_bits(kind):
    width, fraction, _, _ = FORMATS[kind]
    infinity = largest_bits(kind) + 1
    magnitudes = [0, 1, 2, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity, infinity + 1,
                  (1 << (width - 1)) - 1, infinity | 1 << (fraction - 1)]
    return np.array(magnitudes + [m | 1 << (width - 1) for m in magnitudes], UNSIGNED[width])


def sources(kind, target, count, seed):
    """The bits of what is converted: everything, or neighbours of the target's numbers and ties."""
    width = FORMATS[kind][0]
    unsigned = UNSIGNED[width]
    if width <= 16:
        return np.arange(1 << width).astype(unsigned)
    random = np.random.default_rng(seed)
    spread = random.integers(0, 1 << width, count // 8, np.uint64, endpoint=False) if width < 64 \
        else random.integers(0, 2**64 - 1, count // 8, np.uint64, endpoint=True)
    parts = [special_bits(kind), spread.astype(unsigned)]
    if FORMATS[target][0] < width:
        if FORMATS[target][0] <= 16:
            values = all_values(target)
        else:  # f64 to f32: of all exponents.
            some = random.integers(0, largest_bits(target), count // 8)
            values = value_of((some[:, None] + [0, 1]).ravel(), target)
        points = np.unique(np.concatenate([values, (values[:-1] + values[1:]) / 2]))
        with np.errstate(over="ignore"):
            points = points.astype(FLOATS[kind]).view(unsigned)
        rounds = max(1, (7 * count // 8) // len(points))
        if rounds == 1:
            points = random.choice(points, min(len(points), 7 * count // 8), replace=False)
        # Every round is as far from the points as its number, on either side; after 64, far and random.
        for number in range(rounds):
            distance = (number + 1) // 2
            if number >= 64:
                distance = int(random.integers(0, 1 << random.integers(1, width - 11)))
            moved = points + unsigned(distance) if number % 2 else points - unsigned(distance)
            parts.append(moved | random.integers(0, 2, len(points)).astype(unsigned) << unsigned(width - 1))
        if rounds == 1:
            parts[-1] = points + random.integers(-2, 3, len(points)).astype(unsigned)
    return np.concatenate(parts)


def launch(fsm_run, device, source, target, data, folder):
    """The bits of the four results."""
    np.save(folder / "in.npy", data.view(FLOATS.get(source, data.dtype)))
    prefix = "" if source in FLOATS else source + ":"
    outputs = [folder / f"out{i}.npy" for i in range(4)]
    perform(
        fsm_run,
        [str(HERE / "numeric-convert.mlir"), f"--device={device}", f"--grid={-(-len(data) // BLOCK)}",
         "-D", f"FROM={source}", "-D", f"TO={target}", *[f"--arg={target}[{len(data)}]"] * 4,
         f"--arg={prefix}@{folder / 'in.npy'}", f"--arg={len(data)}",
         *(f"--out={i}:{path}" for i, path in enumerate(outputs))])
    unsigned = UNSIGNED[FORMATS[target][0]]
    return [np.load(path).view(unsigned) for path in outputs]


def check(fsm_run, source, target, count, folder):
    """Prints what is wrong; how many elements were compared and how many results were wrong."""
    compared = failures = 0
    data = sources(source, target, count, 11)
    wide = widened(data, source)
    expected = [answers(wide, target, way) for way in WAYS]
    for device in DEVICES:
        for way, got, answer in zip(WAYS, launch(fsm_run, device, source, target, data, folder), expected):
            wrong = np.flatnonzero(got != answer)
            compared += len(data)
            if len(wrong):
                failures += 1
                at = wrong[0]
                print(f"{source} to {target}, {way}, on {device}: {len(wrong)} wrong, first {data[at]:#x} = "
                      f"{wide[at]!r}: got {got[at]:#x}, expected {answer[at]:#x}")
    return compared, failures


def main():
    given = [word.partition("=")[2] for word in sys.argv if word.startswith("--sources=")]
    count = int(given[-1]) if given else 20000
    compared = failures = 0
    with tempfile.TemporaryDirectory() as name:
        for source, target in itertools.permutations(FORMATS, 2):
            elements, wrong = check(sys.argv[1], source, target, count, pathlib.Path(name))
            compared += elements
            failures += wrong
    print(f"{compared} checks, {failures} failed")
    return 0 if finish() and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
