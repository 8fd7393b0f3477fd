"""What test/Device/views.mlir has to compute, by NumPy; the argument is the beginning of the files' names."""

import sys

import numpy

PATH = sys.argv[1]
RANDOM = numpy.random.default_rng(11)


def save(name, array):
    numpy.save(f"{PATH}.{name}.npy", array)


def turned_mask():
    mask = numpy.arange(64) < 20 * numpy.arange(4)[:, None, None]
    mask = numpy.broadcast_to(mask, (4, 4, 64))
    return numpy.where(mask, mask.transpose(1, 0, 2), -1).astype(numpy.int32).reshape(-1)


def short_rows(data):
    source = 7 * numpy.arange(64)[:, None] + numpy.arange(4)
    return (numpy.where(source % 3 == 0, data[source], numpy.float32(0.05)) * 10).astype(numpy.float32)


def odd_rows():
    place = numpy.arange(24, dtype=numpy.int32)
    pairs = numpy.stack([(place * place).reshape(8, 3).T, place.reshape(3, 8)], axis=-1)
    return pairs.transpose(2, 1, 0).reshape(-1)


def turns(block, count):
    for _ in range(count):
        turned = block.reshape(8, 2, 4).transpose(2, 0, 1)
        left, right = turned[..., 0], turned[..., 1]
        block = numpy.stack([left + right, left - right], axis=-1).reshape(-1)
    return block


# The last row ends with the array.
IN = RANDOM.standard_normal(7 * 63 + 4).astype(numpy.float32)
BLOCK = RANDOM.integers(-8, 8, 64).astype(numpy.float32)
save("turned", turned_mask())
save("in", IN)
save("rows", short_rows(IN))
save("odd", odd_rows())
save("64", BLOCK)
save("turns", turns(BLOCK, 5))
save("square", BLOCK.reshape(8, 8).T.reshape(-1))
save("column", 2 * numpy.arange(127, dtype=numpy.int32))
ROWS = numpy.broadcast_to(numpy.arange(6)[:, None, None] - numpy.arange(5)[:, None], (6, 5, 8))
save("turned_rows", ROWS.reshape(30, 8).T.reshape(-1).astype(numpy.int32))
