"""The same bits as another type of the same width, every type to every such type."""

from suite import formats
from suite.elementwise import Conversion


class Bitcast(Conversion):
    """Takes bits and gives bits."""

    def rounded(self, value, kind):
        return value


PAIRS = [(a, b) for a in formats.ELEMENTS for b in formats.ELEMENTS if formats.WIDTH[a] == formats.WIDTH[b]]

OP = Bitcast(PAIRS, lambda bits, target: bits, unsigned=True)
