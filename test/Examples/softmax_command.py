"""The two ends of softmax-command.test: `make FILE` writes the input, `compare INPUT OUTPUT` checks the answer."""

import sys

import numpy as np

import references
from example import SOFTMAX_ERROR

SHAPE = (1823, 781)


def main():
    if sys.argv[1] == "make":
        np.save(sys.argv[2], np.random.default_rng(1823).standard_normal(SHAPE, np.float32))
        return
    x, y = np.load(sys.argv[2]), np.load(sys.argv[3])
    if y.shape != SHAPE or y.dtype != np.float32:
        sys.exit(f"expected float32 {SHAPE}, got {y.dtype} {y.shape}")
    value, scale = references.softmax(x.astype(np.float64))
    error = np.abs(y - value)
    if not (error <= SOFTMAX_ERROR * scale + 1e-37).all():
        sys.exit(f"expected errors of at most {SOFTMAX_ERROR} of the value, got {(error / scale).max()}")


main()
