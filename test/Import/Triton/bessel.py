"""Bessel's functions by their power series in 60 digits (Abramowitz and Stegun, 9.1.10 to 9.1.13 and 9.6.10)."""

from decimal import Decimal, getcontext

getcontext().prec = 60
GAMMA = Decimal("0.5772156649015328606065120900824024310421593359399235988057672")
PI = Decimal("3.1415926535897932384626433832795028841971693993751058209749446")


def series(x, order, sign, weight=lambda k: 1):
    """The sum over k of weight(k) sign^k (x / 2)^(2 k + order) / (k! (k + order)!)."""
    half = Decimal(x) / 2
    term, total, k = half ** order, Decimal(0), 0
    while k < 20 or abs(term) > Decimal(10) ** -45:
        total += weight(k) * term
        k += 1
        term = term * sign * half * half / (k * (k + order))
    return total


def harmonic(k):
    return sum((Decimal(1) / i for i in range(1, k + 1)), Decimal(0))


def j0(x):
    return float(series(x, 0, -1))


def j1(x):
    return float(series(x, 1, -1))


def i0(x):
    return float(series(x, 0, 1))


def i1(x):
    return float(series(x, 1, 1))


def y0(x):
    sums = series(x, 0, -1, harmonic)
    return float(2 / PI * (((Decimal(x) / 2).ln() + GAMMA) * series(x, 0, -1) - sums))


def y1(x):
    # psi(k + 1) + psi(k + 2) = H(k) + H(k + 1) - 2 gamma.
    sums = series(x, 1, -1, lambda k: harmonic(k) + harmonic(k + 1) - 2 * GAMMA)
    return float((-2 / Decimal(x) + 2 * (Decimal(x) / 2).ln() * series(x, 1, -1) - sums) / PI)
