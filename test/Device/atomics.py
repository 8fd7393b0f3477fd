"""Atomics of every kind and type by several programs at once, locks, and pointers in memory.

Usage: atomics.py FSM_RUN [--devices=cpu,interp,cuda,sim] [--jobs=N] [--deal].

Which update comes first is up to the device. But what each has found must be a history: from the first value of its
cell to the last one, every step once, computed by NumPy in the element's own arithmetic.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from device import STORAGE, dealt, from_float64, perform, perform_all, to_float64

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "atomics.mlir"
WARPS = (1, 4, 2, 8)
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGER_KINDS = ("add", "max", "min", "umax", "umin", "and", "or", "xor", "exch")
ORDERS = [f"sem = {sem} scope = {scope}" for sem in ("acq_rel", "relaxed", "acquire", "release")
          for scope in ("gpu", "cta", "sys")]
PROGRAMS = 6


def bits_of(array):
    return array.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[array.dtype.itemsize])


def step(kind, type_name, old, value):
    """What a cell becomes, as bits; for one element each."""
    if type_name in FLOATS and kind != "exch":
        left, right = (float(to_float64(np.atleast_1d(number), type_name)[0]) for number in (old, value))
        if kind == "add":
            # Of the half formats the sum of two is exact in f64; f32 and f64 round in their own type.
            result = old + value if type_name in ("f32", "f64") else from_float64(
                np.array([left + right]), type_name)
        else:
            pick = max if kind == "max" else min
            number = right if left != left else left if right != right else pick(
                (left, right), key=lambda x: (x, -1 if np.signbit(x) else 1))
            if pick is min and left == right == 0:
                number = left if np.signbit(left) else right
            result = from_float64(np.array([number]), type_name)
        return int(bits_of(np.atleast_1d(np.asarray(result, STORAGE[type_name])))[0])
    width = 8 * np.dtype(STORAGE[type_name]).itemsize
    a, b = (int(bits_of(np.atleast_1d(number))[0]) for number in (old, value))
    signed = [number - (1 << width) if number >> (width - 1) else number for number in (a, b)]
    answers = {"add": a + b, "max": max(signed), "min": min(signed), "umax": max(a, b), "umin": min(a, b),
               "and": a & b, "or": a | b, "xor": a ^ b, "exch": b}
    return answers[kind] & ((1 << width) - 1)


def is_history(kind, type_name, first, last, updates):
    """Whether pairs (found, value) lead from the first to the last value of a cell. Values are such that no two steps
    that change anything begin at one number."""
    def number(array):
        return int(bits_of(np.atleast_1d(array))[0])
    moves, stays = {}, []
    for found, value in updates:
        after = step(kind, type_name, found, value)
        if after == number(found):
            stays.append(after)
        elif number(found) in moves:
            return False
        else:
            moves[number(found)] = after
    at, visited = number(first), {number(first)}
    while at in moves:
        at = moves.pop(at)
        visited.add(at)
    return not moves and at == number(last) and all(place in visited for place in stays)


def values_for(kind, type_name, count, generator):
    """(first value of a cell, what updates it)"""
    if type_name in FLOATS:
        values = generator.permutation(count) + 1.0
        if kind in ("max", "min"):
            values = np.where(np.arange(count) % 2, values, -values) * 1.5
            values[count // 3] = np.nan
        return from_float64(np.array([1 / 3]), type_name), from_float64(values, type_name)
    storage = STORAGE[type_name]
    width = 8 * np.dtype(storage).itemsize
    if kind in ("or", "xor", "and"):
        places = generator.permutation(count) % width
        values = np.array([1 << int(place) for place in places], object)
        if kind == "and":
            values = (1 << width) - 1 - values
        values = np.array([v - (1 << width) if v >> (width - 1) else v for v in values], object).astype(storage)
        return np.array([-1 if kind == "and" else 0], storage), values
    values = generator.permutation(count).astype(storage) + 1
    if kind != "exch":
        values[::2] *= np.array(-1 if kind != "add" else 1, storage)
    return np.array([0], storage), values


class Session:
    """Runs kernels of the file on one device, and keeps arrays in a folder."""

    def __init__(self, fsm_run, device, warps, folder):
        self.fsm_run, self.device, self.warps, self.folder = fsm_run, device, warps, pathlib.Path(folder)

    def run(self, kernel, grid, arguments, outputs, type_name="i32", **parameters):
        """The arrays among the arguments whose numbers are in `outputs`, after the launch. bf16 is (array, "bf16")."""
        command = [str(SOURCE), f"--kernel={kernel}", f"--device={self.device}", f"--grid={grid}"]
        parameters["T"] = type_name
        if self.warps and self.device.startswith(("sim", "cuda")):
            command.append(f"--num-warps={self.warps}")
        for name, value in parameters.items():
            command += ["-D", f"{name}={value}"]
        for index, argument in enumerate(arguments):
            prefix = ""
            if isinstance(argument, np.ndarray):
                prefix = "bf16:" if argument.dtype == np.uint16 else "i1:" if argument.dtype == np.bool_ else ""
                name = self.folder / f"in{index}.npy"
                np.save(name, argument)
                argument = f"@{name}"
            command.append(f"--arg={prefix}{argument}")
        command += [f"--out={index}:{self.folder / f'out{index}.npy'}" for index in outputs]
        perform(self.fsm_run, command)
        return [np.load(self.folder / f"out{index}.npy") for index in outputs]


def programs_of(order, programs):
    """One where the scope has no other program in it: more of them would race."""
    return 1 if "scope = cta" in order else programs


def check_scalar(session, kind, type_name, order, generator):
    programs = programs_of(order, PROGRAMS)
    first, values = values_for(kind, type_name, programs, generator)
    active = generator.random(programs) < 0.8
    arguments = [first, np.zeros(programs, STORAGE[type_name]), values, active]
    cells, olds = session.run("scalar", programs, arguments, (0, 1), type_name, KIND=kind, ORDER=order)
    if bits_of(olds)[~active].any():
        return "a masked-off update gives something"
    updates = list(zip(olds[active], values[active]))
    return "" if is_history(kind, type_name, first, cells, updates) else f"no history: {first} {updates} {cells}"


def check_block(session, kind, type_name, order, generator, count):
    cells_count = 5
    programs = programs_of(order, 2)
    total = programs * count
    places = generator.integers(0, cells_count, total, np.int32)
    active = generator.random(total) < 0.8
    values = np.zeros(total, STORAGE[type_name])
    firsts = np.zeros(cells_count, STORAGE[type_name])
    for cell in range(cells_count):
        mine = places == cell
        first, values[mine] = values_for(kind, type_name, int(mine.sum()), generator)
        firsts[cell] = first[0]
        # There are more updates than bits.
        width = 8 * firsts.dtype.itemsize
        extra = np.flatnonzero(mine)[width:]
        active[extra] = False
    cells, olds = session.run("block", programs, [firsts, np.zeros(total, STORAGE[type_name]), values, active, places], (0, 1),
                              type_name, KIND=kind, ORDER=order, N=count)
    if bits_of(olds)[~active].any():
        return "a masked-off update gives something"
    for cell in range(cells_count):
        mine = (places == cell) & active
        if not is_history(kind, type_name, firsts[cell], cells[cell], list(zip(olds[mine], values[mine]))):
            return f"no history of cell {cell}: {firsts[cell]} {list(zip(olds[mine], values[mine]))} {cells[cell]}"
    return ""


def check_matrix(session, rows, columns):
    values = np.arange(rows, dtype=np.int32) * 7 + 1
    cells, = session.run("matrix", 3, [np.zeros(columns, np.int32), values], (0,), R=rows, C=columns)
    return "" if (cells == 3 * values.sum()).all() else f"{cells} instead of {3 * values.sum()}"


def check_replace(session, type_name, order, generator, count):
    storage = STORAGE[type_name]
    cells = generator.integers(-3, 3, count).astype(storage)
    expected = np.where(generator.random(count) < 0.5, cells, generator.integers(-3, 3, count)).astype(storage)
    if type_name in FLOATS:
        # Bits are compared: NaN equals itself, and the zeros differ.
        cells[:3], expected[:3] = (np.nan, 0, -0.0), (np.nan, -0.0, -0.0)
    values = np.arange(100, 100 + count).astype(storage)
    active = generator.random(count) < 0.8
    arguments = [cells, np.ones(count, storage), values, active, expected]
    after, olds = session.run("replace", 1, arguments, (0, 1), W=type_name, ORDER=order, N=count)
    hits = active & (bits_of(cells) == bits_of(expected))
    right = np.where(hits, bits_of(values), bits_of(cells)), np.where(active, bits_of(cells), 0)
    wrong = [int((bits_of(got) != want).sum()) for got, want in zip((after, olds), right)]
    return f"{wrong[0]} cells and {wrong[1]} results wrong" if any(wrong) else ""


def check_retry(session, type_name, order):
    storage = STORAGE[type_name]
    counter, olds = session.run("retry", 60, [np.array([5], storage), np.zeros(60, storage), 3], (0, 1), I=type_name,
                                ORDER=order)
    return "" if counter[0] == 185 and sorted(olds) == list(range(5, 185, 3)) else f"{counter} {olds}"


def check_lock(session, kernel, programs, count):
    data, turns, _ = session.run(kernel, programs, [np.ones(count, np.float32), np.zeros(1, np.int32),
                                                    np.zeros(2, np.int32)], (0, 1, 2), N=count)
    right = turns[0] == programs and (data == 1 + programs * np.arange(count)).all()
    return "" if right else f"{turns} {data}"


def check_around(session, generator, count):
    data = generator.integers(0, 1000, count, np.int32)
    empty = np.zeros(count, np.int32)
    before, after = session.run("around", 1, [empty, empty, data], (0, 1), N=count, LAST=count - 1)
    right = (before == data).all() and (after == data + np.arange(count)[::-1]).all()
    return "" if right else f"{before} {after} of {data}"


def check_list(session, generator, count):
    order = generator.permutation(count).astype(np.int32)
    values = generator.integers(-10**12, 10**12, count)
    total, = session.run("list", 1, [np.zeros(1, np.int64), np.zeros(2 * count, np.int64), order, values, count], (0,))
    right = int((values[order[::-1]] * np.arange(1, count + 1)).sum())
    return "" if total[0] == right else f"{total[0]} instead of {right}"


def check_table(session, generator, count):
    left, right = (generator.standard_normal(count).astype(np.float32) for _ in range(2))
    got = session.run("table", 1, [left, right, np.zeros(2, np.int64)], (0, 1), N=count)
    return "" if (got[0] == right).all() and (got[1] == left).all() else "not exchanged"


def checks():
    """(name, function of a session)"""
    generator = np.random.default_rng(11)
    combinations = [(kind, name) for name in ("i32", "i64") for kind in INTEGER_KINDS]
    combinations += [(kind, name) for name in ("f32", "f64") for kind in ("add", "max", "min", "exch")]
    combinations += [("add", "f16"), ("add", "bf16")]
    for index, (kind, name) in enumerate(combinations):
        order = ORDERS[index % len(ORDERS)]
        seed = int(generator.integers(1 << 30))
        yield f"scalar {kind} {name} {order}", lambda session, a=(kind, name, order), seed=seed: check_scalar(
            session, *a, np.random.default_rng(seed))
        count = (8, 37, 300)[index % 3] if name != "f16" and name != "bf16" else 21
        yield f"block {kind} {name} {count} {order}", lambda session, a=(kind, name, order), seed=seed, count=count: \
            check_block(session, *a, np.random.default_rng(seed), count)
    for rows, columns in ((2, 4), (16, 3), (5, 70)):
        yield f"matrix {rows} x {columns}", lambda session, a=(rows, columns): check_matrix(session, *a)
    for index, name in enumerate(("i32", "i64", "f32", "f64")):
        seed, count, order = int(generator.integers(1 << 30)), (37, 8, 150, 33)[index], ORDERS[index]
        yield f"replace {name} {count}", lambda session, a=(name, order), seed=seed, count=count: check_replace(
            session, *a, np.random.default_rng(seed), count)
    for name in ("i32", "i64"):
        yield f"retry {name}", lambda session, name=name: check_retry(session, name, "sem = relaxed")
    for programs, count in ((7, 40), (12, 600)):
        yield f"tickets {programs} {count}", lambda session, a=(programs, count): check_lock(session, "tickets", *a)
        yield f"poll {programs} {count}", lambda session, a=(programs, count): check_lock(session, "poll", *a)
        yield f"spin {programs} {count}", lambda session, a=(programs, count): check_lock(session, "spin", *a)
    for count in (40, 300):
        yield f"around {count}", lambda session, count=count: check_around(session, np.random.default_rng(count), count)
    yield "list", lambda session: check_list(session, np.random.default_rng(3), 50)
    yield "table", lambda session: check_table(session, np.random.default_rng(4), 70)


def attempt(fsm_run, device, warps, name, check):
    """What is wrong, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            wrong = check(Session(fsm_run, device, warps, folder))
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            wrong = str(error)
    return f"{name} {device} {warps} warps: {wrong}" if wrong else ""


def main():
    return perform_all(dealt(checks(), lambda check: check[0].split()[0]),
                       lambda fsm_run, run: attempt(fsm_run, run[2], WARPS[run[0] % len(WARPS)], *run[1]))


if __name__ == "__main__":
    sys.exit(main())
