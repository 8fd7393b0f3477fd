"""Long kernels that repeat themselves, almost: of equal loops the host makes one function, and long code for a GPU is cut.
Others are one long loop, which the host does not schedule.

Usage: long_kernels.py FSM_RUN [--devices=A,B].

A link takes two of three blocks, and differs from others in which they are, in their order, in a number or in an op. NumPy
does the same, link by link.
"""

import pathlib
import random
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, finish

SIZE, LINKS, STEPS, SEEDS = 1024, 600, 3000, (1, 2)
BLOCK = f"tensor<{SIZE}xi32>"
HEAD = f"""fsm.kernel @k(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {{
  %at = fsm.range 0, {SIZE} : {BLOCK}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant dense<{SIZE}> : {BLOCK}
  %three = arith.constant dense<3> : {BLOCK}
  %at1 = arith.addi %at, %size : {BLOCK}
  %at2 = arith.addi %at1, %size : {BLOCK}
"""
REDUCTIONS = {"max": np.max, "min": np.min, "umax": lambda x: np.max(x.view(np.uint32)).view(np.int32)}
ARITHMETIC = {"addi": np.add, "subi": np.subtract, "xori": np.bitwise_xor}


def reduction(draw, x, y, new):
    """y less what x is reduced to, or the other way around."""
    kind, is_turned = draw.choice(list(REDUCTIONS)), draw.random() < 0.5
    sides = f"%s{new}, %{y}" if is_turned else f"%{y}, %s{new}"
    text = f"""  %r{new} = fsm.reduce <{kind}> %{x} axis 0 : {BLOCK} -> i32
  %s{new} = fsm.splat %r{new} : {BLOCK}
  %v{new} = arith.subi {sides} : {BLOCK}
"""
    return text, lambda a, b: REDUCTIONS[kind](a) - b if is_turned else b - REDUCTIONS[kind](a)


def loop(draw, x, y, new):
    """An op with y, and one with x, so many times."""
    first, second, times = draw.choice(list(ARITHMETIC)), draw.choice(list(ARITHMETIC)), draw.choice((3, 5))
    text = f"""  %n{new} = arith.constant {times} : i32
  %v{new} = scf.for %i = %zero to %n{new} step %one iter_args(%c = %{x}) -> ({BLOCK}) : i32 {{
    %d = arith.{first} %c, %{y} : {BLOCK}
    %e = arith.{second} %{x}, %d : {BLOCK}
    scf.yield %e : {BLOCK}
  }}
"""

    def compute(a, b):
        value = a
        for _ in range(times):
            value = ARITHMETIC[second](a, ARITHMETIC[first](value, b))
        return value
    return text, compute


def step(draw, x, y, new):
    """Three times x, with y."""
    op = draw.choice(("addi", "subi"))
    text = f"  %t{new} = arith.muli %{x}, %three : {BLOCK}\n  %v{new} = arith.{op} %t{new}, %{y} : {BLOCK}\n"
    return text, lambda a, b: ARITHMETIC[op](3 * a, b)


def kernel(seed, given, count, links):
    """The text, and what it stores."""
    draw = random.Random(seed)
    names = [f"v{i}" for i in range(3)]
    values = [given[SIZE * i:SIZE * (i + 1)] for i in range(3)]
    text = HEAD + "".join(f"  %v{i} = fsm.load %in[%at{i or ''}] : !fsm.ptr<i32>, {BLOCK} -> {BLOCK}\n" for i in range(3))
    for new in range(3, 3 + count):
        one, other, place = draw.randrange(3), draw.randrange(3), draw.randrange(3)
        if step in links:
            # What was there can be had from what is there now, so that no number is lost.
            other, place = (one + draw.choice((1, 2))) % 3, one
        link, compute = draw.choice(links)(draw, names[one], names[other], new)
        text += link
        names[place], values[place] = f"v{new}", compute(values[one], values[other])
    text += "".join(f"  fsm.store %{name}, %out[%at{i or ''}] : {BLOCK}, !fsm.ptr<i32>, {BLOCK}\n" for i, name in enumerate(names))
    return text + "  fsm.return\n}\n", np.concatenate(values)


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed, count, links in [(seed, LINKS, (reduction, loop)) for seed in SEEDS] + [(0, STEPS, (step,))]:
            given = np.random.default_rng(seed).integers(-2**31, 2**31, 3 * SIZE, np.int32)
            text, expected = kernel(seed, given, count, links)
            (folder / f"k{seed}.mlir").write_text(text)
            np.save(folder / f"given{seed}.npy", given)
            for device in DEVICES:
                out = folder / f"{device}{seed}.npy"
                done = batch.run([fsm_run], [f"{folder}/k{seed}.mlir", f"--device={device}", "--grid=1", f"--arg=i32[{3 * SIZE}]",
                                             f"--arg=@{folder}/given{seed}.npy", f"--out=0:{out}"], SECONDS)
                if done.returncode:
                    complaints.append(f"{device}, seed {seed}: exit {done.returncode}: {done.stderr.strip()}")
                elif (np.load(out) != expected).any():
                    complaints.append(f"{device}, seed {seed}: {(np.load(out) != expected).sum()} wrong numbers")
    print("\n".join(complaints))
    print(f"{(len(SEEDS) + 1) * len(DEVICES)} launches, {len(complaints)} failures")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
