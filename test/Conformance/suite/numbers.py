"""Numbers as texts: of a kernel, and of fsm-run's command line."""

import math

from suite import formats


def written(bits, kind):
    """A number in a kernel's text, the same bits."""
    if kind == "i1":
        return "true" if bits else "false"
    if formats.is_float(kind):
        return f"0x{bits:0{formats.WIDTH[kind] // 4}X}"
    return str(formats.decode(bits, kind))


def given(bits, kind):
    """A number as an argument of fsm-run."""
    if kind == "i1":
        return str(bits)
    number = formats.decode(bits, kind)
    if not formats.is_float(kind):
        return str(number)
    if math.isnan(number):
        return "nan"
    return repr(number) if math.isfinite(number) else "-inf" if number < 0 else "inf"
