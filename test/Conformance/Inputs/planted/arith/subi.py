"""A wrong list of types: i16 is taken, and so are the floats not."""

from suite.elementwise import integers

OP = integers(lambda x, y, w: x - y, types=("i1", "i8", "i32", "i64"))
