"""Kernels in Triton whose IR is in the files beside this one, each named after its kernel.

`write_ttir.py` writes them; `launches.py` runs them and knows what each must compute.
"""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


@triton.jit
def programs(out):
    at = (tl.program_id(2) * tl.num_programs(1) + tl.program_id(1)) * tl.num_programs(0) + tl.program_id(0)
    tl.store(out + at, tl.program_id(0) + 10 * tl.program_id(1) + 100 * tl.program_id(2) + 1000 * tl.num_programs(2))


@triton.jit
def shapes(x, out, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    turned = tl.reshape(tl.trans(tile), (M, N))
    pairs = tl.join(tile, turned)
    left, right = tl.split(pairs)
    both = tl.cat(tl.reshape(left + columns[None, :], (M * N,)), tl.reshape(right, (M * N,)), can_reorder=True)
    tl.store(out + tl.arange(0, 2 * M * N), both)


@triton.jit
def cube(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    block = tl.load(x + a * B * C + b * C + c)
    tl.store(out + tl.permute(c * A * B + a * B + b, (2, 0, 1)), tl.permute(block, (2, 0, 1)))


@triton.jit
def bits(flags, x, out, words, N: tl.constexpr):
    at = tl.arange(0, N)
    flag = tl.load(flags + at)
    value = tl.load(x + at)
    tl.store(out + at, flag & (value > 0))
    tl.store(words + at, value.to(tl.int32, bitcast=True))


@triton.jit
def both_extremes(high, low, other_high, other_low):
    return tl.maximum(high, other_high), tl.minimum(low, other_low)


@triton.jit
def decay(a, x, b, y):
    return a * b, y + b * x


@triton.jit
def distance(a, b):
    return tl.abs(a) + tl.abs(b) + 0.5 - 0.5


@triton.jit
def reductions(x, sums, tops, places, lows, highs, spread, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(sums + rows, tl.sum(tile, axis=1))
    tl.store(tops + columns, tl.max(tile, axis=0))
    tl.store(places + rows, tl.argmin(tile, axis=1))
    high, low = tl.reduce((tile, tile), 1, both_extremes)
    tl.store(highs + rows, high)
    tl.store(lows + rows, low)
    tl.store(spread, tl.reduce(tl.reduce(tile, 1, distance), 0, distance))


@triton.jit
def scans(x, factors, sums, behind, mixed, N: tl.constexpr):
    at = tl.arange(0, N)
    value, factor = tl.load(x + at), tl.load(factors + at)
    tl.store(sums + at, tl.cumsum(value, axis=0))
    tl.store(behind + at, tl.cumsum(value, axis=0, reverse=True))
    _, state = tl.associative_scan((factor, value), 0, decay)
    tl.store(mixed + at, state)


@triton.jit
def product(x, y, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a, b = tl.load(x + m[:, None] * K + k[None, :]), tl.load(y + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot(a, b, out_dtype=tl.float16))


@triton.jit
def scaled_product(x, xs, y, ys, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, group = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K // 32)
    a = tl.load(x + m[:, None] * (K // 2) + tl.arange(0, K // 2)[None, :])
    b = tl.load(y + tl.arange(0, K)[:, None] * N + n[None, :])
    a_scale = tl.load(xs + m[:, None] * (K // 32) + group[None, :])
    b_scale = tl.load(ys + n[:, None] * (K // 32) + group[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.dot_scaled(a, a_scale, "e2m1", b, b_scale, "e5m2"))


@triton.jit
def atomics(x, total, highest, seen, lock, N: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(x + at)
    before = tl.atomic_add(total + at % 4, value, mask=at < N - 1, sem="relaxed")
    tl.atomic_max(highest, tl.max(value, axis=0))
    tl.store(seen + at, (before == before).to(tl.int32))
    tl.atomic_cas(lock + tl.program_id(0), 0, 7)
    tl.atomic_xchg(lock + 1 + tl.program_id(0), 9)


@triton.jit
def float_atomics(x, total, N: tl.constexpr):
    tl.atomic_add(total + tl.arange(0, N) % 2, tl.load(x + tl.arange(0, N)), scope="sys")


@triton.jit
def casts(x, small, wide, cut, N: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(x + at)
    eight = value.to(tl.float8e5)
    tl.store(small + at, eight)
    tl.store(wide + at, eight.to(tl.float32))
    tl.store(cut + at, value.to(tl.float16, fp_downcast_rounding="rtz"))


@triton.jit
def arithmetic(x, y, words, clamped, roots, quotients, high, sines, N: tl.constexpr):
    at = tl.arange(0, N)
    a, b, w = tl.load(x + at), tl.load(y + at), tl.load(words + at)
    tl.store(clamped + at, tl.clamp(a, -0.5, 0.5))
    tl.store(roots + at, tl.sqrt_rn(tl.abs(a)))
    tl.store(quotients + at, tl.div_rn(a, b))
    tl.store(high + at, tl.umulhi(w, w + 12345))
    tl.store(sines + at, libdevice.asin(tl.clamp(a, -1.0, 1.0)))


@triton.jit
def functions(x, counts, floats, numbers, longs, N: tl.constexpr):
    at = tl.arange(0, N)
    a, n = tl.load(x + at), tl.load(counts + at)
    tl.store(floats + at, libdevice.pow(a, n))
    tl.store(floats + N + at, libdevice.exp10(a))
    tl.store(floats + 2 * N + at, libdevice.saturatef(a))
    tl.store(floats + 3 * N + at, libdevice.rcp_rn(a))
    tl.store(floats + 4 * N + at, libdevice.add_rn(libdevice.mul_rn(a, a), 1.0))
    tl.store(floats + 5 * N + at, libdevice.fast_expf(a))
    tl.store(floats + 6 * N + at, libdevice.pow(a, 5))
    tl.store(floats + 7 * N + at, libdevice.pow(a, -2))
    tl.store(numbers + at, libdevice.finitef(a).to(tl.int32))
    tl.store(numbers + N + at, libdevice.isinf(a).to(tl.int32))
    tl.store(numbers + 2 * N + at, libdevice.isnan(a).to(tl.int32))
    tl.store(numbers + 3 * N + at, libdevice.float_as_int(a))
    tl.store(numbers + 4 * N + at, libdevice.float2int_rd(libdevice.int2float_rn(n) / 4))
    tl.store(longs + at, libdevice.llrint(libdevice.int2float_rn(n) / 4))


@triton.jit
def lookups(x, indices, picked, counts, N: tl.constexpr, BINS: tl.constexpr):
    at = tl.arange(0, N)
    index = tl.load(indices + at)
    tl.store(picked + at, tl.gather(tl.load(x + at), index, 0))
    tl.store(counts + tl.arange(0, BINS), tl.histogram(index % BINS, BINS, mask=index > 3))


@triton.jit
def addresses(x, y, choice, out, N: tl.constexpr):
    """Blocks of pointers that have no one base."""
    at = tl.arange(0, N)
    pointers = tl.where(tl.load(choice + at) > 0, x + at, y + at * 2)
    numbers = pointers.to(tl.int64, bitcast=True)
    tl.store(out + at, tl.load(numbers.to(tl.pointer_type(tl.float32), bitcast=True) + 1))


@triton.jit
def one_base(x, choice, out, n, N: tl.constexpr):
    """Blocks of pointers that meet and have one base."""
    at = tl.arange(0, N)
    pointers = tl.where(tl.load(choice + at) > 0, x + at, x + n + at)
    if n > 8:
        pointers += n
    else:
        pointers += at
    tl.store(out + at, tl.load(pointers))


@triton.jit
def moving(x, out, steps, stride, N: tl.constexpr):
    """Pointers that a loop moves: all by one number, and by another for each."""
    at = tl.arange(0, N)
    near, far, line, total = x + at, x + at, x, tl.zeros((N,), tl.float32)
    for step in tl.range(0, steps, num_stages=3):
        total += tl.load(near) + 2 * tl.load(far) + 4 * tl.load(line)
        near += stride
        far += at
        line += 1
    tl.store(out + at, total)


@triton.jit
def swapped(x, y, out, steps, N: tl.constexpr):
    """Two blocks of pointers that change places in a loop."""
    at = tl.arange(0, N)
    one, other, total = x + at, y + at, tl.zeros((N,), tl.float32)
    for step in range(steps):
        total = 2 * total + tl.load(one)
        one, other = other, one
    tl.store(out + at, total)


@triton.jit
def table(x, rows, out, N: tl.constexpr, LINES: tl.constexpr):
    """Pointers that are in memory, one by one and as a block."""
    at, lines = tl.arange(0, N), tl.arange(0, LINES)
    tl.store(rows + lines, (x + lines * N).to(tl.uint64, bitcast=True))
    tl.debug_barrier()
    second = tl.load(rows + 1).to(tl.pointer_type(tl.float32))
    each = tl.load(rows + lines).to(tl.pointer_type(tl.float32))
    tl.store(out + at, tl.load(second + at))
    tl.store(out + N + lines, tl.load(each + 1))


@triton.jit
def early(out, n, m):
    pid = tl.program_id(0)
    if pid > n:
        if pid > m:
            return
        tl.store(out + pid, 1)
    else:
        tl.store(out + pid, 2)
        if pid == 1:
            return
    tl.store(out + 16 + pid, 3)


@triton.jit
def collatz(start, out, N: tl.constexpr):
    number, steps = tl.load(start + tl.program_id(0)), 0
    while number != 1:
        if number % 2 == 0:
            number = number // 2
        else:
            number = 3 * number + 1
        steps += 1
    tl.store(out + tl.program_id(0), steps)


@triton.jit(noinline=True)
def scaled_row(row, factor, N: tl.constexpr):
    if factor > 2:
        return tl.load(row + tl.arange(0, N)) * factor
    return tl.load(row + tl.arange(0, N))


@triton.jit
def helper(x, out, factor, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), scaled_row(x, factor, N) + 1)


@triton.jit
def hinted(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(x + at, cache_modifier=".cg", eviction_policy="evict_first", volatile=True)
    tl.debug_barrier()
    tl.assume(tl.program_id(0) < 4)
    at = tl.max_contiguous(tl.multiple_of(at + tl.program_id(0) * 64, 8), 64)
    tl.store(out + at, value, cache_modifier=".wt", eviction_policy="evict_last")


@triton.jit
def promised(x, out, n, N: tl.constexpr):
    """Pointers of which nothing is known but what the author says."""
    first = tl.multiple_of(x.to(tl.uint64), 4).to(tl.pointer_type(tl.float32))
    pointers = first + n * tl.arange(0, 2)[:, None] + tl.arange(0, N)[None, :]
    total = tl.zeros((2, N), tl.float32)
    for i in range(3):
        tl.multiple_of(pointers, [16, 16])
        total += tl.load(pointers)
        pointers += 4
    aligned = tl.multiple_of(out.to(tl.uint64), 16).to(tl.pointer_type(tl.float32))
    tl.store(aligned + tl.arange(0, 2)[:, None] * N + tl.arange(0, N)[None, :], total)


@triton.jit
def talkative(x, N: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(x + at)
    tl.device_print("value", value)
    tl.device_print("unsigned", value.to(tl.uint32, bitcast=True))
    tl.device_assert(value < 7, "seven is too much")


@triton.jit
def far(x, out, N: tl.constexpr):
    """Offsets of 32 bits whose sums have more."""
    at = tl.arange(0, N)
    pointers = x + (at + 1073741824)
    pointers += at + 1073741824
    tl.store(out + at, tl.load(pointers - 1073741824 - 1073741824))


@triton.jit
def either_number(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def nans(x, ignored, kept, clamped, N: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(x + at)
    tl.store(ignored, tl.max(value, axis=0))
    tl.store(kept, tl.reduce(value, 0, either_number))
    tl.store(clamped + at, tl.clamp(value, -1.0, 1.0, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def order(a, b):
    if a < b:
        return -1, a
    elif a == b:
        return 0, a + 100
    return 1, b


@triton.jit
def mapped(x, y, signs, smaller, N: tl.constexpr):
    at = tl.arange(0, N)
    sign, least = tl.map_elementwise(order, tl.load(x + at), tl.load(y + at))
    tl.store(signs + at, sign)
    tl.store(smaller + at, least)


@triton.jit
def quotients(a0, a1, a2, a3, b0, b1, b2, b3):
    """Each of the four is told from the others by what is added to it."""
    return a0 // b0, a1 // b1 + 1000, a2 // b2 + 2000, a3 // b3 + 3000, a0 % b0, a1 % b1, a2 % b2, a3 % b3


@triton.jit
def packed(x, y, divided, rest, N: tl.constexpr):
    at = tl.arange(0, N)
    quotient, remainder = tl.map_elementwise(quotients, tl.load(x + at), tl.load(y + at), pack=4)
    tl.store(divided + at, quotient)
    tl.store(rest + at, remainder)


@triton.jit
def inlined(x, y, bytes, mixed, high, low, eight, numbers, half, N: tl.constexpr):
    """Instructions of PTX that only compute."""
    at = tl.arange(0, N)
    a, b = tl.load(x + at), tl.load(y + at)
    tl.store(mixed + at, tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r", [a, b, at], tl.int32, True, 1))
    above, below = tl.inline_asm_elementwise("""
        {
            .reg .b32 t;              // Of two numbers
            max.s32 $0, $2, $3;       /* the larger one, moved; by 32 and more nothing is left */
            and.b32 t, $2, 63;
            shl.b32 $0, $0, t;
        }
        mad.lo.s32 $1, $2, -3, $3;
        shr.s32 $1, $1, 2;
        """, "=r,=r,r,r", [a, b], (tl.int32, tl.int32), True, 1)
    tl.store(high + at, above)
    tl.store(low + at, below)
    tl.store(eight + at, tl.inline_asm_elementwise("and.b32 $0, $1, 0x1F1F1F1F; shl.b32 $0, $0, 3;", "=r,r",
                                                   [tl.load(bytes + at)], tl.int8, True, 4))
    apart = tl.inline_asm_elementwise("""
        { .reg .b8 e<4>; mov.b32 {e0, e1, e2, e3}, $4;
        cvt.u32.u8 $0, e0; cvt.s32.s8 $1, e1; cvt.u32.u8 $2, e2; cvt.u32.u8 $3, e3; }
        cvt.rn.f32.s32 $0, $0; cvt.rn.f32.s32 $1, $1; cvt.rn.f32.u32 $2, $2; cvt.rn.f32.u32 $3, $3;
        fma.rn.f32 $0, $0, 0f40000000, 0f3F800000;
        """, "=f,=f,=f,=f,r", [tl.load(bytes + at)], tl.float32, True, 4)
    tl.store(numbers + at, apart)
    tl.store(half + at, tl.inline_asm_elementwise("neg.f16 $0, $1;", "=h,h", [apart.to(tl.float16)], tl.float16, True, 1))


@triton.jit
def instructions(x, y, a, whole, real, N: tl.constexpr):
    """One row of the results for each."""
    at = tl.arange(0, N)
    words = tl.inline_asm_elementwise("""
        add.u32 $0, $8, $9; sub.s32 $1, $8, $9; mul.lo.s32 $2, $8, $9; min.s32 $3, $8, $9;
        or.b32 $4, $8, $9; xor.b32 $5, $8, $9; not.b32 $6, $8; neg.s32 $7, $8;
        max.u32 $0, $0, 7; shf.r.wrap.b32 $1, $1, $9, 5; shr.u32 $2, $2, 40; min.u32 $3, $3, $8;
        """, "=r,=r,=r,=r,=r,=r,=r,=r,r,r", [tl.load(x + at), tl.load(y + at)], (tl.int32, ) * 8, True, 1)
    for i in tl.static_range(8):
        tl.store(whole + i * N + at, words[i])
    floats = tl.inline_asm_elementwise("""
        add.rn.f32 $0, $8, 0f3f800000; sub.f32 $1, $8, 0f3f800000; mul.ftz.f32 $2, $8, $8; min.f32 $3, $8, 0f3f800000;
        sqrt.approx.ftz.f32 $4, $8; rsqrt.approx.f32 $5, $8; lg2.approx.f32 $6, $8; ex2.approx.ftz.f32 $7, $8;
        abs.f32 $6, $6; max.f32 $6, $6, $8;
        """, "=f,=f,=f,=f,=f,=f,=f,=f,f", [tl.load(a + at)], (tl.float32, ) * 8, True, 1)
    for i in tl.static_range(8):
        tl.store(real + i * N + at, floats[i])
    more = tl.inline_asm_elementwise("sin.approx.f32 $0, $4; cos.approx.f32 $1, $4; tanh.approx.f32 $2, $4; sqrt.rn.f32 $3, $4;",
                                     "=f,=f,=f,=f,f", [tl.load(a + at)], (tl.float32, ) * 4, True, 1)
    for i in tl.static_range(4):
        tl.store(real + (8 + i) * N + at, more[i])
    pairs = tl.inline_asm_elementwise("mov.b32 {a, b}, $1; cvt.f32.f16 c, a; mul.f32 c, c, 0f40000000; cvt.rn.f16.f32 a, c; "
                                      "mov.b32 $0, {b, a};",
                                      "=r,r", [tl.load(a + at).to(tl.float16)], tl.float16, True, 2)
    tl.store(real + 12 * N + at, pairs.to(tl.float32))


@triton.jit
def small_sum(a, b):
    tl.device_assert(a + b < 1000, "a sum is too large")
    tl.device_assert(a + b > -1000, "a sum is too small")
    return a + b


@triton.jit
def asserted(x, total, columns, sums, M: tl.constexpr, N: tl.constexpr):
    """Asserts where elements are combined."""
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    value = tl.load(x + at)
    tl.store(total, tl.reduce(tl.reshape(value, [M * N]), 0, small_sum))
    tl.store(columns + tl.arange(0, N), tl.reduce(value, 0, small_sum))
    tl.store(sums + at, tl.associative_scan(value, 1, small_sum))


@triton.jit
def sized(x, words, halves, N: tl.constexpr):
    """Elements of one size taken for those of another."""
    at = tl.arange(0, N)
    tl.store(words + at, tl.load((x + at).to(tl.pointer_type(tl.int32), bitcast=True)))
    tl.store(halves + at, tl.load((x + at).to(tl.pointer_type(tl.int16), bitcast=True) + 1))


@triton.jit
def drawn(out, seed, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(out + at, tl.randint(seed, at))


@triton.jit
def ordered(x, up, down, N: tl.constexpr):
    """Triton sorts by blocks of extents 2, one dimension for each bit of a place."""
    at = tl.arange(0, N)
    value = tl.load(x + at)
    tl.store(up + at, tl.sort(value))
    tl.store(down + at, tl.sort(value, descending=True))


@triton.jit
def half_swaps(x, compare, value, seen, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(seen + at, tl.atomic_cas(x + at, tl.load(compare + at), tl.load(value + at)))


@triton.jit
def alone(x, out):
    """The only element of a block, as a number."""
    tl.store(out + 1, tl.load(x + tl.arange(0, 1)).item() + 1)


@triton.jit
def guarded(x, y, halves, chosen, kept, N: tl.constexpr):
    """Instructions of PTX that compare, choose, and have an effect where a predicate holds."""
    at = tl.arange(0, N)
    a, b = tl.load(x + at), tl.load(y + at)
    tl.store(halves + at, tl.inline_asm_elementwise("""
        { .reg .pred p;
        setp.gt.ftz.f32 p, $1, 0.25;
        @p  mov.f32 $0, $1;
        @!p mul.f32 $0, $1, 0.5;
        @!p add.f32 $0, $0, -1.; }
        """, "=f,f", [a], tl.float32, True, 1))
    tl.store(chosen + at, tl.inline_asm_elementwise("""
        setp.lo.u32 p, $1, $2; setp.eq.s32 q, $2, 3; or.pred p, p, q; setp.lt.s32 q, $1, -5; not.pred q, q; and.pred p, p, q;
        selp.b32 $0, $1, $2, p;
        """, "=r,r,r", [b, at], tl.int32, True, 1))
    tl.store(kept + at, tl.inline_asm_elementwise("""
        mov.b32 $0, 7; setp.ltu.f32 p, $1, 0f00000000; @p add.s32 $0, $2, 1; setp.nan.f32 p, $1, $1; @p mov.b32 $0, 9;
        """, "=r,f,r", [a, b], tl.int32, True, 1))
