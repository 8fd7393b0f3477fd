"""Kernels written op by op, in which random groups of ops repeat, each with numbers that move: NumPy does the same, link by link.

Usage: rolled_loops.py FSM_RUN [--devices=A,B].

Three blocks of i32 and a matrix of f32 go from link to link; links load and store at places that move, count, reduce,
multiply and loop. The numbers of the matrix stay whole, so that f32 holds them.
"""

import pathlib
import random
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, finish

SIZE, ROWS, SEGMENTS, MOST_COPIES, SEEDS = 32, 16, 12, 24, (0, 1, 2, 3, 5, 6)
# A kernel of a random one's length is long by the first, one of 300 products by itself.
LONG = "--roll-from=64"
PRODUCTS = 300
# Numbers in the table, and places in the log.
TABLE, PLACES = 4096, 512
BLOCK, MATRIX, FLAT = f"tensor<{SIZE}xi32>", f"tensor<{ROWS}x{ROWS}xf32>", f"tensor<{ROWS * ROWS}xf32>"
OPS = {"addi": np.add, "subi": np.subtract, "xori": np.bitwise_xor}
HEAD = f"""fsm.kernel @k(%out: !fsm.ptr<i32>, %log: !fsm.ptr<i32>, %counts: !fsm.ptr<i32>, %product: !fsm.ptr<f32>,
              %table: !fsm.ptr<i32>, %matrix: !fsm.ptr<f32>, %order: !fsm.ptr<f32>) {{
  %at = fsm.range 0, {SIZE} : {BLOCK}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %threes = arith.constant dense<3> : {BLOCK}
  %all = fsm.range 0, {ROWS * ROWS} : tensor<{ROWS * ROWS}xi32>
  %f0 = fsm.load %matrix[%all] : !fsm.ptr<f32>, tensor<{ROWS * ROWS}xi32> -> {FLAT}
  %f1 = fsm.load %order[%all] : !fsm.ptr<f32>, tensor<{ROWS * ROWS}xi32> -> {FLAT}
  %m = fsm.reshape %f0 : {FLAT} -> {MATRIX}
  %o = fsm.reshape %f1 : {FLAT} -> {MATRIX}
"""


class Moving:
    """A number of each copy of a link, which i32 holds after it has wrapped; it may move by one of some steps in turn."""

    def __init__(self, first, step, turns=(0,)):
        self.first, self.step, self.turns = first, step, turns

    def of(self, copy):
        return (self.first + copy * self.step + self.turns[copy % len(self.turns)] + 2**31) % 2**32 - 2**31


class State:
    """What NumPy has, and what the values are called in the text."""

    def __init__(self, dice):
        self.given = np.random.default_rng(dice.randrange(2**32))
        self.table = self.given.integers(-2**31, 2**31, TABLE, dtype=np.int32)
        self.matrix = self.given.integers(-9, 10, (ROWS, ROWS)).astype(np.float32)
        self.order = np.eye(ROWS, dtype=np.float32)[self.given.permutation(ROWS)]
        self.log = np.zeros(PLACES * SIZE, np.int32)
        self.counts = np.zeros(4, np.int32)
        self.values = [self.table[SIZE * i:SIZE * (i + 1)].copy() for i in range(3)]
        self.product = self.matrix.copy()
        self.names, self.product_name, self.made, self.text = ["v0", "v1", "v2"], "m", 0, HEAD
        # What each block was before it was changed last.
        self.former = list(zip(self.names, self.values))
        for i in range(3):
            self.text += f"""  %b{i} = arith.constant dense<{SIZE * i}> : {BLOCK}
  %c{i} = arith.addi %at, %b{i} : {BLOCK}
  %v{i} = fsm.load %table[%c{i}] : !fsm.ptr<i32>, {BLOCK} -> {BLOCK}
"""

    def write(self, text):
        """Adds lines, in which # stands for a number of their own, and @ for a # that stays."""
        self.made += 1
        self.text += text.replace("#", f"n{self.made}_").replace("@", "#")
        return f"n{self.made}_"

    def put(self, place, name, value):
        self.former[place] = (self.names[place], self.values[place])
        self.names[place], self.values[place] = name, value


def arithmetic(dice):
    """Three times one block, with another."""
    one, other, to, op = dice.randrange(3), dice.randrange(3), dice.randrange(3), dice.choice(list(OPS))

    def link(state, copy):
        x, y = state.names[one], state.names[other]
        name = state.write(f"  %#t = arith.muli %{x}, %threes : {BLOCK}\n  %#r = arith.{op} %#t, %{y} : {BLOCK}\n")
        state.put(to, name + "r", OPS[op](3 * state.values[one], state.values[other]))
    return link


def chain(dice):
    """Three times the first block, with the second."""
    def link(state, copy):
        name = state.write(f"  %#t = arith.muli %{state.names[0]}, %threes : {BLOCK}\n  %#r = arith.xori %#t, %{state.names[1]} : {BLOCK}\n")
        state.put(0, name + "r", (3 * state.values[0]) ^ state.values[1])
    return link


def constant(dice):
    """A number that moves, and may wrap."""
    place, op = dice.randrange(3), dice.choice(list(OPS))
    turns = dice.choice(((0,), (0,), (0, 7), (0, 0, 1)))
    number = Moving(dice.randrange(-2**31, 2**31), dice.choice((0, 1, -5, dice.randrange(-2**30, 2**30))), turns)

    def link(state, copy):
        name = state.write(f"""  %#c = arith.constant dense<{number.of(copy)}> : {BLOCK}
  %#r = arith.{op} %{state.names[place]}, %#c : {BLOCK}
""")
        state.put(place, name + "r", OPS[op](state.values[place], np.int32(number.of(copy))))
    return link


def move(dice):
    """What one block is, another is, too."""
    one, to = dice.randrange(3), dice.randrange(3)

    def link(state, copy):
        state.put(to, state.names[one], state.values[one])
    return link


def load(dice):
    """Of the table, up or down."""
    place, op, step = dice.randrange(3), dice.choice(list(OPS)), dice.randrange(-100, 101)
    first = dice.randrange(SIZE, TABLE // 4) if step >= 0 else dice.randrange(3 * TABLE // 4, TABLE - SIZE)
    begin = Moving(first, step)

    def link(state, copy):
        name = state.write(f"""  %#c = arith.constant dense<{begin.of(copy)}> : {BLOCK}
  %#a = arith.addi %at, %#c : {BLOCK}
  %#l = fsm.load %table[%#a] : !fsm.ptr<i32>, {BLOCK} -> {BLOCK}
  %#r = arith.{op} %{state.names[place]}, %#l : {BLOCK}
""")
        read = state.table[begin.of(copy):begin.of(copy) + SIZE]
        state.put(place, name + "r", OPS[op](state.values[place], read))
    return link


def store(dice):
    """To the log, by way of a pointer; places may have been written before."""
    place, step = dice.randrange(3), dice.choice((-2, -1, 0, 1, 2)) * SIZE
    begin = Moving(dice.randrange(PLACES // 4, 3 * PLACES // 4) * SIZE, step)

    def link(state, copy):
        state.write(f"""  %#c = arith.constant {begin.of(copy)} : i64
  %#p = fsm.offset %log, %#c : !fsm.ptr<i32>, i64
  fsm.store %{state.names[place]}, %#p[%at] : {BLOCK}, !fsm.ptr<i32>, {BLOCK}
""")
        state.log[begin.of(copy):begin.of(copy) + SIZE] = state.values[place]
    return link


def count(dice):
    """What was counted goes into a block."""
    place, number = dice.randrange(3), Moving(dice.randrange(100), dice.randrange(100))

    def link(state, copy):
        name = state.write(f"""  %#c = arith.constant {number.of(copy)} : i32
  %#o = fsm.atomic_rmw <add> %#c, %counts sem = relaxed : i32, !fsm.ptr<i32>
  %#s = fsm.splat %#o : {BLOCK}
  %#r = arith.xori %{state.names[place]}, %#s : {BLOCK}
""")
        state.put(place, name + "r", state.values[place] ^ state.counts[0])
        state.counts[0] += number.of(copy)
    return link


def reduction(dice):
    """A block less what another is reduced to."""
    one, other = dice.randrange(3), dice.randrange(3)
    kind, reduce = dice.choice((("max", np.max), ("min", np.min)))

    def link(state, copy):
        name = state.write(f"""  %#m = fsm.reduce <{kind}> %{state.names[one]} axis 0 : {BLOCK} -> i32
  %#s = fsm.splat %#m : {BLOCK}
  %#r = arith.subi %{state.names[other]}, %#s : {BLOCK}
""")
        state.put(other, name + "r", state.values[other] - reduce(state.values[one]))
    return link


def loop(dice):
    """One block with another, three times."""
    one, other, op = dice.randrange(3), dice.randrange(3), dice.choice(list(OPS))

    def link(state, copy):
        name = state.write(f"""  %#r = scf.for %i = %zero to %three step %one iter_args(%x = %{state.names[one]}) -> ({BLOCK}) : i32 {{
    %y = arith.{op} %x, %{state.names[other]} : {BLOCK}
    scf.yield %y : {BLOCK}
  }}
""")
        value = state.values[one]
        for _ in range(3):
            value = OPS[op](value, state.values[other])
        state.put(one, name + "r", value)
    return link


def halves(dice):
    """Every other element of a block, of each two always the same one or in turn the one and the other, and the sums of both."""
    place, turns = dice.randrange(3), dice.choice(((0,), (1,), (0, 1)))
    half, pairs = f"tensor<{SIZE // 2}xi32>", f"tensor<{SIZE // 2}x2xi32>"

    def link(state, copy):
        which = turns[copy % len(turns)]
        name = state.write(f"""  %#p = fsm.reshape %{state.names[place]} : {BLOCK} -> {pairs}
  %#h:2 = fsm.split %#p : {pairs} -> {half}
  %#s = arith.addi %#h@0, %#h@1 : {half}
  %#j = fsm.join %#s, %#h@{which} : {half} -> {pairs}
  %#r = fsm.reshape %#j : {pairs} -> {BLOCK}
""")
        both = state.values[place].reshape(-1, 2)
        state.put(place, name + "r", np.stack([both[:, 0] + both[:, 1], both[:, which]], axis=1).ravel())
    return link


def product(dice):
    """The columns of the matrix in another order, and what it was at first."""
    def link(state, copy):
        name = state.write(f"  %#r = fsm.dot %{state.product_name}, %o, %m precision = ieee : {MATRIX}, {MATRIX} -> {MATRIX}\n")
        state.product_name, state.product = name + "r", state.product @ state.order + state.matrix
    return link


LINKS = (arithmetic, constant, move, load, store, count, reduction, loop, halves, product)


def kernel(seed, segments):
    """Groups of links, each so many times; what one has made, or had in between, is stored behind it now and then."""
    dice = random.Random(seed)
    state, links = State(dice), 0
    for most, kinds in segments:
        group = [dice.choice(kinds)(dice) for _ in range(dice.randrange(1, 7))] if len(kinds) > 1 else [kinds[0](dice)]
        copies = dice.randrange(4, most) if len(kinds) > 1 else most
        links += copies * len(group)
        noted = dice.randrange(4 * copies)
        for copy in range(copies):
            for link in group:
                link(state, copy)
            if copy == noted:
                then = list(zip(state.names, state.values))
        if kinds == (chain,) or dice.random() < 0.3:
            # The first op behind all copies takes what the last but one has made.
            place = 0 if kinds == (chain,) else dice.randrange(3)
            name, value = state.former[place]
            result = state.write(f"  %#r = arith.subi %{name}, %{state.names[place]} : {BLOCK}\n") + "r"
            state.put(place, result, value - state.values[place])
        if noted < copies:
            now, place = list(zip(state.names, state.values)), dice.randrange(3)
            state.put(place, *then[place])
            store(dice)(state, 0)
            state.put(place, *now[place])
        if dice.random() < 0.5:
            store(dice)(state, 0)
    state.text += "".join(f"  fsm.store %{name}, %out[%c{i}] : {BLOCK}, !fsm.ptr<i32>, {BLOCK}\n" for i, name in enumerate(state.names))
    state.text += f"""  %last = fsm.reshape %{state.product_name} : {MATRIX} -> {FLAT}
  fsm.store %last, %product[%all] : {FLAT}, !fsm.ptr<f32>, tensor<{ROWS * ROWS}xi32>
  fsm.return
}}
"""
    return state, links


def check(fsm_run, folder, name, state, options):
    """Complaints about one kernel on all devices."""
    text = folder / "k.mlir"
    text.write_text(state.text)
    inputs = {"table": state.table, "matrix": state.matrix, "order": state.order}
    outputs = {"out": np.concatenate(state.values), "log": state.log, "counts": state.counts, "product": state.product.ravel()}
    for file, array in (inputs | outputs).items():
        np.save(folder / f"{file}.npy", array)
    complaints = []
    for target in ("cpu", "sm_90a"):
        done = batch.run([fsm_run], [text, "--emit=fsm", f"--target={target}", *options], SECONDS)
        if done.returncode or done.stdout.count("\n") > state.text.count("\n") / 2:
            complaints.append(f"{name}: {state.text.count(chr(10))} lines are {done.stdout.count(chr(10))} for {target}: "
                              f"{done.stderr.strip()}")
    for device in DEVICES:
        arguments = [f"--arg={'i32' if array.dtype == np.int32 else 'f32'}[{array.size}]" for array in outputs.values()]
        arguments += [f"--arg=@{folder}/{file}.npy" for file in inputs]
        checks = [f"--check={place}:{folder}/{file}.npy" for place, file in enumerate(outputs)]
        done = batch.run([fsm_run], [text, f"--device={device}", "--grid=1", *arguments, *checks, *options], SECONDS)
        if done.returncode:
            complaints.append(f"{name}, {device}: exit {done.returncode}: {done.stderr.strip()}")
    return complaints


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    complaints, checks = [], 0
    with np.errstate(over="ignore"), tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kernels = [(f"seed {seed}", kernel(seed, [(MOST_COPIES, LINKS)] * SEGMENTS), [LONG]) for seed in SEEDS]
        kernels.append(("chains", kernel(0, [(40, (chain,)), (24, (load,))] * 8), [LONG]))
        kernels.append(("products", kernel(0, [(PRODUCTS, (product,)), (40, (load,))]), []))
        for name, (state, links), options in kernels:
            if links < 300:
                complaints.append(f"{name}: expected 300 links or more, got {links}")
            complaints += check(fsm_run, folder, name, state, options)
            checks += len(DEVICES) + 3
    print("\n".join(complaints))
    print(f"{checks} checks, {len(complaints)} failures")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
