"""Differences wrap in their own width."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x - y)
