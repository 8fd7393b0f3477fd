"""Writes truth values of bytes 0, 51, 102, 153, 204 and 1, and what is made of them: truth.py PREFIX."""

import sys

import numpy as np

prefix = sys.argv[1]
places = np.arange(1000)
data = np.where(places % 7 == 6, 1, places % 5 * 51).astype(np.uint8)
truth = data != 0
np.save(f"{prefix}.in.npy", data.view(np.int8))
np.save(f"{prefix}.truth.npy", truth)
np.save(f"{prefix}.chosen.npy", np.where(truth, 8, 0).astype(np.int32))
np.save(f"{prefix}.masked.npy", np.where(truth, places, 0).astype(np.float32))
