"""The greater as signed numbers."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: max(x, y))
