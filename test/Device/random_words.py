"""fsm.philox on every device: the published vectors, and random counters and keys in blocks of several extents.

Usage: random_words.py FSM_RUN [--devices=A,B]. The vectors are those of Random123's kat_vectors for philox4x32 with 10
rounds; other answers are Python's, of integers of any size.
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, finish, perform

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "random-words.mlir"
ONES = 0xFFFFFFFF
# Counter and key, result.
PUBLISHED = [
    ([0] * 6, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([ONES] * 6, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0],
     [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
]
EXTENTS = ((1, 1), (3, 1), (100, 4), (256, 2), (1024, 8))


def philox(words):
    """Section 4.3 of "Parallel random numbers: as easy as 1, 2, 3"."""
    right0, left0, right1, left1 = words[0], words[1], words[2], words[3]
    for i in range(10):
        keys = [(words[4] + i * 0x9E3779B9) % 2**32, (words[5] + i * 0xBB67AE85) % 2**32]
        high0, low0 = divmod(right0 * 0xD2511F53, 2**32)
        high1, low1 = divmod(right1 * 0xCD9E8D57, 2**32)
        right0, left0, right1, left1 = high1 ^ left0 ^ keys[0], low1, high0 ^ left1 ^ keys[1], low0
    return [right0, left0, right1, left1]


def run_scalars(fsm_run, device, words, folder):
    signed = np.array(words, np.uint32).view(np.int32)
    perform(fsm_run, [str(SOURCE), "--kernel=scalars", f"--device={device}", "--grid=1", "-D", "N=1", "--arg=i32[4]",
                      *(f"--arg={word}" for word in signed), f"--out=0:{folder / 'out.npy'}"])
    return np.load(folder / "out.npy").view(np.uint32)


def run_blocks(fsm_run, device, words, warps, folder):
    np.save(folder / "in.npy", words.T.copy().view(np.int32))
    perform(fsm_run, [str(SOURCE), "--kernel=blocks", f"--device={device}", "--grid=1", "-D", f"N={len(words)}",
                      f"--num-warps={warps}", f"--arg=i32[4x{len(words)}]", f"--arg=@{folder / 'in.npy'}",
                      f"--out=0:{folder / 'out.npy'}"])
    return np.load(folder / "out.npy").view(np.uint32)


def main():
    random = np.random.default_rng(2011)
    failures = checks = 0
    for words, answer in PUBLISHED:
        if philox(words) != answer:
            sys.exit("this file's own Philox does not give the published words")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for device in DEVICES:
            for words, answer in PUBLISHED:
                checks += 1
                got = run_scalars(sys.argv[1], device, words, folder)
                if got.tolist() != answer:
                    failures += 1
                    print(f"{words} on {device}: got {got}, expected {answer}")
            for extent, warps in EXTENTS:
                words = random.integers(0, 2**32, (extent, 6), np.uint32)
                words[:len(PUBLISHED)] = [counter for counter, _ in PUBLISHED[:extent]]
                answer = np.array([philox(row) for row in words.tolist()], np.uint32).T
                checks += 1
                got = run_blocks(sys.argv[1], device, words, warps, folder)
                if not np.array_equal(got, answer):
                    failures += 1
                    print(f"{extent} counters on {device}: {int((got != answer).sum())} words wrong")
    print(f"{checks} checks, {failures} failed")
    return 0 if finish() and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
