"""One kernel launched again and again on arrays that lie apart, in one another and side by side in a third.

Usage: overlaps.py FSM_RUN [--devices=A,B] [--jobs=N].

Loads stand behind stores that do or do not write what they read, so that code which is right for some launches is wrong for
others; a process keeps the code of those before. NumPy does the same, statement for statement, in memory of the same shape.
"""

import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from device import DEVICES, SECONDS, batch, finish

ROWS = 5
WIDTHS = (64, 50)
WARPS = (1, 2, 4)
KERNEL = """fsm.kernel @k(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %more: !fsm.ptr<i32>, %rows: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant WIDTH : i32
  %lasts = arith.constant dense<LAST> : tensor<WIDTHxi32>
  %at = fsm.range 0, WIDTH : tensor<WIDTHxi32>
  %back = arith.subi %lasts, %at : tensor<WIDTHxi32>
  %first = fsm.load %more[%at] : !fsm.ptr<i32>, tensor<WIDTHxi32> -> tensor<WIDTHxi32>
  %total = scf.for %i = %zero to %rows step %one iter_args(%sum = %first) -> tensor<WIDTHxi32> : i32 {
    %place = arith.muli %i, %width : i32
    %to = fsm.offset %out, %place : !fsm.ptr<i32>, i32
    %from = fsm.offset %in, %place : !fsm.ptr<i32>, i32
    %is = fsm.splat %i : tensor<WIDTHxi32>
    %value = arith.addi %first, %is : tensor<WIDTHxi32>
    fsm.store %value, %to[%back] : tensor<WIDTHxi32>, !fsm.ptr<i32>, tensor<WIDTHxi32>
    %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<WIDTHxi32> -> tensor<WIDTHxi32>
    %next = arith.addi %sum, %x : tensor<WIDTHxi32>
    scf.yield %next : tensor<WIDTHxi32>
  } {fsm.num_stages = 3 : i32}
  %end = arith.muli %rows, %width : i32
  %behind = fsm.offset %out, %end : !fsm.ptr<i32>, i32
  %y = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<WIDTHxi32> -> tensor<WIDTHxi32>
  fsm.store %total, %behind[%back] : tensor<WIDTHxi32>, !fsm.ptr<i32>, tensor<WIDTHxi32>
  %z = fsm.load %more[%at] : !fsm.ptr<i32>, tensor<WIDTHxi32> -> tensor<WIDTHxi32>
  %both = arith.addi %y, %z : tensor<WIDTHxi32>
  %last = fsm.offset %behind, %width : !fsm.ptr<i32>, i32
  fsm.store %both, %last[%at] : tensor<WIDTHxi32>, !fsm.ptr<i32>, tensor<WIDTHxi32>
  fsm.return
}
"""


def perform(out, given, more, width):
    """What the kernel does, on arrays that may share memory."""
    first = more.copy()
    total = first.copy()
    for i in range(ROWS):
        out[i * width:(i + 1) * width] = (first + i)[::-1]
        total += given[i * width:(i + 1) * width]
    y = given[:width].copy()
    out[ROWS * width:(ROWS + 1) * width] = total[::-1]
    out[(ROWS + 1) * width:] = y + more


def places(width):
    """Where `in` and `more` begin in `out`, or nothing for one that lies apart. Rows of `in` are those of `out` or behind
    them: a loop in stages promises that an iteration reads nothing that those before have stored."""
    end, behind = ROWS * width, (ROWS + 1) * width
    apart = (None, None)
    return (apart, (0, None), apart, (width, None), (16, None), (None, 2 * width), (0, end), (0, behind), (width, behind),
            (48, behind), (None, end - 16), (0, 2 * width), apart)


def fault(fsm_run, device, folder, width, warps, place):
    """What is wrong, or nothing."""
    sizes = {"out": (ROWS + 2) * width, "in": ROWS * width, "more": width}
    noise = np.random.default_rng(width)
    data = {name: noise.integers(0, 1000, size, np.int32) for name, size in sizes.items()}
    views = {name: array.copy() for name, array in data.items()}
    arguments = [f"{folder}/k{width}.mlir", f"--device={device}", "--grid=1"]
    if device.startswith(("sim", "cuda")):
        arguments.append(f"--num-warps={warps}")
    memory = np.zeros(2 * sizes["out"], np.int32)
    begins = {"out": 0, **{name: begin for name, begin in zip(("in", "more"), place) if begin is not None}}
    for name in ("more", "in", "out"):
        if name in begins:
            views[name] = memory[begins[name]:begins[name] + sizes[name]]
            views[name][:] = data[name]
    for number, (name, array) in enumerate(data.items()):
        np.save(f"{folder}/{device}-{width}-{name}.npy", array)
        arguments += [f"--arg=@{folder}/{device}-{width}-{name}.npy", f"--out={number}:{folder}/{device}-{width}-{name}-after.npy"]
    arguments += [f"--arg={ROWS}", *(f"--overlap={name}:out:{begin}" for name, begin in begins.items() if name != "out")]
    perform(*views.values(), width)
    done = batch.run([fsm_run], arguments, SECONDS)
    if done.returncode:
        return f"{' '.join(arguments)}\nexit {done.returncode}: {done.stderr.strip()}"
    wrong = [name for name in data if (np.load(f"{folder}/{device}-{width}-{name}-after.npy") != views[name]).any()]
    return f"wrong numbers in {', '.join(wrong)}" if wrong else ""


def in_turn(fsm_run, device, folder, width, warps):
    """All launches of one kernel, one after the other in one process."""
    found = [(place, fault(fsm_run, device, folder, width, warps, place)) for place in places(width)]
    return [f"{device}, rows of {width}, {warps} warps, in and more at {place} of out: {text}" for place, text in found if text]


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    jobs = [int(word[len("--jobs="):]) for word in sys.argv[1:] if word.startswith("--jobs=")]
    todo = [(device, width, warps) for device in DEVICES for width in WIDTHS
            for warps in (WARPS if device.startswith(("sim", "cuda")) else (0,))]
    complaints = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(jobs[-1] if jobs else 1) as pool:
        folder = pathlib.Path(name)

        def run(device, width, warps):
            own = folder / f"{device}-{width}-{warps}"
            own.mkdir()
            text = KERNEL.replace("WIDTH", str(width)).replace("LAST", str(width - 1))
            (own / f"k{width}.mlir").write_text(text, encoding="utf-8")
            return in_turn(fsm_run, device, own, width, warps)
        for found in pool.map(lambda one: run(*one), todo):
            complaints += found
    print("\n".join(complaints))
    print(f"{len(todo) * len(places(WIDTHS[0]))} launches, {len(complaints)} failures")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
