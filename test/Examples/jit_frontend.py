"""Sessions with examples/32-jit-frontend, against NumPy and against what should be said.

Usage: jit_frontend.py JIT_FRONTEND.
"""

import re
import subprocess
import sys

import numpy as np

DEVICES = ("cpu", "interp", "sim")
SESSION = """i = range 3 7
x = i * i / 4 - 2
y = exp(x - max(x)) / sum(exp(x - max(x)))
s = sum(y)
m = mean(i) * 2 + 1
z = --(i - m) / -2 + 3*4 - (1 + 1)
t = tanh(abs(x)) + sqrt(i) * rsqrt(i + 1) - log(i + 2)
n = min(x) + sum(3 * m)
"""
MISTAKES = {
    "q = i + r": "column 7: expected arrays of one number of rows, got 3 and 2",
    "q = i + w": "column 1: expected arrays of one number of columns, or of 1, got 4 and 7",
    "q = foo(i)": "column 2: expected a function, got 'foo'",
    "q = i +": "column 5: expected a number, an array or '('",
    "q = (i": "column 4: expected ')'",
    "q = i i": "column 4: expected an operator or the end",
    "q = i + nobody": "column 6: expected an array that there is, got 'nobody'",
    "q = exp(1) + i": "column 8: expected an array in what 'exp' is of",
    "q = 1 + 2": "column 1: expected an array",
    "q = " + "(" * 101 + "i": "column 103: expected fewer parentheses in one another",
    "q = range 3": "expected 'range', the number of rows and that of columns",
    "show nobody": "expected an array to show, got 'nobody'",
    "what": "expected NAME = EXPRESSION, 'show NAME' or 'kernel', got 'what'",
}


def run(program, device, text):
    return subprocess.run([program, device], input=text, capture_output=True, text=True, timeout=60, check=False)


def expected():
    i = np.broadcast_to(np.arange(7.0), (3, 7))
    x = i * i / 4 - 2
    e = np.exp(x - x.max(1, keepdims=True))
    y = e / e.sum(1, keepdims=True)
    m = i.mean(1, keepdims=True) * 2 + 1
    return {"x": x, "y": y, "s": y.sum(1, keepdims=True), "m": m, "z": (i - m) / -2 + 12 - 2,
            "t": np.tanh(abs(x)) + np.sqrt(i) / np.sqrt(i + 1) - np.log(i + 2), "n": x.min(1, keepdims=True) + 7 * 3 * m}


def main():
    program, complaints = sys.argv[1], []
    for device in DEVICES:
        wanted = expected()
        done = run(program, device, SESSION + "".join(f"show {name}\n" for name in wanted))
        shown = re.findall(r"(\w+): (\d+) x (\d+), (\S+) \.\.\. (\S+)", done.stdout)
        if done.returncode or [name for name, *_ in shown] != list(wanted):
            complaints.append(f"{device}: exit {done.returncode}: {done.stdout}{done.stderr}")
        for name, rows, columns, first, last in shown:
            array = wanted[name]
            right = np.allclose([float(first), float(last)], [array[0, 0], array[-1, -1]], rtol=1e-5)
            if (int(rows), int(columns)) != array.shape or not right:
                complaints.append(f"{device}: {name} is {rows} x {columns}, {first} ... {last}, not {array[0, 0]} ... {array[-1, -1]}")
    for line, sentence in MISTAKES.items():
        done = run(program, "interp", f"i = range 3 7\nr = range 2 7\nw = range 3 4\n{line}\n")
        if done.returncode != 1 or f"error: {sentence}" not in done.stdout:
            complaints.append(f"'{line[:20]}': exit {done.returncode}: {done.stdout}{done.stderr}")
    print("\n".join(complaints))
    print(f"{len(DEVICES)} sessions, {len(MISTAKES)} mistakes, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
