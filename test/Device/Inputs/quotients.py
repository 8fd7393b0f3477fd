"""Numbers, divisors, and what test/Device/quotients.mlir has to make of them, in Python's integers; the argument is the beginning of
the files' names."""

import sys

import numpy

PATH = sys.argv[1]
RANDOM = numpy.random.default_rng(5)
COUNT = 65536


def signed(number, bits):
    number %= 1 << bits
    return number - (1 << bits) if number >> (bits - 1) else number


def pairs(bits):
    """As unsigned numbers: all of 8 bits; of more those around a multiple of the divisor."""
    if bits == 8:
        return [(place >> 8, place & 255) for place in range(COUNT)]
    mask, result = (1 << bits) - 1, []
    for place in range(COUNT):
        divisor = int(RANDOM.integers(1, 1 << int(RANDOM.integers(1, bits + 1)), dtype=numpy.uint64))
        most = mask // divisor
        number = divisor * (most - int(RANDOM.integers(0, min(most, 3) + 1))) + place % 3 - 1
        if place % 4 == 3:
            divisor = -divisor
        result.append((number & mask, divisor & mask))
    return result


def toward_zero(number, divisor):
    quotient = abs(number) // abs(divisor)
    return quotient if (number < 0) == (divisor < 0) else -quotient


def answers(number, divisor, bits):
    a, b = signed(number, bits), signed(divisor, bits)
    quotient = toward_zero(a, b)
    return (quotient, a - quotient * b, number // divisor, number % divisor, a // b, -(-a // b), -(-number // divisor))


for BITS in (8, 16, 32, 64):
    lowest = 1 << (BITS - 1)
    # Division by zero, and the lowest number by -1, have no answer.
    chosen = [(a, 1 if b == 0 or (a == lowest and b == 2 * lowest - 1) else b) for a, b in pairs(BITS)]
    values = numpy.array([answers(a, b, BITS) for a, b in chosen], dtype=object).T
    kind = numpy.dtype(f"int{BITS}")
    for name, column in (("a", [a for a, _ in chosen]), ("b", [b for _, b in chosen])):
        numpy.save(f"{PATH}.{name}{BITS}.npy", numpy.array([signed(x, BITS) for x in column], dtype=kind))
    numpy.save(f"{PATH}.out{BITS}.npy", numpy.array([[signed(int(x), BITS) for x in row] for row in values], dtype=kind))
