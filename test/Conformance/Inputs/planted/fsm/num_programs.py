"""A hole: nothing is said of what the other types do."""

from suite.elementwise import Op


class Hole(Op):
    def launches(self, row, kind):
        return []

    def refused(self, row, kind):
        return []


OP = Hole()
