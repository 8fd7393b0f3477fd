#!/usr/bin/env python3
"""roundtrip.py NPY_DUMP: what NumPy writes we read right; what we write NumPy reads equal.

The hash of the elements is computed here from NumPy's own view of the array.
"""
import itertools
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from numpy.lib import format as npy_format

TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SHAPES = [(), (1,), (7,), (3, 4), (5, 1, 3), (2, 3, 2, 2), (0,), (0, 4), (3, 0, 2), (1,) * 32]


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def samples(code, shape, order):
    """Random bits, so that floats include NaN, infinities and denormals."""
    count = int(np.prod(shape, dtype=np.int64))
    bits = np.random.default_rng(count + len(code)).bytes(count * np.dtype(code).itemsize)
    values = np.frombuffer(bits, dtype=np.uint8) & 1 if code == "b1" else np.frombuffer(bits, code)
    return np.array(values.astype(code).reshape(shape), order=order)


def expected_line(path, array):
    little = array.astype(array.dtype.newbyteorder("<"))
    is_fortran = array.flags.f_contiguous and not array.flags.c_contiguous
    data = little.tobytes(order="F" if is_fortran else "C")
    order = "F" if is_fortran else "C"
    return f"{path}: {little.dtype.name} {array.shape} {order} {fnv1a(data):016x}"


def write_cases(directory):
    """Writes files with NumPy; yields each path and array."""
    for code, shape, order in itertools.product(TYPES, SHAPES, "CF"):
        array = samples(code, shape, order)
        for byte_order in "<>":
            typed = array.astype(array.dtype.newbyteorder(byte_order))
            for version in [(1, 0), (2, 0), (3, 0)]:
                name = f"{code}-{len(shape)}-{array.size}-{order}{'lb'[byte_order == '>']}{version[0]}"
                path = os.path.join(directory, name + ".npy")
                with open(path, "wb") as file, warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    npy_format.write_array(file, typed, version=version)
                yield path, typed


def main(npy_dump):
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        cases = list(write_cases(directory))
        paths = [path for path, _ in cases]
        done = subprocess.run([npy_dump] + paths, capture_output=True, text=True, timeout=60)
        lines = done.stdout.splitlines()
        if done.returncode != 0 or len(lines) != len(cases):
            failures.append(f"npy-dump gave {done.returncode} and {len(lines)} lines")
        for (path, array), line in zip(cases, lines):
            if line != expected_line(path, array):
                failures.append(f"expected {expected_line(path, array)}\n     got {line}")
        # Version 1 of either byte order is enough to have every type, shape and order written.
        for path, array in (case for case in cases if case[0].endswith("1.npy")):
            copy = os.path.join(directory, "copy.npy")
            subprocess.run([npy_dump, "--copy", path, copy], check=True, timeout=60)
            again = np.load(copy, allow_pickle=False)
            with open(copy, "rb") as file:
                aligned = int.from_bytes(file.read(10)[8:], "little") % 64 == 54
            little = array.astype(array.dtype.newbyteorder("<"))
            if (
                not aligned
                or again.dtype != little.dtype
                or again.shape != array.shape
                or again.flags.f_contiguous != array.flags.f_contiguous
                or again.tobytes() != little.tobytes()
            ):
                failures.append(f"{path}: NumPy reads another array from our copy")
        leftovers = [name for name in os.listdir(directory) if ".tmp" in name]
        if leftovers:
            failures.append(f"left behind: {leftovers}")
    print("\n".join(failures) or f"{len(cases)} files agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
