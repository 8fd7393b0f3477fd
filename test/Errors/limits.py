#!/usr/bin/python3
"""Runs kernels at the limits of docs/language.md, and beyond them.

Call: limits.py FSM-RUN FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

DEVICES = ("interp", "cpu", "sim")
MAX_OPS = 8192
TOO_MANY = "error: expected at most 8192 ops in a kernel; write what repeats as a loop"


def kernel(*lines):
    return "\n".join(["fsm.kernel @k(%p: !fsm.ptr<i32>, %one: i32) {", *lines, "  fsm.return", "}", ""])


def chain(ops):
    """A kernel of so many ops that stores how many additions it made of 1."""
    sums = [f"  %s{i} = arith.addi %{f's{i - 1}' if i else 'one'}, %one : i32" for i in range(ops - 2)]
    return kernel(*sums, f"  fsm.store %s{ops - 3}, %p : i32, !fsm.ptr<i32>")


def called_twice(ops):
    """A helper of so many additions, which a kernel calls twice."""
    sums = [f"  %s{i} = arith.addi %{f's{i - 1}' if i else 'x'}, %one : i32" for i in range(ops)]
    helper = ["func.func @h(%x: i32, %one: i32) -> i32 {", *sums, f"  func.return %s{ops - 1} : i32", "}", ""]
    return "\n".join(helper) + kernel("  %a = func.call @h(%one, %one) : (i32, i32) -> i32",
                                      "  %b = func.call @h(%a, %one) : (i32, i32) -> i32",
                                      "  fsm.store %b, %p : i32, !fsm.ptr<i32>")


def many_words(ops):
    """Random words of random words: each op is some 130 ops of integer arithmetic."""
    words = ["%one, %one, %one, %one", *(f"%a{i}, %b{i}, %c{i}, %d{i}" for i in range(ops))]
    return kernel(*(f"  {words[i + 1]} = fsm.philox counter {words[i]} key %one, %one : i32" for i in range(ops)),
                  f"  fsm.store %a{ops - 1}, %p : i32, !fsm.ptr<i32>")


def largest_block(transposed):
    """A block of 2^20 elements and rank 5; its last number is stored."""
    type5, type1 = "tensor<16x16x16x16x16xi32>", "tensor<1048576xi32>"
    move = [f"  %t = fsm.transpose %b order [4, 3, 2, 1, 0] : {type5} -> {type5}"] if transposed else []
    return kernel(f"  %r = fsm.range 0, 1048576 : {type1}", f"  %b = fsm.reshape %r : {type1} -> {type5}", *move,
                  f"  %f = fsm.reshape %{'t' if transposed else 'b'} : {type5} -> {type1}",
                  f"  %m = fsm.reduce <max> %f axis 0 : {type1} -> i32", "  fsm.store %m, %p : i32, !fsm.ptr<i32>")


# Name, kernel, and for each device the number that is stored, the beginning of the error behind the file's name, or None
# if it is not tried there.
CASES = (
    ("as-many-ops", chain(MAX_OPS - 2), (MAX_OPS - 3,) * 3),
    ("too-many-ops", chain(MAX_OPS + 1), (f":{MAX_OPS + 2}:3: {TOO_MANY}",) * 3),
    ("helpers", called_twice(4100), (8201, f":4094:12: {TOO_MANY}", f":4094:12: {TOO_MANY}")),
    ("words", many_words(75), (None, f":62:28: {TOO_MANY}", f":62:28: {TOO_MANY}")),
    ("block", largest_block(False), (1048575,) * 3),
    ("moved-block", largest_block(True), (1048575,) * 3),
)


def complaint(fsm_run, folder, name, text, device, answer):
    file, out = folder / f"{name}.mlir", folder / "out.npy"
    file.write_text(text, encoding="utf-8")
    options = [f"--device={device}", "--grid=1", "--arg=i32[1]", "--arg=1", "--no-specialize", f"--out=0:{out}"]
    done = subprocess.run([fsm_run, file, *options], capture_output=True, text=True, timeout=60)
    if isinstance(answer, str):
        found = done.stderr.split("\n")[0]
        is_right = done.returncode == 2 and found.startswith(f"{file}{answer}")
        return None if is_right else f"expected '{answer}', got exit code {done.returncode} and '{found}'"
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr}"
    stored = np.load(out)[0]
    return None if stored == answer else f"stored {stored}, expected {answer}"


def main():
    fsm_run, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    checks, failed = 0, 0
    for name, text, answers in CASES:
        for device, answer in zip(DEVICES, answers):
            if answer is None:
                continue
            checks += 1
            sentence = complaint(fsm_run, folder, name, text, device, answer)
            if sentence:
                print(f"FAIL {name} on {device}: {sentence}")
                failed += 1
    print(f"{checks} checks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
