"""Operands that are one number for many elements: a scalar, a constant, a row or a column, repeated to a block.

A compiler may compute such an operand once, fold it, or take another way to the result; the answers are those of blocks.
"""

import zlib
from collections import namedtuple

import numpy as np

from suite import formats, values
from suite.kernels import Kernel, block
from suite.launches import In, Out
from suite.numbers import written

ROWS, COLUMNS = 3, 43
SHAPE, EXTENT = (ROWS, COLUMNS), ROWS * COLUMNS
PROGRAMS = 8
# What compilers know something about: numbers of which an op is free, or that decide its result.
FLOATS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, 0.5, "least", "largest", "normal")

# One line of a kernel: the op's variant, and for each element of each program which tuple of operands it takes.
Form = namedtuple("Form", "name variant indices")


def constants(kind):
    """Bits of the numbers that code may name, the interesting ones first."""
    if not formats.is_float(kind):
        top = 1 << (formats.WIDTH[kind] - 1)
        return list(dict.fromkeys([0, 1, 2 * top - 1, top, top - 1, 2 % (2 * top), formats.WIDTH[kind] - 1]))
    named = {"least": 1, "largest": formats.encode(formats.largest(kind), kind),
             "normal": formats.encode(formats.is_close_to_zero(kind), kind)}
    return [named[n] if isinstance(n, str) else formats.encode(n, kind) for n in FLOATS]


class Repeated:
    """A kernel with a line for each way in which an operand of the op can be repeated. A program takes a part of one
    input for each operand, and of one output for each result; a line takes and leaves EXTENT elements of these."""

    def __init__(self, op, row, kind, tuples):
        self.op, self.row, self.kind = op, row, kind
        self.kinds, self.results = op.kinds(row, kind)
        self.tuples = np.array(tuples, np.uint64)
        self.title = f"repeated operands to {row or kind}"
        self.turn = zlib.crc32(f"{op.name} {row} {kind}".encode())
        self.programs, self.forms = PROGRAMS, []
        # All operands of a line, for each of which a function writes it.
        plans = list(self.plans())
        arguments = {f"o{i}": "*" + result for i, result in enumerate(self.results)}
        arguments.update({f"p{i}": "*" + operand for i, operand in enumerate(self.kinds)})
        self.kernel = Kernel(**arguments)
        program = self.kernel.define("fsm.program_id x : i32")
        part = self.kernel.constant(len(plans) * EXTENT)
        self.first = self.kernel.define(f"arith.muli {program}, {part} overflow<nsw> : i32")
        texts = list(op.variants)
        for number, (name, position, indices, write) in enumerate(plans):
            variant = (self.turn + number) % len(texts)
            self.forms.append(Form(f"operand {position} {name}", variant, indices))
            self.write_line(number, texts[variant], position, write)

    def groups(self, position):
        """For each number in a position the tuples that have it: a function from arrays of numbers' ranks and of counts to
        tuples."""
        column = self.tuples[:, position]
        numbers, inverse, sizes = np.unique(column, return_inverse=True, return_counts=True)
        order, starts = np.argsort(inverse, kind="stable"), np.cumsum(sizes) - sizes

        def choose(bits, count):
            rank = np.searchsorted(numbers, bits)
            return order[starts[rank] + count % sizes[rank]]
        return numbers, choose

    def plans(self):
        """Name, position, indices and writer of each line. Functions become long code, so they have fewer lines, and so
        has what takes more operands than any op of arithmetic."""
        heavy = self.op.ulps > 0 or len(self.kinds) > 3
        places = np.arange(PROGRAMS * EXTENT).reshape(PROGRAMS, *SHAPE)
        counts = places * 37 + np.arange(PROGRAMS)[:, None, None]
        for position, kind in enumerate(self.kinds):
            numbers, choose = self.groups(position)
            if len(self.kinds) > 1:
                numbers = np.array([bits for bits in values.special(kind) if bits in set(numbers.tolist())], np.uint64)

            def chosen(steps, numbers=numbers, choose=choose):
                """Each element's tuple has the number that stands so many steps on."""
                bits = numbers[(self.turn + np.broadcast_to(steps, places.shape)) % len(numbers)]
                return choose(bits, counts).reshape(PROGRAMS, -1)
            programs = places[:, :1, :1] // EXTENT
            yield "is a scalar", position, chosen(programs), self.splat
            if not heavy:
                yield "is a row", position, chosen(programs * COLUMNS + np.arange(COLUMNS)), self.row_of
                yield "is a column", position, chosen(programs * ROWS + np.arange(ROWS)[:, None]), self.column_of
            for step, bits in enumerate(self.known(position, numbers)[:1 if heavy else None]):
                indices = choose(np.full(places.shape, bits, np.uint64), counts).reshape(PROGRAMS, -1)
                yield f"is {formats.decode(bits, kind)!r}", position, indices, self.constant(bits, splat=step % 2 == 1)
        yield "and all others are scalars", -1, self.all_scalars(), None

    def known(self, position, numbers):
        """Constants by turns; of a single operand more, since no code is left of them."""
        numbers = numbers.tolist()
        named = [bits for bits in constants(self.kinds[position]) if bits in numbers]
        start = self.turn + position
        chosen = [named[(start + 3 * step) % len(named)] for step in range(min(len(named), 4))]
        if len(self.kinds) == 1:
            chosen += [numbers[(start + step * len(numbers) // 5) % len(numbers)] for step in range(5)]
        return list(dict.fromkeys(chosen))

    def all_scalars(self):
        chosen = np.arange(PROGRAMS) * max(1, len(self.tuples) // PROGRAMS) % len(self.tuples)
        return np.repeat(chosen[:, None], EXTENT, axis=1)

    # Text.

    def place(self, name, kind, number):
        at = self.kernel.constant(number * EXTENT)
        at = self.kernel.define(f"arith.addi {self.first}, {at} overflow<nsw> : i32")
        return self.kernel.moved(name, kind, at)

    def splat(self, source, kind):
        scalar = self.kernel.load(source, kind)
        return self.kernel.define(f"fsm.splat {scalar} : {block(SHAPE, kind)}")

    def row_of(self, source, kind):
        return self.spread(self.kernel.load(source, kind, (COLUMNS,)), kind, (COLUMNS,), 0)

    def column_of(self, source, kind):
        places = self.kernel.coordinates((ROWS,), 0, COLUMNS)
        return self.spread(self.kernel.load(source, kind, (ROWS,), places), kind, (ROWS,), 1)

    def spread(self, part, kind, shape, axis):
        wide = shape[:axis] + (1,) + shape[axis:]
        part = self.kernel.define(f"fsm.expand_dims {part} axis {axis} : {block(shape, kind)} -> {block(wide, kind)}")
        return self.kernel.define(f"fsm.broadcast {part} : {block(wide, kind)} -> {block(SHAPE, kind)}")

    def constant(self, bits, splat):
        def write(_, kind):
            if not splat:
                return self.kernel.constant(written(bits, kind), kind, SHAPE)
            return self.kernel.define(f"fsm.splat {self.kernel.constant(written(bits, kind), kind)} : {block(SHAPE, kind)}")
        return write

    def write_line(self, number, text, position, write):
        names = []
        for place, kind in enumerate(self.kinds):
            source = self.place(f"%p{place}", kind, number)
            if position == -1:
                names.append(self.splat(source, kind))
            elif position == place:
                names.append(write(source, kind))
            else:
                names.append(self.kernel.load(source, kind, SHAPE))
        line = self.op.line(text, self.row, self.kind, "x".join(map(str, SHAPE)), names)
        many = f":{len(self.results)}" if len(self.results) > 1 else ""
        self.kernel.write(f"%r{number}{many} = {line}")
        for place, kind in enumerate(self.results):
            value = f"%r{number}#{place}" if many else f"%r{number}"
            self.kernel.store(value, self.place(f"%o{place}", kind, number), kind, SHAPE)

    # The launch.

    def arguments(self):
        """The operands of each element stand where it does, for all ways alike."""
        indices = np.stack([form.indices for form in self.forms], axis=1).reshape(-1)
        found = [Out(kind, indices.size) for kind in self.results]
        return found + [In(kind, self.tuples[indices, place].astype(formats.BITS[formats.WIDTH[kind]]))
                        for place, kind in enumerate(self.kinds)]

    def describe(self, at):
        program, rest = divmod(at, len(self.forms) * EXTENT)
        form = self.forms[rest // EXTENT]
        bits = self.tuples[form.indices[program, rest % EXTENT]]
        numbers = [formats.decode(int(b), kind) for b, kind in zip(bits, self.kinds)]
        return f"of {numbers} at {rest % EXTENT} of program {program}, {form.name}, {list(self.op.variants)[form.variant]}"
