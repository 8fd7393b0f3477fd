"""Every wgmma.mma_async that the simulator knows, with factors in each layout, against exact arithmetic of Python.

Call: wgmma.py LIBRARY [--only=WORD] [--tell]

LIBRARY is the simulator's, or libcuda.so.1 on a GPU of compute capability 9.0. One warp group multiplies matrices that are put to
shared memory here, as the canonical layouts of the PTX manual say: ((8,m),(T,2)) and ((T,w,m),(8,k)) with their strides, and the
swizzle as an exclusive or of bits of the distance from the matrix's begin.
"""

import argparse
import math
import sys
from fractions import Fraction

import numpy as np
from mma import BITS, FORMATS, Driver, DriverError, exponent, float_sum, integer_sum, matrices, number

THREAD = np.arange(128)
SWIZZLE = {16: 0, 128: 1, 64: 2, 32: 3}


class Factor:
    """A factor's place in shared memory: lines x k elements, lines being rows of A or columns of B."""

    def __init__(self, lines, bits, span, transposed, padded=0, base=0):
        self.lines, self.bits, self.span, self.transposed, self.base = lines, bits, span, transposed, base
        pieces, row = span // 16, max(span, 16)
        self.k = 256 // bits
        eight = 8 * row + padded * 8 * row  # From 8 rows to the next 8.
        if not transposed:
            self.stride = eight
            self.leading = math.ceil(lines / 8) * eight if span == 16 else 0
        elif span == 16:
            self.leading = eight
            self.stride = 2 * eight
        else:
            self.stride = eight
            self.leading = 2 * eight
        self.pieces = pieces

    def offsets(self):
        """The byte of each element, [line][k], from the begin on."""
        line, k = np.meshgrid(np.arange(self.lines), np.arange(self.k), indexing="ij")
        size, per = self.bits // 8, 128 // self.bits
        if not self.transposed:
            between = self.leading if self.span == 16 else 16
            at = line % 8 * self.span + line // 8 * self.stride + k // per * between + k % per * size
        elif self.span == 16:
            at = line % 8 * 2 + line // 8 * self.stride + k % 8 * 16 + k // 8 * self.leading
        else:
            at = (line % 8 * 2 + line // 8 % self.pieces * 16 + line // 8 // self.pieces * self.leading + k % 8 * self.span
                  + k // 8 * self.stride)
        return at ^ (at >> 7 & self.pieces - 1) << 4

    def image(self, words, begin):
        """Shared memory from 0 on, with the matrix of bits at `begin`."""
        offsets = self.offsets() + begin
        image = np.zeros(int(offsets.max()) + self.bits // 8, np.uint8)
        for byte in range(self.bits // 8):
            image[offsets + byte] = words >> np.uint64(8 * byte) & np.uint64(255)
        return image

    def descriptor(self, begin):
        return (begin >> 4 | self.leading >> 4 << 16 | self.stride >> 4 << 32 | self.base << 49 | SWIZZLE[self.span] << 62)


class Product:
    def __init__(self, n, left, right, sums, spans=(128, 128), transposed=(False, False), held=False, scales=(1, 1), suffix="",
                 padded=0, bases=(0, 0), adds=True):
        self.n, self.left, self.right, self.sums, self.held, self.scales, self.adds = n, left, right, sums, held, scales, adds
        self.k = 256 // BITS[left]
        self.suffix = suffix
        self.factors = [Factor(lines, BITS[name], span, t, padded, base)
                        for lines, name, span, t, base in zip((64, n), (left, right), spans, transposed, bases)]
        self.short = BITS[left] == 16
        self.types = f"m64n{n}k{self.k}{suffix}.{sums}.{left}.{right}"
        place = lambda f: ("MN" if f.transposed else "K") + str(f.span) + (f"+{f.base}" if f.base else "")
        self.name = " ".join([self.types, "registers" if held else place(self.factors[0]), place(self.factors[1]), str(scales)])

    def sum_places(self):
        """(row, column) of each element that a thread has, [element][thread]."""
        i = np.arange(self.n // 2)[:, None]
        return 16 * (THREAD // 32) + THREAD % 32 // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (THREAD % 4) + i % 2

    def held_words(self, a):
        """A in four registers of each thread."""
        per, words = 32 // BITS[self.left], np.zeros((4, 128), np.uint64)
        for word in range(4):
            row = 16 * (THREAD // 32) + THREAD % 32 // 4 + 8 * (word % 2)
            for i in range(per):
                words[word] |= a[row, per * (THREAD % 4 + 4 * (word // 2)) + i] << np.uint64(BITS[self.left] * i)
        return words.astype(np.uint32)

    def ptx(self, shared, descriptors):
        registers = self.n * BITS[self.sums] // 64
        braces = lambda x, n: "{" + ", ".join(f"%{x}{i}" for i in range(n)) + "}"
        tail = []
        if self.sums != "s32":
            tail = [*map(str, self.scales)]
            flags = [str(int(f.transposed)) for f in self.factors]
            tail += (flags[1:] if self.held else flags) if self.short else []
        operands = ", ".join([braces("c", registers), braces("a", 4) if self.held else "%d0", "%d1", "%p0", *tail])
        return "\n".join([
            ".version 8.6\n.target sm_90a\n.address_size 64",
            ".visible .entry k(.param .u64 pi, .param .u64 pa, .param .u64 pc) {",
            f".reg .b32 %t<8>, %a<4>, %c<{registers}>; .reg .b64 %x<8>, %d<2>; .reg .pred %p<3>;",
            f".shared .align 1024 .b8 tile[{shared}];",
            "ld.param.u64 %x0, [pi]; ld.param.u64 %x1, [pa]; ld.param.u64 %x2, [pc]; mov.u32 %t0, %tid.x;",
            "mov.u32 %t1, tile; shl.b32 %t2, %t0, 2; cvt.u64.u32 %x3, %t2; add.u64 %x0, %x0, %x3; add.u64 %x1, %x1, %x3;",
            "add.u64 %x2, %x2, %x3; add.u32 %t3, %t1, %t2;",
            f"COPY: setp.ge.u32 %p1, %t2, {shared}; @%p1 bra COPIED; ld.global.b32 %t4, [%x0]; st.shared.b32 [%t3], %t4;",
            "add.u64 %x0, %x0, 512; add.u32 %t3, %t3, 512; add.u32 %t2, %t2, 512; bra COPY;",
            "COPIED: fence.proxy.async; bar.sync 0;",
            *[f"ld.global.b32 %c{i}, [%x2 + {512 * i}];" for i in range(registers)],
            *[f"ld.global.b32 %a{i}, [%x1 + {512 * i}];" for i in range(4)],
            f"mov.b64 %d0, {descriptors[0]}; mov.b64 %d1, {descriptors[1]}; setp.eq.u32 %p0, {int(self.adds)}, 1;",
            "wgmma.fence.sync.aligned;", f"wgmma.mma_async.sync.aligned.{self.types} {operands};",
            "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
            *[f"st.global.b32 [%x2 + {512 * i}], %c{i};" for i in range(registers)], "ret; }"]) + "\n"

    def run(self, driver, a, b, c):
        """D's bits, 64 x n; a is 64 x k, b is n x k."""
        # Dynamic shared memory that the driver takes itself is none here: `tile` begins at 0 in the simulator and is 1024-aligned.
        begins = [128 * self.factors[0].base]
        left = self.factors[0].image(a, begins[0])
        begins.append((len(left) + 1023) // 1024 * 1024 + 128 * self.factors[1].base)
        image = self.factors[1].image(b, begins[1])
        image[:len(left)] = left
        image = np.concatenate([image, np.zeros(-len(image) % 512, np.uint8)])
        rows, columns = self.sum_places()
        words, width = c[rows, columns], BITS[self.sums]
        if width == 16:
            words = words[::2] | words[1::2] << np.uint64(16)
        arrays = [image, self.held_words(a), words.astype(np.uint32)]
        addresses = [driver.allocate(array.nbytes) for array in arrays]
        for address, array in zip(addresses, arrays):
            driver.copy_in(address, np.ascontiguousarray(array))
        text = self.ptx(len(image), [f.descriptor(begin) for f, begin in zip(self.factors, begins)])
        driver.launch(driver.function(driver.load(text), "k"), (1, 1, 1), (128, 1, 1), 0, addresses)
        driver.synchronize()
        driver.copy_out(arrays[2], addresses[2])
        got = np.zeros((64, self.n), np.uint64)
        if width == 16:
            got[rows[::2], columns[::2]], got[rows[1::2], columns[1::2]] = arrays[2] & 0xFFFF, arrays[2] >> 16
        else:
            got[rows, columns] = arrays[2]
        return got

    def expected(self, a, b, c):
        left = [[self.scales[0] * number(int(word), self.left) for word in row] for row in a]
        right = [[self.scales[1] * number(int(word), self.right) for word in row] for row in b]
        old = c if self.adds else np.zeros_like(c)
        if self.n > 40 and self.sums != "s32":  # Of small integers every sum is exact.
            small = np.array([[FORMATS[self.sums].value(int(word)) for word in row] for row in old])
            total, kinds = np.array(left) @ np.array(right).T + small, {"f16": (np.float16, np.uint16), "f32": (np.float32, np.uint32)}
            return (total + 0.0).astype(kinds[self.sums][0]).view(kinds[self.sums][1]).astype(np.uint64)
        one = {"s32": lambda x, y, z: integer_sum(x, y, z, bool(self.suffix)),
               "f16": lambda x, y, z: half_sum(x, y, z, (self.left, self.right)),
               "f32": lambda x, y, z: float_sum(x, y, z, (self.left, self.right))}[self.sums]
        return np.array([[one(left[i], right[j], int(old[i, j])) for j in range(self.n)] for i in range(64)], np.uint64)


def half_sum(left, right, old, types):
    """As float_sum, the sum rounded to the nearest f16."""
    value = FORMATS["f16"].value(old)
    plain = sum((a * b for a, b in zip(left, right)), value)
    if not math.isfinite(plain):
        return 0x7FFF if math.isnan(plain) else 0x7C00 | (plain < 0) << 15
    exact = [Fraction(a) * Fraction(b) for a, b in zip(left, right)] + [Fraction(value)]
    if BITS[types[0]] == 8:
        least = [-6 if name == "e4m3" else -14 for name in types]
        of = lambda x, low: max(exponent(Fraction(x)), low) if x else low
        largest = max(of(a, least[0]) + of(b, least[1]) for a, b in zip(left, right))
        unit = Fraction(2) ** ((max(largest, exponent(Fraction(value))) if value else largest) - 13)
        exact = [int(term / unit) * unit for term in exact]
    total = sum(exact)
    if total == 0:
        return 0
    unit = Fraction(2) ** (max(exponent(total), -14) - 10)
    rounded = round(total / unit) * unit  # To the nearest, to even.
    return int(np.float16(float(rounded) if abs(rounded) < 65520 else math.copysign(math.inf, rounded)).view(np.uint16))


def catalogue():
    for n in (8, 256):
        for sums, names in (("f32", ("f16", "bf16", "tf32", "e4m3")), ("f16", ("f16", "e5m2"))):
            yield from (Product(n, name, name, sums) for name in names)
    yield from (Product(n, a, b, "s32") for n, a, b in ((8, "s8", "s8"), (24, "s8", "u8"), (32, "u8", "s8"), (48, "u8", "u8")))
    yield Product(8, "s8", "u8", "s32", suffix=".satfinite")
    yield from (Product(8, a, b, sums) for a, b in (("e4m3", "e5m2"), ("e5m2", "e4m3")) for sums in ("f32", "f16"))
    yield from (Product(8, name, name, "s32" if name == "s8" else "f32", held=True)
                for name in ("f16", "bf16", "tf32", "e5m2", "s8"))
    for padded in (0, 1):
        for spans in ((128, 64), (64, 32), (32, 16), (16, 128)):
            yield Product(24, "f16", "f16", "f32", spans, padded=padded)
            yield Product(136, "bf16", "bf16", "f32", spans, (True, True), padded=padded)
        yield Product(16, "tf32", "tf32", "f32", (64, 16), padded=padded)
    for transposed in ((True, False), (False, True)):
        yield Product(72, "f16", "f16", "f16", (128, 64), transposed)
    yield Product(72, "f16", "f16", "f32", (128, 128), (False, True), held=True)
    yield from (Product(16, "f16", "f16", "f32", scales=scales) for scales in ((-1, 1), (1, -1), (-1, -1)))
    yield Product(16, "f16", "f16", "f32", adds=False)
    yield Product(16, "f16", "f16", "f32", bases=(3, 5))
    yield Product(16, "f16", "f16", "f32", (64, 32), bases=(1, 1))


def check(driver, product, tell):
    random, differ = np.random.default_rng([product.n, *product.name.encode()]), 0
    for kind in ("integers",) if product.n > 40 or product.sums == "s32" else ("integers", "normal", "wide", "special"):
        a, b, c = (matrices(random, shape, name, kind) for shape, name in (
            ((64, product.k), product.left), ((product.n, product.k), product.right), ((64, product.n), product.sums)))
        if kind == "special":  # Rows without one, too.
            a[::2] = matrices(random, a[::2].shape, product.left, "wide")
            b, c = matrices(random, b.shape, product.right, "wide"), matrices(random, c.shape, product.sums, "wide")
        got = product.run(driver, a, b, c)
        expected = product.expected(a, b, c)
        wrong = got != expected
        differ += int(wrong.sum())
        for i, j in np.argwhere(wrong)[:3] if tell else ():
            print(f"  {kind} ({i}, {j}): got {int(got[i, j]):#x}, expected {int(expected[i, j]):#x}")
    print(f"{product.name}: {differ} differ")
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--only", default="", help="instructions whose name has this")
    parser.add_argument("--tell", action="store_true")
    arguments = parser.parse_args()
    driver = Driver(arguments.library)
    return 1 if sum(check(driver, product, arguments.tell) for product in catalogue() if arguments.only in product.name) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DriverError as error:
        sys.exit(str(error))
