"""A kernel of so many products that each gets short code: NumPy multiplies the same whole numbers, which f32 holds.

Usage: many_products.py FSM_RUN [--devices=A,B].
"""

import pathlib
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, finish

ROWS, INNER, PRODUCTS = 8, 21, 300
# Of which no loop is made.
UNROLLED = "--roll-from=1000000"
TALL, SQUARE = f"tensor<{ROWS}x{INNER}xf32>", f"tensor<{INNER}x{INNER}xf32>"


def loaded(name, pointer, rows):
    """The text that loads a matrix, row by row."""
    places, block = f"tensor<{rows * INNER}xi32>", f"tensor<{rows * INNER}xf32>"
    return f"""  %p{name} = fsm.range 0, {rows * INNER} : {places}
  %l{name} = fsm.load {pointer}[%p{name}] : !fsm.ptr<f32>, {places} -> {block}
  %{name} = fsm.reshape %l{name} : {block} -> tensor<{rows}x{INNER}xf32>
"""


def kernel():
    """x = x * order + first, again and again."""
    text = "fsm.kernel @k(%out: !fsm.ptr<f32>, %x: !fsm.ptr<f32>, %order: !fsm.ptr<f32>) {\n"
    text += loaded("v0", "%x", ROWS) + loaded("o", "%order", INNER)
    for new in range(PRODUCTS):
        text += f"  %v{new + 1} = fsm.dot %v{new}, %o, %v0 precision = ieee : {TALL}, {SQUARE} -> {TALL}\n"
    places = f"tensor<{ROWS * INNER}xi32>"
    return text + f"""  %flat = fsm.reshape %v{PRODUCTS} : {TALL} -> tensor<{ROWS * INNER}xf32>
  fsm.store %flat, %out[%pv0] : tensor<{ROWS * INNER}xf32>, !fsm.ptr<f32>, {places}
  fsm.return
}}
"""


def main():
    fsm_run = next(word for word in sys.argv[1:] if not word.startswith("--"))
    random = np.random.default_rng(0)
    x = random.integers(-9, 10, (ROWS, INNER)).astype(np.float32)
    order = np.eye(INNER, dtype=np.float32)[random.permutation(INNER)]
    expected = x
    for _ in range(PRODUCTS):
        expected = expected @ order + x
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "k.mlir").write_text(kernel())
        np.save(folder / "x.npy", x)
        np.save(folder / "order.npy", order)
        np.save(folder / "expected.npy", expected)
        done = batch.run([fsm_run], [f"{folder}/k.mlir", "--emit=fsm", "--target=sm_90a", UNROLLED], SECONDS)
        if done.stdout.count("fsm.short") != PRODUCTS:
            complaints.append(f"expected {PRODUCTS} short products, got {done.stdout.count('fsm.short')}")
        for device in DEVICES:
            done = batch.run([fsm_run], [f"{folder}/k.mlir", f"--device={device}", "--grid=1", f"--arg=f32[{ROWS}x{INNER}]",
                                         f"--arg=@{folder}/x.npy", f"--arg=@{folder}/order.npy",
                                         f"--check=0:{folder}/expected.npy", UNROLLED], SECONDS)
            if done.returncode:
                complaints.append(f"{device}: exit {done.returncode}: {done.stderr.strip()}")
    print("\n".join(complaints))
    print(f"{len(DEVICES) + 1} checks, {len(complaints)} failures")
    return 0 if finish() and not complaints else 1


if __name__ == "__main__":
    sys.exit(main())
