"""What a file of ops/ declares."""

from suite import formats


class Op:
    """What a file of ops/ declares as OP. The loader gives it its `name`.

    The table has a line for each of `rows`; `launches` are the launches of one line and type, or none if the language
    refuses the two, and then `refused` is kernels that it must refuse, each with the line of the text where the op is.
    """

    name = ""
    rows = ("",)
    # Lines without element types have one cell.
    typed = True
    # Types whose refusal has nothing to be tried on: the op has no operand or result that could have them.
    types = formats.ELEMENTS

    def launches(self, row, kind):
        raise NotImplementedError

    def refused(self, row, kind):
        raise NotImplementedError
