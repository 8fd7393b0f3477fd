"""Kernels of Triton with a mistake each, as people make them, and for each the launch that check=True is to stop.

A function `launch_NAME()` launches it; `FIXED` of the module, if true, launches each without the mistake.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def no_mask(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) * 2)  # bug: nothing keeps the last block inside


def launch_no_mask(is_fixed):
    n = 256 if is_fixed else 250
    no_mask[(2, )](torch.ones(n), torch.ones(n), n, BLOCK=128)


@triton.jit
def off_by_one(x, y, n, last, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at <= last
    tl.store(y + at, tl.load(x + at, mask=mask), mask=mask)  # bug: n elements have no element n


def launch_off_by_one(is_fixed):
    off_by_one[(2, )](torch.ones(200), torch.ones(200), 200, 199 if is_fixed else 200, BLOCK=128)


@triton.jit
def lost_sum(x, total, n, ATOMIC: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + at, mask=at < n, other=0.0), axis=0)
    if ATOMIC:
        tl.atomic_add(total, part)
    else:
        tl.store(total, tl.load(total) + part)  # bug: programs overwrite what others added


def launch_lost_sum(is_fixed):
    lost_sum[(4, )](torch.ones(512), torch.zeros(1), 512, ATOMIC=is_fixed, BLOCK=128)


@triton.jit
def overlapping_blocks(x, y, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * step + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) + tl.program_id(0))  # bug: blocks begin too close together


def launch_overlapping_blocks(is_fixed):
    overlapping_blocks[(3, )](torch.ones(400), torch.ones(400), 128 if is_fixed else 120, BLOCK=128)


@triton.jit
def wrong_stride(x, y, stride, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + at, mask=at < columns, other=0.0)  # bug: a stride in bytes
    tl.store(y + row, tl.sum(value, axis=0))


def launch_wrong_stride(is_fixed):
    x = torch.ones(8, 100)
    wrong_stride[(8, )](x, torch.zeros(8), x.stride(0) * (1 if is_fixed else x.element_size()), 100, BLOCK=128)


@triton.jit
def in_place_shift(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n - 1
    tl.store(out + at, tl.load(x + at + 1, mask=mask) + 1, mask=mask)  # bug: in place, a block reads what the next one writes


def launch_in_place_shift(is_fixed):
    x = torch.ones(512)
    in_place_shift[(4, )](x, torch.ones(512) if is_fixed else x, 512, BLOCK=128)


@triton.jit
def wrong_index(x, index, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + tl.load(index + at)))  # bug: an index of -1 for "none" is not masked


def launch_wrong_index(is_fixed):
    index = torch.arange(64, dtype=torch.int32)
    index[17] = 17 if is_fixed else -1
    wrong_index[(1, )](torch.ones(64), index, torch.ones(64), BLOCK=64)


@triton.jit
def swapped_bounds(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows, columns = tl.arange(0, BM)[:, None], tl.arange(0, BN)[None, :]
    mask = (rows < M) & (columns < N)
    tl.store(y + rows * N + columns, tl.load(x + rows * N + columns, mask=mask), mask=mask)  # bug: M and N are swapped


def launch_swapped_bounds(is_fixed):
    x, y = torch.ones(10, 30), torch.ones(10, 30)
    swapped_bounds[(1, )](x, y, *((10, 30) if is_fixed else (30, 20)), BM=32, BN=32)


@triton.jit
def failed_assumption(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=1.0)
    tl.device_assert(value > 0, "a logarithm of what is not positive")  # bug: of the caller's
    tl.store(y + at, tl.log(value), mask=at < n)


def launch_failed_assumption(is_fixed):
    x = torch.ones(100)
    x[40] = 1 if is_fixed else -1
    failed_assumption[(1, )](x, torch.ones(100), 100, BLOCK=128, debug=True)


@triton.jit
def late_reader(x, part, out, BLOCK: tl.constexpr):
    program, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(part + program, tl.sum(tl.load(x + program * BLOCK + at), axis=0))
    if program == 3:
        others = tl.load(part + tl.arange(0, 4))  # bug: nobody says that the other programs are done
        tl.store(out, tl.sum(others, axis=0))


def launch_late_reader(is_fixed):
    late_reader[(1 if is_fixed else 4, )](torch.ones(512), torch.zeros(4), torch.zeros(1), BLOCK=128)


@triton.jit
def mean_in_its_row(x, mean, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(mean, tl.sum(tl.load(x + at), axis=0) / BLOCK)
    tl.store(y + at, tl.load(x + at) * 2.0)  # bug: nothing orders this load and the store, and the mean is in the row


def launch_mean_in_its_row(is_fixed):
    x = torch.ones(512)
    mean_in_its_row[(1, )](x, torch.zeros(1) if is_fixed else x[37:], torch.ones(512), BLOCK=512)


@triton.jit
def never_zeroed(x, total, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(total, tl.sum(tl.load(x + at, mask=at < n, other=0.0), axis=0))  # bug: of the caller's, who made it by empty()


def launch_never_zeroed(is_fixed):
    total = torch.empty(1)
    if is_fixed:
        total.zero_()
    never_zeroed[(4, )](torch.ones(500), total, 500, BLOCK=128)


@triton.jit
def misaligned_descriptor(x, y, first, stride, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.make_tensor_descriptor(x + first, shape=[BM, BN], strides=[stride, 1], block_shape=[BM, BN])  # bug: of the caller's
    tl.store(y + tl.arange(0, BM), tl.sum(rows.load([0, 0]), axis=1))


def launch_misaligned_descriptor(is_fixed):
    misaligned_descriptor[(1, )](torch.ones(9 * 36), torch.ones(8), 4 if is_fixed else 3, 36, BM=8, BN=32)


@triton.jit
def misaligned_rows(x, y, stride, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.make_tensor_descriptor(x, shape=[BM, BN], strides=[stride, 1], block_shape=[BM, BN])  # bug: rows of 140 bytes
    tl.store(y + tl.arange(0, BM), tl.sum(rows.load([0, 0]), axis=1))


def launch_misaligned_rows(is_fixed):
    misaligned_rows[(1, )](torch.ones(8 * 36), torch.ones(8), 36 if is_fixed else 35, BM=8, BN=32)


@triton.jit
def swapped_strides(x, y, row_stride, column_stride, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    block = tl.load(x + rows * row_stride + columns * column_stride)  # bug: of the caller's, who has mixed them up
    tl.store(y + rows * N + columns, block)


def launch_swapped_strides(is_fixed):
    x = torch.ones(16, 64)
    swapped_strides[(1, )](x, torch.ones(16, 64), *(x.stride() if is_fixed else reversed(x.stride())), M=16, N=64)


@triton.jit
def unmasked_store(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, value)  # bug: the load has a mask, the store has none


def launch_unmasked_store(is_fixed):
    unmasked_store[(2, )](torch.ones(200), torch.ones(256 if is_fixed else 200), 200, BLOCK=128)


@triton.jit
def cast_too_late(x, y, EARLY: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    if EARLY:
        pointers = x.to(tl.pointer_type(tl.float32)) + at
    else:
        pointers = (x + at).to(tl.pointer_type(tl.float32))
    tl.store(y + at, tl.load(pointers))  # bug: offsets of two bytes, and elements of four


def launch_cast_too_late(is_fixed):
    cast_too_late[(1, )](torch.ones(256, dtype=torch.float16), torch.ones(128), EARLY=is_fixed, BLOCK=128)


@triton.jit
def relaxed_flag(data, flag, out, ORDER: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(data, 42.0)
        tl.atomic_xchg(flag, 1, sem=ORDER)
    else:
        while tl.atomic_cas(flag, 1, 1, sem=ORDER) == 0:
            pass
        tl.store(out, tl.load(data))  # bug: the flag is there, and nothing says that the number is


def launch_relaxed_flag(is_fixed):
    order = "acq_rel" if is_fixed else "relaxed"
    relaxed_flag[(2, )](torch.zeros(1), torch.zeros(1, dtype=torch.int32), torch.zeros(1), ORDER=order)


@triton.jit
def first_one_stores(x, total, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    part = tl.sum(tl.load(x + program * BLOCK + tl.arange(0, BLOCK)), axis=0)
    if FIRST and program == 0:
        tl.store(total, part)
    else:
        tl.atomic_add(total, part)  # bug: the first program may store behind what others have added


def launch_first_one_stores(is_fixed):
    first_one_stores[(4, )](torch.ones(512), torch.zeros(1), FIRST=not is_fixed, BLOCK=128)


@triton.jit
def one_scratch_for_all(x, scratch, y, stride, BLOCK: tl.constexpr):
    program, at = tl.program_id(0), tl.arange(0, BLOCK)
    own = scratch + program * stride
    tl.store(own + at, tl.load(x + program * BLOCK + at))  # bug: barriers are of one program, the buffer is of all
    tl.debug_barrier()
    tl.store(y + program * BLOCK + at, tl.load(own + (BLOCK - 1 - at)))


def launch_one_scratch_for_all(is_fixed):
    one_scratch_for_all[(4, )](torch.ones(512), torch.zeros(512), torch.ones(512), 128 if is_fixed else 0, BLOCK=128)


@triton.jit
def last_step(x, y, n, BLOCK: tl.constexpr):
    sums, at = tl.zeros((BLOCK, ), tl.float32), tl.arange(0, BLOCK)
    for first in range(0, n, BLOCK):
        sums += tl.load(x + first + at)  # bug: the last step is shorter
    tl.store(y + at, sums)


def launch_last_step(is_fixed):
    n = 384 if is_fixed else 300
    last_step[(1, )](torch.ones(n), torch.ones(128), n, BLOCK=128)


@triton.jit
def swapped_programs(x, y, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    columns = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    tl.store(y + rows * N + columns, tl.load(x + rows * N + columns))  # bug: of the caller's, who has the grid the other way round


def launch_swapped_programs(is_fixed):
    swapped_programs[(4, 2) if is_fixed else (2, 4)](torch.ones(64, 64), torch.ones(64, 64), 64, BM=16, BN=32)


@triton.jit
def everybody_does_all(x, y, rows, step, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, step):
        tl.store(y + row * BLOCK + at, tl.load(x + row * BLOCK + at) * 2)  # bug: the step is not the number of programs


def launch_everybody_does_all(is_fixed):
    everybody_does_all[(4, )](torch.ones(8, 128), torch.ones(8, 128), 8, 4 if is_fixed else 1, BLOCK=128)


@triton.jit
def too_few_programs(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)  # bug: of the launch before, which has left out the rest


def launch_too_few_programs(is_fixed):
    between, programs = torch.empty(300), triton.cdiv(300, 128)
    too_few_programs[(programs if is_fixed else 300 // 128, )](torch.ones(300), between, 300, BLOCK=128)
    too_few_programs[(programs, )](between, torch.ones(300), 300, BLOCK=128)


KERNELS = [name.removeprefix("launch_") for name in globals() if name.startswith("launch_")]
