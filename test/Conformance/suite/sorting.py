"""The order in which elements are sorted."""

import numpy as np

from suite import formats


def orders(kind, data):
    """A number for each element, in whose order they stand: NaN behind all others, -0 in front of +0."""
    if not formats.is_float(kind):
        return [bits if kind == "i1" else formats.decode(bits, kind) for bits in data.reshape(-1).tolist()]
    sign = 1 << (formats.WIDTH[kind] - 1)
    nan = formats.is_nan(data.reshape(-1), kind)
    return [1 << 70 if lost else -(bits - sign) - 1 if bits & sign else bits
            for bits, lost in zip(data.reshape(-1).tolist(), nan)]


def sorted_indices(kind, data, axis, descending):
    """For each place the coordinate along the axis of what comes there; of equal elements the first comes first."""
    numbers = np.array(orders(kind, data), object).reshape(data.shape)
    lines = np.moveaxis(numbers, axis, -1)
    found = np.empty(lines.shape, np.int64)
    for place in np.ndindex(lines.shape[:-1]):
        line = lines[place]
        found[place] = sorted(range(len(line)), key=lambda i, line=line: -line[i] if descending else line[i])
    return np.moveaxis(found, -1, axis)
