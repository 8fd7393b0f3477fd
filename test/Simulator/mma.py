"""Every mma.sync that the simulator knows, and movmatrix, against exact arithmetic of Python.

Call: mma.py LIBRARY [--matrices=N] [--only=WORD] [--tell]

LIBRARY is the simulator's, or libcuda.so.1: then a GPU is asked whether it adds as the simulator does. The kernels are written
here, a few lines of PTX each, and so are the formulas of the manual that say which lane has which element. --tell prints the
first results that differ, and single sums that show how an instruction rounds.
"""

import argparse
import ctypes
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools" / "dev"))

from bench.driver import Driver, DriverError

LANES = np.arange(32)
GROUP, MEMBER = LANES // 4, LANES % 4


# --- Numbers -----------------------------------------------------------------------------------------------------------


class Format:
    """How the bits of a type are a number. f64 and integers are left to NumPy."""

    def __init__(self, name, bits, digits, bias, infinity=True):
        self.name, self.bits, self.digits, self.bias, self.infinity = name, bits, digits, bias, infinity

    def value(self, word):
        """A float of Python: all of these types fit."""
        mantissa, sign = word & (1 << self.digits) - 1, -1.0 if word >> (self.bits - 1) & 1 else 1.0
        exponent, highest = word >> self.digits & (1 << (self.bits - 1 - self.digits)) - 1, 2 * self.bias + 1
        if exponent == highest and self.infinity:
            return math.nan if mantissa else sign * math.inf
        if exponent == highest and mantissa == (1 << self.digits) - 1:
            return math.nan
        if exponent == 0:
            return sign * math.ldexp(mantissa, 1 - self.bias - self.digits)
        return sign * math.ldexp(mantissa + (1 << self.digits), exponent - self.bias - self.digits)


FORMATS = {
    "f16": Format("f16", 16, 10, 15),
    "bf16": Format("bf16", 16, 7, 127),
    "tf32": Format("tf32", 32, 23, 127),
    "f32": Format("f32", 32, 23, 127),
    "e4m3": Format("e4m3", 8, 3, 7, infinity=False),
    "e5m2": Format("e5m2", 8, 2, 15),
}
BITS = {**{name: form.bits for name, form in FORMATS.items()}, "s8": 8, "u8": 8, "f64": 64, "s32": 32}


def number(word, name):
    """What a factor's bits stand for: of tf32 the low 13 do not count."""
    if name == "tf32" and not math.isnan(FORMATS[name].value(word)):
        word &= ~0x1FFF
    if name == "f64":
        return float(np.uint64(word).view(np.float64))
    if name in FORMATS:
        return FORMATS[name].value(word)
    return word - 256 if name == "s8" and word >= 128 else word


def exponent(value):
    """e with 2^e <= |value| < 2^(e + 1), of a Fraction."""
    guess = abs(value.numerator).bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= abs(value) else guess - 1


def cut_to_f32(value):
    """The bits of a Fraction as an f32, cut toward zero."""
    if value == 0:
        return 0
    e = max(exponent(value), -126)
    if e > 127:
        return 0x7F800000 | (value < 0) << 31
    digits = int(abs(value) / Fraction(2) ** (e - 23))
    field = 0 if digits < 1 << 23 else e + 127
    return (value < 0) << 31 | field << 23 | digits & 0x7FFFFF


def float_sum(left, right, acc, types):
    """D's bits: a row of A, a column of B as floats, and C's bits, with one rounding, as the tensor cores were seen to do."""
    old = FORMATS["f32"].value(acc)
    plain = sum((a * b for a, b in zip(left, right)), old)
    if not math.isfinite(plain):
        return 0x7FFFFFFF if math.isnan(plain) else 0x7F800000 | (plain < 0) << 31
    exact = [Fraction(a) * Fraction(b) for a, b in zip(left, right)] + [Fraction(old)]
    if BITS[types[0]] == 8:
        least = [-6 if name == "e4m3" else -14 for name in types]
        of = lambda x, low: max(exponent(Fraction(x)), low) if x else low
        largest = max(of(a, least[0]) + of(b, least[1]) for a, b in zip(left, right))
        largest = max(largest, exponent(Fraction(old))) if old else largest
        unit = Fraction(2) ** (largest - 13)
        exact = [int(term / unit) * unit for term in exact]
    return cut_to_f32(sum(exact))


def integer_sum(left, right, acc, saturate):
    total = sum(a * b for a, b in zip(left, right)) + (acc - (1 << 32) if acc >> 31 else acc)
    if saturate:
        total = max(-(1 << 31), min((1 << 31) - 1, total))
    return total & 0xFFFFFFFF


# --- Instructions ------------------------------------------------------------------------------------------------------


class Mma:
    """One instruction: its PTX, and where lanes have what (PTX ISA, "Matrix Fragments for mma.m16n8k16 ..." and the others)."""

    def __init__(self, m, k, left, right, sums, suffix=""):
        self.m, self.k, self.left, self.right, self.sums, self.suffix = m, k, left, right, sums, suffix
        self.word = max(32, BITS[left])
        self.per_word = self.word // BITS[left]
        self.name = f"m{m}n8k{k}.row.col{suffix}.{sums}.{left}.{right}.{sums}"

    def left_places(self):
        """(rows, columns) of each element of each lane: [element][lane]."""
        rows, columns = [], []
        for i in range(self.m * self.k // 32):
            word, within = divmod(i, self.per_word)
            below = word % (self.m // 8)
            rows.append(GROUP + 8 * below)
            columns.append(MEMBER * self.per_word + within + 4 * self.per_word * (word // (self.m // 8)))
        return np.array(rows), np.array(columns)

    def right_places(self):
        rows, columns = [], []
        for i in range(self.k * 8 // 32):
            word, within = divmod(i, self.per_word)
            rows.append(MEMBER * self.per_word + within + 4 * self.per_word * word)
            columns.append(GROUP)
        return np.array(rows), np.array(columns)

    def sum_places(self):
        count = self.m // 4
        return np.array([GROUP + 8 * (i // 2) for i in range(count)]), np.array([MEMBER * 2 + i % 2 for i in range(count)])

    def ptx(self, target):
        counts = [places[0].shape[0] * BITS[name] // width for places, name, width in (
            (self.left_places(), self.left, self.word), (self.right_places(), self.right, self.word),
            (self.sum_places(), self.sums, BITS[self.sums]))]
        a, b, c = counts
        width = {"a": self.word // 8, "b": self.word // 8, "c": BITS[self.sums] // 8}
        registers = {"a": "f64" if self.left == "f64" else "b32", "b": "f64" if self.left == "f64" else "b32",
                     "c": {"f64": "f64", "s32": "s32"}.get(self.sums, "f32")}
        lines = [f".version 8.4\n.target {target}\n.address_size 64",
                 ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {",
                 ".reg .b32 %t<4>; .reg .b64 %p<8>;"]
        lines += [f".reg .{registers[x]} %{x}<{n}>;" for x, n in (("a", a), ("b", b), ("c", c))]
        lines += [f".reg .{registers['c']} %d<{c}>;", "mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x;"]
        for index, (x, n) in enumerate((("a", a), ("b", b), ("c", c), ("d", c))):
            size = width["c" if x == "d" else x]
            lines += [f"ld.param.u64 %p{index}, [p{x}];", f"mad.lo.u32 %t2, %t1, {32 * n}, %t0;",
                      f"mul.wide.u32 %p4, %t2, {size};", f"add.u64 %p{index}, %p{index}, %p4;"]
        for index, (x, n) in enumerate((("a", a), ("b", b), ("c", c))):
            lines += [f"ld.global.{registers[x]} %{x}{i}, [%p{index} + {32 * i * width[x]}];" for i in range(n)]
        braces = lambda x, n: "{" + ", ".join(f"%{x}{i}" for i in range(n)) + "}"
        lines.append(f"mma.sync.aligned.{self.name} {braces('d', c)}, {braces('a', a)}, {braces('b', b)}, {braces('c', c)};")
        lines += [f"st.global.{registers['c']} [%p3 + {32 * i * width['c']}], %d{i};" for i in range(c)]
        return "\n".join([*lines, "ret; }"]) + "\n"

    def pack(self, matrices, places, name):
        """The words of lanes, [matrix][word][lane], of matrices of bits."""
        elements = matrices[:, places[0], places[1]].astype(np.uint64)
        per_word = max(1, 32 // BITS[name])
        words = np.zeros((len(matrices), elements.shape[1] // per_word, 32), np.uint64)
        for i in range(elements.shape[1]):
            words[:, i // per_word] |= elements[:, i] << np.uint64(BITS[name] * (i % per_word))
        return words.astype(np.uint64 if BITS[name] == 64 else np.uint32)

    def run(self, driver, target, a, b, c):
        """D's bits for so many matrices, each multiplied by a warp."""
        function = driver.function(driver.load(self.ptx(target)), "k")
        inputs = [self.pack(a, self.left_places(), self.left), self.pack(b, self.right_places(), self.right),
                  self.pack(c, self.sum_places(), self.sums)]
        out = np.zeros_like(inputs[2])
        addresses = [driver.allocate(array.nbytes) for array in (*inputs, out)]
        for address, array in zip(addresses, inputs):
            driver.copy_in(address, np.ascontiguousarray(array))
        driver.launch(function, (len(a), 1, 1), (32, 1, 1), 0, addresses)
        driver.synchronize()
        driver.copy_out(out, addresses[3])
        result = np.zeros(c.shape, np.uint64)
        rows, columns = self.sum_places()
        result[:, rows, columns] = out
        return result

    def expected(self, a, b, c):
        """The same by exact arithmetic, where it is known: of f64 a Fraction's rounding is that of no order."""
        left = [[number(int(word), self.left) for word in row] for row in a]
        right = [[number(int(word), self.right) for word in column] for column in b.T]
        one = (lambda x, y, z: integer_sum(x, y, z, bool(self.suffix))) if self.sums == "s32" else (
            lambda x, y, z: float_sum(x, y, z, (self.left, self.right)))
        return np.array([[one(left[i], right[j], int(c[i, j])) for j in range(8)] for i in range(self.m)], np.uint64)


def catalogue():
    yield from (Mma(16, k, name, name, "f32") for name, ks in (("f16", (8, 16)), ("bf16", (8, 16)), ("tf32", (4, 8))) for k in ks)
    yield from (Mma(16, k, a, b, "s32", suffix) for a in ("s8", "u8") for b in ("s8", "u8") for k in (16, 32)
                for suffix in ("", ".satfinite"))
    yield from (Mma(16, 32, a, b, "f32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2"))
    yield from (Mma(m, k, "f64", "f64", "f64") for m, k in ((8, 4), (16, 4), (16, 8), (16, 16)))


# --- What is multiplied ------------------------------------------------------------------------------------------------


def bits_of(values, name):
    """Floats as bits of a type, by cutting what it does not have."""
    if name == "f64":
        return values.astype(np.float64).view(np.uint64)
    if name == "f16":
        return values.astype(np.float16).view(np.uint16).astype(np.uint64)
    if name in ("e4m3", "e5m2"):
        form, table = FORMATS[name], [FORMATS[name].value(word) for word in range(128)]
        order = [word for word in range(128) if math.isfinite(table[word])]
        magnitudes = np.array([table[word] for word in order])
        found = np.searchsorted(magnitudes, np.abs(values), side="right") - 1
        return np.array(order, np.uint64)[found] | (np.signbit(values).astype(np.uint64) << np.uint64(form.bits - 1))
    words = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return words >> np.uint64(16) if name == "bf16" else words


def matrices(random, shape, name, kind):
    if name in ("s8", "u8"):
        return random.integers(0, 256, shape).astype(np.uint64)
    if name == "s32":
        return random.integers(0, 1 << 32, shape).astype(np.uint64) if kind == "wide" else (
            random.integers(-100, 100, shape).astype(np.int32).view(np.uint32).astype(np.uint64))
    if kind == "integers":
        return bits_of(random.integers(-8, 9, shape).astype(np.float64), name)
    if kind == "normal":
        return bits_of(random.standard_normal(shape), name)
    # Bits of any float; infinities and NaN in one of them only.
    words = random.integers(0, 1 << min(BITS[name], 63), shape).astype(np.uint64)
    if name == "f64":
        return bits_of(random.standard_normal(shape), name)
    finite = np.vectorize(lambda word: math.isfinite(FORMATS[name].value(int(word))))(words)
    return words if kind == "special" else np.where(finite, words, np.uint64(0))


def check(driver, target, mma, count, tell):
    """The number of results that differ."""
    random, differ, total = np.random.default_rng([mma.m, mma.k, *mma.name.encode()]), 0, 0
    for kind in ("integers", "normal", "wide", "special"):
        a, b, c = (matrices(random, (count, *shape), name, kind) for shape, name in (
            ((mma.m, mma.k), mma.left), ((mma.k, 8), mma.right), ((mma.m, 8), mma.sums)))
        if kind == "special" and mma.sums == "f32":  # Rows without one, too.
            a[:, ::2] = matrices(random, a[:, ::2].shape, mma.left, "wide")
            b, c = (matrices(random, x.shape, name, "wide") for x, name in ((b, mma.right), (c, mma.sums)))
        got = mma.run(driver, target, a, b, c)
        if mma.sums == "f64":
            values = [x.view(np.float64) for x in (a, b, c, got)]
            exact = values[0] @ values[1] + values[2]
            size = np.abs(values[0]) @ np.abs(values[1]) + np.abs(values[2])
            wrong = ~(np.abs(values[3] - exact) <= (mma.k + 2) * 2.0**-52 * size) | (
                (kind == "integers") & (values[3] != exact))
        else:
            wrong = got != np.array([mma.expected(*one) for one in zip(a, b, c)])
        differ, total = differ + int(wrong.sum()), total + wrong.size
        if tell and wrong.any():
            for n, i, j in np.argwhere(wrong)[:3]:
                print(f"  {kind} ({i}, {j}): got {int(got[n, i, j]):#x}, expected {int(mma.expected(a[n], b[n], c[n])[i, j]):#x}"
                      if mma.sums != "f64" else f"  {kind} ({i}, {j})")
    print(f"{mma.name}: {differ} of {total} differ")
    return differ


def probe(driver, target, mma):
    """How one sum of a few terms comes out."""
    tiny, inf, nan = 2.0**-140, math.inf, math.nan
    for title, terms, acc in (
            ("1 + 2^-24 + 2^-25", [(2.0**-12, 2.0**-12), (2.0**-12, 2.0**-13)], 1.0),
            ("1 + 2^-24 + 2^-24", [(2.0**-12, 2.0**-12)] * 2, 1.0), ("1 + 4 * 2^-25", [(2.0**-12, 2.0**-13)] * 4, 1.0),
            ("1 - 2^-25", [(-(2.0**-12), 2.0**-13)], 1.0), ("-0 + -0 * 1", [(-0.0, 1.0)], -0.0), ("2^-140 + 0", [], tiny),
            ("largest + 256 * 256", [(256.0, 256.0)], 3.4028234663852886e38),
            ("2^127 + 2^127", [(2.0**64, 2.0**63)], 2.0**127), ("inf * 0", [(inf, 0.0)], 0.0), ("inf - inf", [(inf, 1.0), (-inf, 1.0)], 0.0),
            ("NaN * 1", [(nan, 1.0)], 0.0), ("1 + 2^-20 + 0 * 0", [], 1 + 2.0**-20), ("2^-9 * 2^-9 + 1", [(2.0**-9, 2.0**-9)], 1.0),
            ("16 * 16 + 2^-6 * 2^-6", [(16.0, 16.0), (2.0**-6, 2.0**-6)], 0.0)):
        if BITS[mma.left] == 8 and not all(math.isfinite(x) for pair in terms for x in pair):
            continue
        a, b = np.zeros((1, mma.m, mma.k)), np.zeros((1, mma.k, 8))
        for i, (x, y) in enumerate(terms[:mma.k]):
            a[0, :, i], b[0, i, :] = x, y
        words = [bits_of(a, mma.left), bits_of(b, mma.right), bits_of(np.full((1, mma.m, 8), acc), "f32")]
        got = int(mma.run(driver, target, *words)[0, 0, 0])
        expected = int(mma.expected(*(word[0] for word in words))[0, 0])
        print(f"  {title:28} {got:#010x}" + ("" if got == expected else f", expected {expected:#010x}"))


def check_movmatrix(driver, target):
    """16-bit elements of 8 x 8, transposed."""
    text = (f".version 8.4\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 px, .param .u64 py) {{\n"
            ".reg .b32 %r<3>; .reg .b64 %p<4>;\nmov.u32 %r0, %tid.x; mul.wide.u32 %p2, %r0, 4;\n"
            "ld.param.u64 %p0, [px]; ld.param.u64 %p1, [py]; add.u64 %p0, %p0, %p2; add.u64 %p1, %p1, %p2;\n"
            "ld.global.b32 %r1, [%p0];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nst.global.b32 [%p1], %r2;\nret; }\n")
    matrix = np.random.default_rng(7).integers(0, 1 << 16, (8, 8)).astype(np.uint16)
    result, addresses = np.zeros_like(matrix), [driver.allocate(128), driver.allocate(128)]
    driver.copy_in(addresses[0], matrix)
    driver.launch(driver.function(driver.load(text), "k"), (1, 1, 1), (32, 1, 1), 0, addresses)
    driver.synchronize()
    driver.copy_out(result, addresses[1])
    differ = int((result != matrix.T).sum())
    print(f"movmatrix: {differ} of 64 differ")
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--matrices", type=int, default=4, help="of each kind, for each instruction")
    parser.add_argument("--only", default="", help="instructions whose name has this")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--tell", action="store_true")
    arguments = parser.parse_args()
    driver, differ = Driver(arguments.library), 0
    for mma in catalogue():
        if arguments.only in mma.name:
            differ += check(driver, arguments.target, mma, arguments.matrices, arguments.tell)
            if arguments.tell and mma.sums == "f32":
                probe(driver, arguments.target, mma)
    if arguments.only in "movmatrix":
        differ += check_movmatrix(driver, arguments.target)
    return 1 if differ else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DriverError as error:
        sys.exit(str(error))
