"""What the examples must compute, in float64 and without a look at the kernels.

Each function takes matrices with one row per program and returns pairs (value, scale). An answer in precision u may be
off by a few u * scale: scale is the sum of the magnitudes whose sum or difference the value is, and |value| where
nothing cancels.
"""

import math

import numpy as np


def plain(value):
    return value, np.abs(value)


def row_sum(x):
    if x.dtype == np.int32:
        # Wraps, as i32 does.
        return x.sum(axis=1, dtype=np.int32), None
    return x.sum(axis=1), np.abs(x).sum(axis=1)


def softmax(x):
    """A row that is all -inf or holds +inf or NaN is NaN throughout (language.md, "Softmax rows")."""
    with np.errstate(invalid="ignore", under="ignore"):
        powers = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        return plain(powers / powers.sum(axis=1, keepdims=True))


def softmax_backward(y, dy):
    products = y * dy
    value = y * (dy - products.sum(axis=1, keepdims=True))
    return value, np.abs(y) * (np.abs(dy) + np.abs(products).sum(axis=1, keepdims=True))


def cross_entropy(x, labels, factor):
    """The losses and the derivative times `factor`; rows with a negative label are 0."""
    counts = labels >= 0
    shifted = x - x.max(axis=1, keepdims=True)
    log = np.log(np.exp(shifted).sum(axis=1))
    named = np.take_along_axis(shifted, np.where(counts, labels, 0)[:, None], axis=1)[:, 0]
    target = np.arange(x.shape[1])[None, :] == labels[:, None]
    powers = np.exp(shifted - log[:, None])
    weight = np.where(counts, factor, 0.0)[:, None]
    losses = np.where(counts, log - named, 0.0), np.where(counts, np.abs(log) + np.abs(named), 0.0)
    return losses, ((powers - target) * weight, (powers + target) * np.abs(weight))


def argmax(x):
    """The greatest element of each row and the first column that has it, as columns; NaN is greater than all."""
    at = x.argmax(axis=1)[:, None]
    return np.take_along_axis(x, at, axis=1), at.astype(np.int32)


def rms_norm(x, weight, eps):
    return plain(x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * weight)


def layer_norm(x, weight, bias, eps):
    """The normalised rows, their means, and 1 / their deviations."""
    mean = x.mean(axis=1, keepdims=True)
    size = np.abs(x).mean(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(x.var(axis=1, keepdims=True) + eps)
    value = (x - mean) * rstd * weight + bias
    # x - mean is as exact as x and the mean are.
    scale = (np.abs(x) + size) * rstd * np.abs(weight) + np.abs(bias)
    return (value, scale), (mean[:, 0], size[:, 0]), (rstd[:, 0], (rstd * (1 + size * rstd))[:, 0])


def matmul(a, b, slope, error):
    """Products of matrices; what is negative is scaled by the slope. Integers wrap as i32 does. The scale is the sum of
    the magnitudes, times the slope where the product is negative although it be off by `error` times that sum."""
    value = a @ b
    if value.dtype == np.int64:
        value = value.astype(np.int32)
        return np.where(value < 0, value * slope, value), None
    scale = np.abs(a) @ np.abs(b)
    scaled = np.where(value < -error * scale, scale * abs(float(slope)), scale)
    return np.where(value < 0, value * slope, value), scaled


def matmul_bent(a, b, bias, curve, slope, error):
    """The same with a bias for each column, and another curve than that of the slope: itself, or GELU, whose slope is at
    most 1.13."""
    value, scale = a @ b + bias, np.abs(a) @ np.abs(b) + np.abs(bias)
    if curve == "gelu":
        return gelu_erf(value)[0], 1.2 * scale
    slope = 1.0 if curve == "plain" else float(slope)
    return np.where(value < 0, value * slope, value), np.where(value < -error * scale, scale * abs(slope), scale)


def gelu_tanh(x):
    """x times the logistic function of 2 u: x / 2 * (1 + tanh u) without its cancellation, which the scale knows."""
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    with np.errstate(over="ignore"):
        return x / (1 + np.exp(-2 * u)), np.abs(x)


def gelu_erf(x):
    """x / 2 * erfc(-x / sqrt 2): x / 2 * (1 + erf) without its cancellation, which the scale knows."""
    erfc = np.array([math.erfc(-v * math.sqrt(0.5)) for v in x.ravel()]).reshape(x.shape)
    return x / 2 * erfc, np.abs(x)


def philox(counter, key):
    """The four words that Philox-4x32-10 makes of each counter (Salmon et al., 2011, section 4.3), one row each."""
    words = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for i in range(10):
        step = [np.uint64((key + i * 0x9E3779B9) & 0xFFFFFFFF), np.uint64(((key >> 32) + i * 0xBB67AE85) & 0xFFFFFFFF)]
        first, second = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [second >> half ^ words[1] ^ step[0], second & low, first >> half ^ words[3] ^ step[1], first & low]
    return np.stack(words, axis=-1)


def dropout(x, p, seed):
    """`x` and `p` in the type that is computed in, whose division is rounded once."""
    words = philox(np.arange(-(-x.size // 4)), seed).ravel()[:x.size].reshape(x.shape)
    return np.where((words >> np.uint64(8)) * 2.0**-24 < p, x / p, x.dtype.type(0))
