"""Loops whose loads run ahead, with 1 to 8 stages and all trip counts up to twice as many, against NumPy.

Usage: pipelines.py FSM_RUN [--devices=cpu,interp,sim,cuda] [--jobs=N] [--schedules=N] [--only=TEXT] [--deal].

All numbers are small integers, so that there is one right answer, bit for bit, on each device and for each number of
stages. Program n of a launch takes n iterations. With --schedules=N the simulator runs the code for three GPUs on N
schedules: other orders of warps, and other times at which asynchronous copies land (docs/simulator.md); without, each
loop and number of stages has one number of warps, one GPU and one of eight schedules, in turn. With --deal a loop has
half of the numbers of stages on each device, unless it is the first of its kernel. --only=TEXT keeps the launches with
the text in their names, which failures print. `Inputs/pipelines.mlir` has the loops.
"""

import itertools
import pathlib
import shlex
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, STORAGE, asked_for, batch, from_float64, given, guard_of, perform_all, to_float64

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "pipelines.mlir"
STAGES = range(1, 9)
# Trip counts 0 to 2 x stages.
PROGRAMS = 2 * max(STAGES) + 1
# Of loops over large blocks.
BULK_PROGRAMS = 8
BULK_WARPS = (0, 4, 16)
# 0: the compiler's own choice, by which small programs share a CTA.
WARPS = (0, 1, 4)
# Without asynchronous copies, with the first of them, and the device's own.
TARGETS = ("", "sm_80", "sm_75")
SCHEDULES = ("seed=0,landing=2", "seed=0,landing=1", "seed=0,landing=3", "seed=3,landing=2", "seed=4,landing=1",
             "seed=5,landing=3", "seed=6,landing=2", "seed=7,landing=3")


class Shape:
    """A kernel, its arguments and what it shall make of the first one."""

    def __init__(self, name, kernel, arrays, answer, scalars=(), parameters=None, kinds=None, grid=PROGRAMS,
                 stages=STAGES, warps=WARPS):
        self.name, self.kernel, self.arrays, self.answer = name, kernel, arrays, answer
        self.scalars, self.parameters, self.grid, self.stages = scalars, parameters or {}, grid, stages
        self.kinds, self.warps = kinds or [None] * len(arrays), warps


def rows(generator, count, width, kind="f32", low=-3, high=4):
    return from_float64(generator.integers(low, high, (count, width)), kind) if "f" in kind else \
        generator.integers(low, high, (count, width)).astype(STORAGE[kind])


def wide(array):
    return array.astype(np.float64)


#
# Each maker gives shapes; `g` is a generator of random numbers. Answers follow the definition, iteration by iteration.
#

def doubling(data, count):
    """s = 2 s + x, over the first rows."""
    total = np.zeros(data.shape[1])
    for row in data[:count]:
        total = total + total + row
    return total


def make_one(g):
    for kind, width in (("f32", 256), ("f32", 200), ("f32", 37), ("i64", 100), ("f16", 512), ("f16", 99), ("i8", 77),
                        ("f64", 130), ("bf16", 64)):
        is_float = "f" in kind
        # Narrow floats hold integers up to 2^8 or 2^11: the terms of the sum are then the last few rows.
        data = rows(g, PROGRAMS, width, kind, 0 if kind in ("f16", "bf16") else -3, 2 if kind in ("f16", "bf16") else 4)
        numbers = to_float64(data, kind)
        if kind in ("f16", "bf16"):
            numbers[:] = 0
            numbers[::6] = 1
            data = from_float64(numbers, kind)
        answer = np.stack([doubling(numbers, n) for n in range(PROGRAMS)])
        if not is_float:
            answer = answer.astype(np.int64).astype(STORAGE[kind])
        elif kind in ("f16", "bf16"):
            answer = from_float64(answer, kind)
        else:
            answer = answer.astype(STORAGE[kind])
        parameters = {"W": width, "T": kind}
        if not is_float:
            parameters.update(ADD="arith.addi", ZERO="0")
        yield Shape(f"one {kind} x {width}", "one", [np.zeros_like(answer), data], answer, parameters=parameters,
                    kinds=[kind, kind])


def make_two(g):
    for width in (256, 203):
        data = rows(g, PROGRAMS + 2, width)
        out = np.full((PROGRAMS * 16, width), 9, np.float32)
        answer = out.copy()
        for n in range(PROGRAMS):
            for i in range(n):
                y = np.where(np.arange(width) < 200, data[i + 2], 0)
                answer[n * 16 + i] = data[i] * data[i] + y
        yield Shape(f"two x {width}", "two", [out, data], answer, parameters={"W": width})


def make_gather(g):
    for width in (128, 37):
        data = rows(g, 9, width, low=0, high=2)
        numbers = g.integers(0, 9, PROGRAMS, np.int32)
        places = g.integers(0, width, (PROGRAMS, width), np.int32)
        answer = np.zeros((PROGRAMS, width), np.float32)
        for n in range(PROGRAMS):
            total = np.zeros(width)
            for i in range(n):
                x = wide(data[numbers[i]])
                y = x[places[i]]
                total = y - np.minimum(total * x + y, x)
            answer[n] = total
        yield Shape(f"gather x {width}", "gather", [np.zeros_like(answer), data, numbers, places], answer,
                    parameters={"W": width})


def make_masks(g):
    for width in (256, 75):
        data = rows(g, PROGRAMS, width)
        answer = np.zeros((PROGRAMS, width), np.float32)
        column = np.arange(width)
        for n in range(PROGRAMS):
            total, most = np.zeros(width), np.full(width, -np.inf)
            for i in range(n):
                total = total + np.where(column < 17 * i, data[i], column - 17 * i)
                most = np.maximum(most, np.where(column >= 17 * i, data[i], -np.inf))
            answer[n] = total - most
        yield Shape(f"masks x {width}", "masks", [np.zeros_like(answer), data], answer, parameters={"W": width})


def make_alias(g):
    for distance, stages in ((1, (1,)), (2, (1, 2)), (3, (3,)), (5, (5, 4)), (8, STAGES)):
        for width in (256, 50):
            data = rows(g, (PROGRAMS + 1) * 32, width)
            answer = data.copy()
            for n in range(PROGRAMS):
                for i in range(n):
                    answer[32 * n + i + distance] = 2 * answer[32 * n + i][::-1]
            yield Shape(f"alias {distance} rows on x {width}", "alias", [data], answer,
                        parameters={"W": width, "DISTANCE": distance, "LAST": width - 1}, stages=stages)


def make_in_place(g):
    for width in (256, 50):
        data = rows(g, PROGRAMS * 16, width)
        answer = data.copy()
        for n in range(PROGRAMS):
            answer[16 * n:16 * n + n] = data[16 * n:16 * n + n, ::-1]
        yield Shape(f"in place x {width}", "in_place", [data], answer, parameters={"W": width, "LAST": width - 1})


def make_overwritten(g):
    for width in (256, 1024, 50):
        data = rows(g, PROGRAMS * 16, width)
        answer = data.copy()
        for n in range(PROGRAMS):
            answer[16 * n] = data[16 * n:16 * n + n].sum(axis=0)[::-1]
        yield Shape(f"overwritten x {width}", "overwritten", [data], answer, parameters={"W": width, "LAST": width - 1})


def make_branches(g):
    data = rows(g, PROGRAMS + 1, 128)
    answer = np.zeros((PROGRAMS, 128), np.float32)
    for n in range(PROGRAMS):
        for i in range(n if n != 3 else 0):
            answer[n] += data[i + 1] - data[i] if i % 3 == 1 else data[i]
    yield Shape("branches", "branches", [np.zeros_like(answer), data], answer, parameters={"W": 128})


def make_nested(g):
    for count in (0, 1, 3, 20):
        data, scales = rows(g, count + 6, 128), rows(g, count + 1, 128)
        answer = np.zeros((count + 1, 128), np.float32)
        for row in range(count):
            answer[row] = 2 * scales[row] + data[row:row + row % 5].sum(axis=0)
        yield Shape(f"nested, {count} rows", "nested", [np.zeros_like(answer), data, scales], answer, scalars=(count,),
                    parameters={"W": 128}, grid=3)


def make_carried(g):
    data = rows(g, PROGRAMS + 1, 128)
    answer = np.zeros((PROGRAMS, 128), np.float32)
    for n in range(PROGRAMS):
        for i in range(n):
            answer[n] += data[i] * data[i] + data[i // 2]
        answer[n] += data[n]
    yield Shape("carried", "carried", [np.zeros_like(answer), data], answer, parameters={"W": 128})


def make_bounds(g):
    """Counters that start anywhere, and steps that go anywhere: what ends past the end of the type must not wrap."""
    top = {"i8": 127, "i16": 2 ** 15 - 1, "i32": 2 ** 31 - 1, "i64": 2 ** 63 - 1}
    to_i32 = {"i8": "arith.extui", "i16": "arith.extui", "i32": "arith.bitcast", "i64": "arith.trunci"}
    data = rows(g, PROGRAMS + 1, 64)
    for kind, unsigned, lower, step in (
            ("i32", 0, 0, 1), ("i32", 0, -9, 2), ("i32", 0, top["i32"] - 33, 2), ("i32", 0, top["i32"] - 16, 1),
            ("i32", 0, -2 ** 31, 2 ** 28 - 1), ("i32", 0, 5, 0), ("i32", 0, 5, -3), ("i32", 0, 7, 2 ** 27),
            ("i32", 1, 2 ** 31 - 4, 1), ("i32", 1, 2 ** 32 - 17, 1), ("i32", 1, 3, 2 ** 28),
            ("i64", 0, -3, 1), ("i64", 0, top["i64"] - 16, 1), ("i64", 0, -2 ** 63, 2 ** 60), ("i64", 0, 1, 0),
            ("i64", 0, 1, -1), ("i64", 1, 2 ** 63 - 9, 3), ("i64", 1, 2 ** 64 - 16, 1),
            ("i8", 0, 111, 1), ("i8", 0, -128, 15), ("i8", 1, 220, 2), ("i16", 0, top["i16"] - 33, 2),
            ("i16", 0, -7, 3), ("i32", 1, 5, 2 ** 31 + 7), ("i64", 1, 3, 2 ** 63 + 1)):
        bits = int(kind[1:])
        highest = 2 ** bits - 1 if unsigned else top[kind]
        uppers = [min(lower + n * abs(step), highest) for n in range(PROGRAMS)]
        answer = np.zeros((PROGRAMS, 64), np.float32)
        for n, upper in enumerate(uppers):
            count = len(range(lower, upper, step)) if step > 0 else 0
            answer[n] = doubling(data, count)

        def signed(number):
            return number - 2 ** bits if number >= 2 ** (bits - 1) else number
        bounds = np.array([signed(upper) for upper in uppers], STORAGE[kind])
        yield Shape(f"bounds {'unsigned ' * unsigned}{kind} from {lower} by {step}", "bounds",
                    [np.zeros_like(answer), data, bounds], answer, scalars=(signed(lower), None, signed(step)),
                    parameters={"W": 64, "I": kind, "FROM": to_i32[kind],
                                "LOOP": "scf.for unsigned" if unsigned else "scf.for"})


def make_exchange(g):
    for width in (256, 300):
        data = rows(g, PROGRAMS, width)
        out = np.full((PROGRAMS * 16, width), 9, np.float32)
        answer = out.copy()
        for n in range(PROGRAMS):
            for i in range(n):
                below = wide(data[i]) - data[i].max()
                answer[16 * n + i] = np.cumsum(below) - below.sum()
        yield Shape(f"exchange x {width}", "exchange", [out, data], answer, parameters={"W": width})


def make_products(g):
    data = rows(g, (PROGRAMS + 1) * 2, 256, "f16")
    tiles = wide(data.reshape(-1, 512))
    answer = np.zeros((PROGRAMS, 256), np.float32)
    for n in range(PROGRAMS):
        for i in range(n):
            answer[n] += (tiles[i].reshape(16, 32) @ tiles[i + 1].reshape(32, 16)).reshape(-1)
    yield Shape("products", "products", [np.zeros_like(answer), data], answer)


def make_sequence(g):
    data = rows(g, PROGRAMS, 128)
    answer = np.zeros((PROGRAMS, 128), np.float32)
    for n in range(PROGRAMS):
        total = wide(data[:n]).sum(axis=0)
        for i in range(n // 2):
            total = data[i] - total
        answer[n] = total
    yield Shape("sequence", "sequence", [np.zeros_like(answer), data], answer, parameters={"W": 128})


def make_moves(g):
    for kind, width in (("i1", 256), ("i1", 61), ("i8", 1024), ("f8E5M2", 256), ("f8E4M3FN", 90), ("i16", 512),
                        ("f64", 64)):
        storage = {"i1": np.bool_, "f8E5M2": np.uint8, "f8E4M3FN": np.uint8}.get(kind) or STORAGE[kind]
        data = g.integers(0, 2 if kind == "i1" else 100, (PROGRAMS, width)).astype(storage)
        out = np.zeros((PROGRAMS * 16, width), storage)
        answer = out.copy()
        for n in range(PROGRAMS):
            answer[16 * n:16 * n + n] = data[:n]
        yield Shape(f"moves {kind} x {width}", "moves", [out, data], answer, parameters={"W": width, "M": kind},
                    kinds=[kind, kind])


def make_around(g):
    for width in (256, 50):
        for count in ("arith.constant 1", "arith.constant 6", "arith.constant 11", "arith.addi %n, %zero"):
            answer = np.zeros((PROGRAMS * 16, width), np.float32)
            for n in range(PROGRAMS):
                rows_of_it = n if "addi" in count else int(count.split()[1])
                answer[16 * n:16 * n + rows_of_it] = sum(i * (width - 1) for i in range(rows_of_it))
            yield Shape(f"around {count} x {width}", "around", [np.zeros_like(answer)], answer,
                        parameters={"W": width, "LAST": width - 1, "COUNT": count})


def make_while(g):
    data = rows(g, PROGRAMS, 128)
    answer = np.zeros((PROGRAMS, 128), np.float32)
    for n in range(PROGRAMS):
        for end in range(n, n - 3, -1):
            answer[n] += data[:max(end, 0)].sum(axis=0)
    yield Shape("while", "while", [np.zeros_like(answer), data, np.zeros((PROGRAMS, 32), np.int64)], answer,
                parameters={"W": 128})


def make_rows(g):
    """Blocks that are large enough for bulk copies: whole ones, rows of a multiple of 16 bytes, of another number and
    of none, and f16. Fewer programs, for there is much to add."""
    for kind, width, count in (("f32", 8192, 8192), ("f32", 8192, 8012), ("f32", 8200, 5001), ("f32", 8192, 0),
                               ("f16", 16384, 16000)):
        data = rows(g, BULK_PROGRAMS, width, kind, -3, 4)
        numbers = to_float64(data, kind)
        numbers[:, count:] = -7
        terms = numbers + numbers.max(axis=1, keepdims=True)
        answer = np.stack([terms[:n].sum(axis=0) for n in range(BULK_PROGRAMS)])
        yield Shape(f"rows {kind} {count} of {width}", "rows", [from_float64(np.zeros_like(answer), kind), data],
                    from_float64(answer, kind), (count,), {"W": width, "R": kind}, [kind, kind],
                    grid=BULK_PROGRAMS, stages=(1, 2, 3, 4, 6), warps=BULK_WARPS)


def make_columns(g):
    for width, less in ((8192, 0), (8192, 1236), (8192, 9000)):
        data = rows(g, BULK_PROGRAMS, width)
        answer = []
        for n in range(BULK_PROGRAMS):
            line = wide(data).ravel()[:n * width].copy()
            line[max(0, n * width - less):] = 0
            answer.append(doubling(line.reshape(n, width), n))
        answer = np.stack(answer).astype(np.float32)
        yield Shape(f"columns {less} less than n x {width}", "columns", [np.zeros_like(answer), data], answer, (less,),
                    {"W": width}, grid=BULK_PROGRAMS, stages=(1, 2, 3, 4, 6), warps=BULK_WARPS)


MAKERS = (make_one, make_two, make_gather, make_masks, make_alias, make_in_place, make_branches, make_nested,
          make_carried, make_bounds, make_exchange, make_products, make_sequence, make_moves, make_around, make_while,
          make_rows, make_columns, make_overwritten)


class Launch:
    """A shape on a device with a number of stages, warps, and a schedule."""

    def __init__(self, shape, device, stages, warps, target="", schedule=""):
        self.shape, self.device, self.stages, self.warps = shape, device, stages, warps
        self.target, self.schedule = target, schedule

    def __str__(self):
        return f"{self.shape.name}, {self.stages} stages, {self.warps or 'own'} warps, {self.device} {self.target} " \
               f"{self.schedule}"

    def arguments(self, folder):
        shape = self.shape
        words = [str(SOURCE), f"--kernel={shape.kernel}", f"--device={self.device}", f"--grid={shape.grid}",
                 f"--num-stages={self.stages}", f"--out=0:{folder}/out.npy"]
        words += [f"--num-warps={self.warps}"] if self.warps else []
        words += [f"--target={self.target}"] if self.target else []
        scalars = list(shape.scalars)
        for index, (array, kind) in enumerate(zip(shape.arrays, shape.kinds)):
            np.save(f"{folder}/{index}.npy", array)
            is_bits = kind and (kind == "bf16" or kind.startswith("f8"))
            words.append(f"--arg={kind + ':' if is_bits else ''}@{folder}/{index}.npy")
            # A scalar of @bounds stands before its last array.
            if shape.kernel == "bounds" and index == 1:
                words.append(f"--arg={scalars.pop(0)}")
        words += [f"--arg={scalar}" for scalar in scalars if scalar is not None]
        for name, value in shape.parameters.items():
            words += ["-D", f"{name}={value}"]
        return words + guard_of(words)

    def fault(self, fsm_run):
        """What is wrong, or nothing."""
        command = ["env", f"FSM_SIMULATOR={self.schedule},global_races=2"] * bool(self.schedule) + shlex.split(fsm_run)
        with tempfile.TemporaryDirectory() as folder:
            arguments = self.arguments(folder)
            done = batch.run(command, arguments, SECONDS)
            if done.returncode != 0:
                return f"{' '.join([*command, *arguments])}\nexit {done.returncode}: {done.stderr.strip()}"
            got = np.load(f"{folder}/out.npy")
        answer = self.shape.answer
        if got.shape != answer.shape or got.dtype != answer.dtype:
            return f"got {got.dtype}{got.shape}, expected {answer.dtype}{answer.shape}"
        wrong = np.argwhere(got != answer)
        if len(wrong):
            place = tuple(wrong[0])
            return f"{len(wrong)} wrong elements; the first at {place}: got {got[place]}, expected {answer[place]}"
        return None


def stages_of(shapes, dealing):
    """For each shape and device the numbers of stages: 1 and 4 where there are none to run."""
    kernels = set()
    for place, shape in enumerate(shapes):
        half = dealing and shape.kernel in kernels
        kernels.add(shape.kernel)
        for turn, device in enumerate(DEVICES):
            stages = tuple(shape.stages) if device.split(":")[0] in ("sim", "cuda") else (1, 4)
            yield shape, device, stages[(place + turn) % 2::2] or stages if half else stages


def launches(shapes, schedules, dealing):
    """Each shape with its stages. GPUs have each number of warps, the others have no warps."""
    number = 0
    for shape, device, chosen in stages_of(shapes, dealing):
        is_gpu = device.split(":")[0] in ("sim", "cuda")
        # The interpreter reports a step that is not positive; elsewhere such a loop does not run.
        if device == "interp" and shape.kernel == "bounds" and shape.scalars[-1] in (0, -1, -3):
            continue
        for stages, warps in itertools.product(shape.stages if is_gpu else (1, 4), shape.warps if is_gpu else (0,)):
            number += 1
            if stages not in chosen:
                continue
            if device != "sim":
                yield Launch(shape, device, stages, warps)
            elif schedules:
                for target, schedule in itertools.product(TARGETS, SCHEDULES[:schedules]):
                    yield Launch(shape, device, stages, warps, target, schedule)
            elif warps == shape.warps[number // len(WARPS) % len(WARPS)]:
                yield Launch(shape, device, stages, warps, TARGETS[number // 7 % len(TARGETS)],
                             SCHEDULES[number // len(WARPS) % len(SCHEDULES)])


def check_one(fsm_run, launch):
    fault = launch.fault(fsm_run)
    return fault and f"FAIL {launch}: {fault}"


def main():
    shapes = [shape for number, maker in enumerate(MAKERS) for shape in maker(np.random.default_rng(number))]
    every = launches(shapes, int(given("schedules", 0)), asked_for())
    return perform_all([launch for launch in every if given("only", "") in str(launch)], check_one)


if __name__ == "__main__":
    sys.exit(main())
