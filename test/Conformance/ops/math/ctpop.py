"""How many bits are 1."""

from suite.elementwise import integers

OP = integers(lambda x, w: bin(x).count("1"), operands=1, unsigned=True)
