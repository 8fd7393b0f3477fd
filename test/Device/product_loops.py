"""Loops of products whose factors run ahead, with 1 to 5 stages and 0 to 4 iterations, against NumPy.

Usage: product_loops.py FSM_RUN [--devices=cpu,interp,sim,cuda] [--jobs=N] [--only=TEXT] [--deal].

All numbers are small integers, so that there is one right answer, bit for bit, on each device, for each number of stages
and warps, and in each type. `Inputs/product-loops.mlir` has the kernels, and `Inputs/chained-products.mlir` those whose
factors are other products.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, dealt, from_float64, given, guard_of, perform_all, to_float64

INPUTS = pathlib.Path(__file__).parent / "Inputs"
# The type of the sums, and what is said of the precision: a comment is nothing.
TYPES = {"f16": ("f32", "//"), "bf16": ("f32", "//"), "f64": ("f64", "//"), "i8": ("i32", "//"),
         "tf32": ("f32", "precision = tf32"), "f32": ("f32", "precision = ieee")}
# Rows, columns and inner extent of a tile.
TILES = ((32, 32, 32), (64, 16, 64), (16, 64, 32), (128, 32, 16), (32, 128, 32), (48, 32, 32), (64, 64, 128))
STAGES = (3, 2, 4, 1, 5)
WARPS = (0, 1, 2, 4, 8)
# Tiles and warps of which groups of four multiply 64 rows, where a GPU has wgmma.
GROUPS = (((64, 64, 32), 4), ((128, 64, 64), 8), ((64, 32, 64), 8), ((128, 128, 16), 4), ((64, 16, 128), 0),
          # Columns that are no power of two: in spans of 128, 32 and 64 bytes, two fragments of a group, groups side by side.
          ((64, 192, 32), 4), ((128, 48, 64), 8), ((128, 96, 32), 4), ((64, 192, 16), 8),
          # By columns, two panels of 48 lines each, behind which there is room up to 64.
          ((64, 48, 128), 4))
# Tiles, and where factors lie, of which some numbers of f32 are multiplied by 256 and copied one by one.
ACROSS = (((16, 256, 16), (False, False)), ((256, 16, 16), (False, True)), ((256, 32, 16), (False, False)),
          ((32, 256, 32), (False, True)), ((16, 256, 8), (True, False)))
# Rows, columns and length of a step of chained products, and warps: of some of them threads hold the first factor of the second.
CHAINED = (((64, 64, 64), 4), ((128, 64, 32), 4), ((128, 32, 64), 8), ((64, 128, 64), 8), ((32, 32, 32), 2), ((256, 64, 16), 4))
# Simulated GPUs, and times at which copies land.
TARGETS = ("", "sm_80")
SCHEDULES = ("", "seed=1,landing=1", "seed=2,landing=3")


class Check:
    """A kernel, where its factors lie, and how many iterations it takes."""

    def __init__(self, number, kernel, kind, tile, trips, short=0, columns=(False, False), gap=0, warps=None, roles="", target=TARGETS[0], ctas=0, cluster=1):
        self.number, self.kernel, self.kind, self.tile, self.columns = number, kernel, kind, tile, columns
        self.rows, self.width, inner = 2 * tile[0] - short, tile[1] - short, trips * tile[2] - (short if trips else 0)
        self.inner, self.gap = inner, gap
        self.stages, self.warps = STAGES[number % len(STAGES)], WARPS[number // 2 % len(WARPS)]
        self.target, self.schedule = TARGETS[number % len(TARGETS)], SCHEDULES[number % len(SCHEDULES)]
        # How many CTAs share the loop.
        self.ctas = ctas
        if warps is not None:
            self.warps = warps
        if warps is not None or ctas:
            self.target = target
        # Whether warps of their own begin the copies.
        self.roles = roles
        self.stages = max(self.stages, 2) if roles else self.stages
        # Whether both programs are a cluster, which load the second factor for one another.
        self.cluster = cluster
        self.title = (f"{number} {kernel} {kind} {'x'.join(map(str, tile))} x {trips}, {self.stages} stages, {self.warps} warps"
                      f", {short} short, columns {columns}, gap {gap}" + (f", roles {roles}" if roles else "")
                      + (f", {ctas} ctas" if ctas else "") + (", a cluster" if cluster > 1 else ""))


def checks():
    numbers = itertools.count()

    def check(*arguments, **options):
        return Check(next(numbers), *arguments, **options)

    for kind in TYPES:
        for trips in range(5):
            yield check("plain", kind, TILES[trips], trips)
            yield check("plain", kind, TILES[(trips + 2) % 4], trips, short=trips)
        for columns in ((True, False), (False, True), (True, True)):
            yield check("plain", kind, (32, 32, 32), 4, columns=columns)
        yield check("transposed", kind, (32, 16, 64), 3)
        yield check("two", kind, (32, 32, 32), 4)
        yield check("batches", kind, (32, 32, 16), 4)
        yield check("elsewhere", kind, (32, 32, 32), 4)
        yield check("plain", kind, (32, 64, 32), 4, gap=1)
        yield check("elsewhere", kind, (64, 32, 16), 3, short=8, columns=(False, True))
    for tile, columns in ACROSS:
        for trips in (1, 4):
            yield check("plain", "f32", tile, trips, short=trips - 1, columns=columns, warps=4)
        yield check("elsewhere", "f32", tile, 3, columns=columns, warps=4)
        yield check("transposed", "f32", tile, 3, warps=4)
        yield check("plain", "f32", tile, 2, columns=columns, gap=1, warps=4)
    for tile in TILES:
        yield check("plain", "f16", tile, 4)
        yield check("transposed", "bf16", tile, 4, short=8)
    for tile, warps in GROUPS:
        for trips in (0, 1, 2, 5):
            yield check("plain", "f16", tile, trips, short=trips, warps=warps)
        for columns in ((True, False), (False, True), (True, True)):
            yield check("plain", "bf16", tile, 4, columns=columns, warps=warps)
        yield check("plain", "f16", tile, 3, gap=1, warps=warps)
        for kernel in ("transposed", "two", "elsewhere"):
            yield check(kernel, "bf16", tile, 3, warps=warps)
        # Rows that begin at multiples of 16 bytes.
        for trips in (0, 1, 2, 7):
            yield check("plain", "f16", tile, trips, short=8 * (trips == 2), warps=warps, roles="always")
        for kernel in ("transposed", "two"):
            yield check(kernel, "bf16", tile, 5, warps=warps, roles="always")
        for trips in (0, 1, 3, 6):
            yield check("plain", "f16", tile, trips, short=8 * (trips == 3), warps=warps, roles="always", cluster=2)
        yield check("transposed", "bf16", tile, 5, warps=warps, roles="always", cluster=2)
    for tile, warps in CHAINED:
        for kernel, kind in itertools.product(("chained", "chained_same", "chained_loops"), ("f16", "bf16")):
            yield check(kernel, kind, tile, 3, short=8 * (kind == "f16"), warps=warps)
            yield check(kernel, kind, tile, 1, gap=1, warps=warps)
        # Products go on beside others: those that are added to sums as they are, and to sums that the next step negates or looks at first.
        for kernel, (kind, trips) in itertools.product(("chained_beside", "chained_negated", "chained_watched"), (("f16", 5), ("bf16", 2), ("f16", 1))):
            yield check(kernel, kind, tile, trips, short=8 * (trips == 2), warps=warps)
        yield check("chained_apart", "f16", tile, 5, warps=warps)
        # There threads fill the slots.
        yield check("chained_loops", "f16", tile, 4, short=8, warps=warps, target="sm_80")
        yield check("chained_loops", "bf16", tile, 2, warps=warps, target="sm_90")
        yield check("chained_beside", "f16", tile, 3, warps=warps, gap=1)
    # Loops that CTAs share: fewer iterations than there are CTAs, as many, and more, of which the last ones are for some of them.
    for kind in TYPES:
        for trips, ctas in ((0, 2), (1, 8), (3, 4), (7, 2), (9, 8)):
            yield check("plain", kind, TILES[trips % 4], trips, short=trips % 4, ctas=ctas)
        yield check("two", kind, (32, 32, 32), 5, ctas=4)
        yield check("transposed", kind, (16, 32, 32), 6, ctas=2)
        yield check("batches", kind, (32, 32, 16), 5, ctas=2)
        yield check("plain", kind, (16, 128, 32), 6, gap=1, ctas=4)
    yield check("elsewhere", "i8", (32, 32, 32), 4, ctas=2)
    for tile, warps in GROUPS:
        for trips, ctas, roles in ((5, 2, ""), (1, 2, "always"), (8, 4, "always"), (0, 8, "always")):
            yield check("plain", "f16", tile, trips, short=8 * (trips == 5), warps=warps, roles=roles, ctas=ctas)
        yield check("two", "bf16", tile, 6, warps=warps, ctas=2)
    # Loops that look at the sums: no product may be in flight.
    for kind in TYPES:
        yield check("watched", kind, (32, 32, 32), 3)
    for tile, warps in GROUPS:
        for trips, roles in ((4, ""), (3, "always")):
            yield check("watched", "f16", tile, trips, warps=warps, roles=roles)


def draw(generator, shape, kind, most):
    """Stored elements, and the integers that they are, of no more than `most`."""
    element = "f32" if kind == "tf32" else kind
    numbers = generator.integers(-most, most + 1, shape)
    return numbers.astype(np.int8) if kind == "i8" else from_float64(numbers, element), numbers


def stored(array, by_columns, gap):
    """The elements as memory has them, and the stride of its rows."""
    lines = array.T if by_columns else array
    wide = np.zeros((max(lines.shape[0], 1), lines.shape[1] + gap), array.dtype)
    wide[:lines.shape[0], :lines.shape[1]] = lines
    return wide, wide.shape[1]


def answers(check, left, right):
    """What the kernel shall make of the factors' integers."""
    if check.kernel.startswith("chained"):
        one, other = right[:check.inner], right[-check.inner:]
        if check.kernel in ("chained_negated", "chained_watched"):
            step = check.tile[2]
            starts = range(0, check.inner, step)
            parts = [left @ one[first:first + step].T @ other[first:first + step] for first in starts]
            # A part is in all sums behind it.
            return [sum(part * ((-1) ** number if check.kernel == "chained_negated" else number + 1)
                        for number, part in enumerate(reversed(parts)))]
        if check.kernel == "chained_apart":
            across = np.zeros((left.shape[0], check.inner), np.int64)
            across[:, :min(left.shape[1], check.inner)] = left[:, :check.inner]
            return [2 * across @ other + (left @ one.T).sum(1, keepdims=True)]
        return [left @ one.T @ other + (check.kernel in ("chained_loops", "chained_beside")) * (left @ other.T @ one)]
    if check.kernel == "two":
        return [left @ right[:check.inner] + left @ right[check.inner:]]
    if check.kernel == "batches":
        rows, inner = check.rows, check.inner
        return [np.concatenate([left[:rows] @ right[:inner], left[rows:] @ right[inner:]])]
    outputs, step = [left @ right], check.tile[2]
    if check.kernel == "watched":
        return [sum((left[:, :end] @ right[:end] for end in range(step, check.inner + step, step)), start=outputs[0])]
    if check.kernel == "elsewhere":
        padded = np.zeros((left.shape[0], -(-check.inner // step) * step), np.int64)
        padded[:, :check.inner] = left
        outputs.append(padded.reshape(left.shape[0], -1, step).sum(axis=1))
    return outputs


def parameters_of(check):
    sums, precision = TYPES[check.kind]
    element = "f32" if check.kind == "tf32" else check.kind
    values = dict(zip(("BM", "BN", "BK"), check.tile), T=element, S=sums, STAGES=check.stages, PRECISION=precision)
    for name, side, by_columns in (("AS", "a", check.columns[0]), ("BS", "b", check.columns[1])):
        values[name] = f"1, %{side}_stride" if by_columns else f"%{side}_stride, 1"
    if check.kind == "i8":
        values.update(ZERO="0", ADD="arith.addi", TZERO="0", TADD="arith.addi")
    if check.kernel.startswith("chained"):
        return {name: values[name] for name in ("BM", "BN", "BK", "T", "S", "STAGES")}
    return values


def launch(fsm_run, device, check, folder):
    """The kernel's outputs, beside what they shall be."""
    generator = np.random.default_rng(check.number)
    is_chained = check.kernel.startswith("chained")
    batches, many = 2 if check.kernel == "batches" else 1, 2 if check.kernel in ("two", "batches") or is_chained and check.kernel != "chained_same" else 1
    # The sums of one product are exact as the other's factor.
    most = 1 if is_chained else 3
    left, wide_left = draw(generator, (batches * check.rows, check.width if is_chained else check.inner), check.kind, most)
    right, wide_right = draw(generator, (many * check.inner, check.width), check.kind, most)
    a, a_stride = stored(left, check.columns[0] or check.kernel == "transposed", check.gap)
    b, b_stride = stored(right, check.columns[1], check.gap)
    sums, _ = TYPES[check.kind]
    element = "f32" if check.kind == "tf32" else check.kind
    wanted = answers(check, wide_left, wide_right)
    prefix = "bf16:" if element == "bf16" else ""
    source = INPUTS / ("chained-products.mlir" if is_chained else "product-loops.mlir")
    command = [str(source), f"--device={device}", "--grid=2", f"--kernel={check.kernel}",
               f"--arg={sums}[{batches * check.rows}x{check.width}]", f"--out=0:{folder / '0.npy'}"]
    for name, array in (("a", a), ("b", b)):
        array = array if array.size else np.zeros((1, 16), array.dtype)
        np.save(folder / f"{name}.npy", array)
        command.append(f"--arg={prefix}@{folder / f'{name}.npy'}")
    for number in (check.rows, check.width, check.inner, check.width, a_stride, b_stride):
        command.append(f"--arg={number}")
    if check.kernel == "elsewhere":
        command += [f"--arg={element}[{check.rows}x{check.tile[2]}]", f"--out=9:{folder / '9.npy'}"]
    for name, value in parameters_of(check).items():
        command += ["-D", f"{name}={value}"]
    if device.split(":")[0] in ("sim", "cuda"):
        command += [f"--num-warps={check.warps}"] * bool(check.warps) + [f"--roles={check.roles}"] * bool(check.roles)
    if device.split(":")[0] in ("sim", "cuda") and check.ctas:
        command.append(f"--spread={check.ctas}")
        command += [f"--cluster={check.cluster}"] * (check.cluster > 1)
    if device == "sim":
        command += [f"--target={check.target}"] * bool(check.target)
    schedule = ["env", f"FSM_SIMULATOR={check.schedule},global_races=2"] * (device == "sim" and bool(check.schedule))
    command += guard_of(command)
    done = batch.run([*schedule, fsm_run], command, SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join([*schedule, fsm_run, *command])}\nexit {done.returncode}: {done.stderr.strip()}")
    results = [np.load(folder / f"{index}.npy") for index in (0, 9)[:len(wanted)]]
    return [(to_float64(result, element if index else sums), answer)
            for index, (result, answer) in enumerate(zip(results, wanted))]


def judge(fsm_run, device, check):
    """What is wrong, or nothing."""
    title = f"{check.title} on {device}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            pairs = launch(fsm_run, device, check, pathlib.Path(folder))
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            return f"{title}: {error}"
    wrong = [int((result.reshape(answer.shape) != answer).sum()) for result, answer in pairs]
    return f"{title}: {wrong} elements wrong" if any(wrong) else ""


def main():
    chosen = [check for check in checks() if given("only", "") in check.title]
    # Warps, roles and times at which copies land are a GPU's, so that it has more of them.
    runs = dealt(chosen, lambda check: (check.kernel, check.kind, check.roles, check.ctas > 0, check.cluster), DEVICES[-1:])
    return perform_all(runs, lambda fsm_run, run: judge(fsm_run, run[2], run[1]))


if __name__ == "__main__":
    sys.exit(main())
