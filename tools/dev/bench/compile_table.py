"""Turns what tools/dev/bench-compile --table has measured into the tables of docs/measurements/compile-time.md.

Call: compile_table.py < LOG"""

import re
import statistics
import sys

PHASES = ("text to fsm", "to gpu", "to nvvm", "to llvm", "to llvmir", "to ptx", "**whole**", "from a cache")


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def phases(log):
    """Rows of a kernel, milliseconds: a stage's include the printing of its text, which the whole does without."""
    rows = {}
    for line in log.splitlines():
        if found := re.match(r"(\S+\.mlir)((?: +-?\d+\.\d+){9})$", line):
            rows.setdefault(found[1], []).append([float(number) for number in found[2].split()])
    lines = ["| ms | " + " | ".join(PHASES) + " |", "|---" * (len(PHASES) + 1) + "|"]
    for name, runs in rows.items():
        cells = [f"{statistics.median(column):.2f}" for column in list(zip(*runs))[:6]]
        whole, cached = (list(zip(*runs))[at] for at in (6, 8))
        lines.append(f"| {name} | " + " | ".join(cells) + f" | **{spread(whole, 1)}** | {spread(cached, 2)} |")
    return lines


def parallel(log):
    """Rows of a device: seconds for all kernels, and how many times as fast all cores are in the same turn."""
    times = {}
    for device, way, count, seconds in re.findall(r"^(\w+) (one|all): (\d+) kernels in (\S+) s$", log, re.MULTILINE):
        times.setdefault((device, count), {}).setdefault(way, []).append(float(seconds))
    lines = ["| s | one after the other | on all cores | rate |", "|---|---|---|---|"]
    for (device, count), ways in times.items():
        rates = [one / all_ for one, all_ in zip(ways["one"], ways["all"])]
        lines.append(f"| {count} softmax kernels for {device} | {spread(ways['one'], 2)} | {spread(ways['all'], 2)} | **{spread(rates, 2)}** |")
    return lines


def cached(log):
    """Rows of a device, microseconds: what an engine takes for a text that it does not know, for one whose code is in the
    folder, and for one that it has loaded before."""
    times = {}
    for device, *found in re.findall(r"^(\w+) cache: compiled (\S+) us, from the folder (\S+) us, of which (\S+) to read the text, "
                                     r"from memory (\S+) us, of which (\S+) to find it$", log, re.MULTILINE):
        times.setdefault(device, []).append([float(number) for number in found])
    lines = ["| µs, text to loaded code | compiled | from the folder | of which the text | from memory | of which finding it |", "|---|---|---|---|---|---|"]
    for device, runs in times.items():
        cells = [spread(column, digits) for column, digits in zip(zip(*runs), (0, 0, 0, 1, 1))]
        lines.append(f"| 04-softmax for {device} | " + " | ".join(cells) + " |")
    return lines


def main():
    log = sys.stdin.read()
    print("\n".join(["", *phases(log), "", *parallel(log), "", *cached(log)]))


if __name__ == "__main__":
    main()
