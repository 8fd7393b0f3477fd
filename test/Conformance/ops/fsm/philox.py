"""Philox-4x32-10 as its authors define it, with the words that they publish for three counters and keys."""

from suite import values
from suite.elementwise import Elementwise

MASK = 0xFFFFFFFF
# Known answers of the authors' library Random123: counter, key, words.
KNOWN = (
    ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([MASK] * 4, [MASK] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0],
     [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
)


def philox(c0, c1, c2, c3, k0, k1, *_):
    for _ in range(10):
        first, second = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (second >> 32) ^ c1 ^ k0, second & MASK, (first >> 32) ^ c3 ^ k1, first & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


class Philox(Elementwise):
    """Four results of six operands, the published ones first."""

    def __init__(self):
        super().__init__(("i32",), philox, 6, text="{op} counter {0}, {1}, {2}, {3} key {4}, {5} : {T0}", unsigned=True)

    def kinds(self, row, kind):
        return [kind] * 6, [kind] * 4

    def tuples(self, row, kinds):
        for counter, key, words in KNOWN:
            if philox(*counter, *key) != tuple(words):
                raise ValueError("the reference is not Philox")
        specials = values.special("i32")
        chosen = [counter + key for counter, key, _ in KNOWN]
        chosen += [[specials[(i + j * k) % len(specials)] for k in range(6)] for i in range(12) for j in range(1, 6)]
        return chosen + [list(words) for words in zip(*(values.random("i32", values.RANDOM, "philox", k) for k in range(6)))]


OP = Philox()
