"""Passes arrays of every memory order to a kernel that copies them as they lie, and reads what it wrote.

Call: memory_order.py FSM_RUN     (in an empty folder)

NumPy says how the elements lie in each order and what the file that fsm-run writes must hold. Exit code 1 if a run is wrong.
"""

import subprocess
import sys

import numpy as np

KERNEL = """
fsm.kernel @copy(%out: !fsm.ptr<i16>, %in: !fsm.ptr<i16>) {
  %offsets = fsm.range 0, 120 : tensor<120xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<i16>, tensor<120xi32> -> tensor<120xi16>
  %one = arith.constant dense<1> : tensor<120xi16>
  %y = arith.addi %x, %one : tensor<120xi16>
  fsm.store %y, %out[%offsets] : tensor<120xi16>, !fsm.ptr<i16>, tensor<120xi32>
  fsm.store %y, %in[%offsets] : tensor<120xi16>, !fsm.ptr<i16>, tensor<120xi32>
  fsm.return
}
"""
SHAPES = ((120,), (10, 12), (4, 5, 6), (2, 3, 4, 5), (120, 1), (1, 1, 120), (2, 1, 60))


def faults(program, shape, order, asked):
    """What is wrong when a file in `order`, "C" or "F", is passed as `asked` says."""
    given = np.random.default_rng(len(shape)).integers(-999, 999, shape, np.int16).copy(order=order)
    np.save("in.npy", given)
    run = subprocess.run([program, "copy.mlir", "--device=cpu", "--grid=1", "--arg=i16[120]", f"--arg={asked}@in.npy",
                          "--out=0:lies.npy", "--out=1:back.npy"], capture_output=True, text=True, check=False)
    if run.returncode:
        return [run.stderr]
    wrong = []
    if not np.array_equal(np.load("lies.npy"), given.ravel("F" if asked else "C") + np.int16(1)):
        wrong.append("the elements lie otherwise")
    back = np.load("back.npy")
    if not np.array_equal(back, given + np.int16(1)) or back.flags.f_contiguous != given.flags.f_contiguous:
        wrong.append("the written file is another")
    is_told = "is in Fortran order; its elements are passed row by row, and fortran:@in.npy" in run.stderr
    if is_told != (not asked and not given.flags.c_contiguous):
        wrong.append(f"it says '{run.stderr.strip()}'")
    return wrong


def main():
    with open("copy.mlir", "w", encoding="utf-8") as file:
        file.write(KERNEL)
    runs = wrong = 0
    for shape in SHAPES:
        for order in ("C", "F"):
            for asked in ("", "fortran:"):
                runs += 1
                for fault in faults(sys.argv[1], shape, order, asked):
                    wrong += 1
                    print(f"{shape} {order} '{asked}': {fault}")
    print(f"{runs} runs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
