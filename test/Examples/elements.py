"""The element types of the examples: how NumPy stores them, how a float64 is rounded to them, which parameters choose
them."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Element:
    """One element type. `storage` is the dtype of its .npy files; bf16 is kept as its bits in uint16."""

    name: str
    storage: type
    parameters: dict = field(hash=False)

    @property
    def is_integer(self):
        return self.name in ("i8", "i32", "i64")

    @property
    def is_half(self):
        return self.name in ("f16", "bf16")

    def round(self, values):
        """The stored form of exact values, rounded once to nearest even."""
        if self.name == "bf16":
            return round_to_bf16(values)
        with np.errstate(over="ignore"):
            return np.asarray(values).astype(self.storage)

    def widen(self, stored):
        """The exact values of stored elements: float64, integers as they are."""
        if self.is_integer:
            return stored
        if self.name == "bf16":
            stored = (stored.astype(np.uint32) << 16).view(np.float32)
        return stored.astype(np.float64)

    def ordinals(self, stored):
        """Integers in the order of the values, neighbours one apart, both zeros 0. For f16 and bf16."""
        bits = stored.view(np.uint16).astype(np.int32)
        return np.where(bits & 0x8000, -(bits & 0x7FFF), bits)


def round_to_bf16(values):
    """The bits of the nearest bf16. Going through float32 rounds twice, so that step rounds to odd, which loses nothing
    the second rounding could see (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008)."""
    exact = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore"):
        single = exact.astype(np.float32)
    single = np.where(np.isinf(single) & np.isfinite(exact), np.copysign(np.finfo(np.float32).max, exact), single)
    single = single.astype(np.float32)
    inexact = np.isfinite(exact) & (single.astype(np.float64) != exact)
    away = np.abs(single.astype(np.float64)) > np.abs(exact)
    bits = single.view(np.uint32).astype(np.int64)
    bits = np.where(inexact, (bits - (inexact & away)) | 1, bits)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(exact), 0x7FC0, rounded).astype(np.uint16)


ELEMENTS = {
    element.name: element
    for element in (
        Element("i32", np.int32, {"T": "i32", "ADD": "arith.addi"}),
        Element("i8", np.int8, {"T": "i8"}),
        Element("i64", np.int64, {"T": "i64"}),
        Element("f32", np.float32, {}),
        Element("f64", np.float64, {"T": "f64", "C": "f64", "NINF": "0xFFF0000000000000"}),
        Element("f16", np.float16, {"T": "f16", "WIDEN": "arith.extf", "NARROW": "arith.truncf", "NINF": "0xFC00"}),
        Element("bf16", np.uint16, {"T": "bf16", "WIDEN": "arith.extf", "NARROW": "arith.truncf", "NINF": "0xFF80"}),
    )
}
