"""One run of fsm-run: its arguments, what its buffers must hold afterwards, and the comparison of the two.

Buffers are flat. A matrix lies in one at given strides; everything else is poison (NaN) in an input and a sentinel in
an output, so reading or writing a wrong place shows. On a GPU outputs and inputs go on behind the matrix as far as a
kernel without its mask could reach; interpreter and simulator check bounds themselves, and on the CPU pages that nobody
may touch lie before or behind, so there they end with the last element.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import batch
from elements import Element
from guards import guard_of

# What a launch may take before it counts as hanging.
SECONDS = 300

SENTINEL = -776.0
POISON_INTEGER = 0x5A5A5A5A

# What may be lost beneath the smallest normal number: ex2 and its like may flush there.
FLUSH = {"f32": 1e-37, "bf16": 1e-37, "f16": 0.0, "f64": 1e-300}


@dataclass
class Buffer:
    """A pointer argument and what it points to before the launch."""

    element: Element
    stored: np.ndarray


@dataclass
class Output:
    """A buffer, the positions in it the kernel must write, and the exact values there.

    `rule` is "bits" (of `value`, which is stored already), "rounded" (the exact value, rounded once) or the relative
    error an answer in float32 may have; f64 may have 1e-12, and a 16-bit answer is at most one unit in the last place
    beside a float32 one.
    """

    buffer: Buffer
    positions: np.ndarray
    value: np.ndarray
    scale: np.ndarray
    rule: object


@dataclass
class Launch:
    title: str
    grid: object
    device: str
    arguments: list
    outputs: dict = field(default_factory=dict)
    kernel: str = ""
    parameters: dict = field(default_factory=dict)
    num_warps: int = 0
    num_stages: int = 0
    num_ctas: int = 0
    piece: int = 0


def positions_of(rows, cols, row_stride, col_stride=1):
    """Where the elements of a strided matrix lie, as a matrix."""
    return np.arange(rows)[:, None] * row_stride + np.arange(cols)[None, :] * col_stride


def input_buffer(element, values, row_stride, col_stride=1, guard=0):
    """Stored `values` in poison."""
    positions = positions_of(*values.shape, row_stride, col_stride)
    size = (int(positions.max()) + 1 if positions.size else 0) + guard
    poison = (np.full(size, POISON_INTEGER, np.int32).astype(element.storage) if element.is_integer
              else element.round(np.full(size, np.nan)))
    poison[positions] = values
    return Buffer(element, poison)


def output_of(element, answer, rule, row_stride, col_stride=1, guard=0):
    """A buffer of sentinels and the rule for `answer`, a pair (value, scale) of matrices, in it."""
    value, scale = answer
    positions = positions_of(*value.shape, row_stride, col_stride)
    size = (int(positions.max()) + 1 if positions.size else 0) + guard
    buffer = Buffer(element, element.round(np.full(size, SENTINEL)))
    return Output(buffer, positions, value, scale, rule)


def in_pieces(file, piece, folder):
    """A copy of a file whose kernels say in which pieces their blocks are walked."""
    text = re.sub(r"^(fsm\.kernel @\w+\(.*[)\]]) \{$", rf"\1 attributes {{fsm.piece = {piece} : i32}} {{",
                  Path(file).read_text(), flags=re.MULTILINE)
    copy = Path(folder) / Path(file).name
    copy.write_text(text)
    return copy


def run(command, file, launch, folder, alone=False):
    """Runs one launch, `alone` in a process of its own. The outputs by argument index, or a sentence that says why there
    are none."""
    if launch.piece:
        file = in_pieces(file, launch.piece, folder)
    line = [str(file), f"--device={launch.device}", f"--grid={launch.grid}"]
    if launch.kernel:
        line.append(f"--kernel={launch.kernel}")
    if launch.num_warps:
        line.append(f"--num-warps={launch.num_warps}")
    if launch.num_ctas:
        line.append(f"--num-ctas={launch.num_ctas}")
    if launch.num_stages:
        line.append(f"--num-stages={launch.num_stages}")
    for name, value in launch.parameters.items():
        line += ["-D", f"{name}={value}"]
    for index, argument in enumerate(launch.arguments):
        if isinstance(argument, Buffer):
            path = Path(folder) / f"in{index}.npy"
            np.save(path, argument.stored)
            line.append(f"--arg={'bf16:' if argument.element.name == 'bf16' else ''}@{path}")
        else:
            line.append(f"--arg={argument!r}")
    for index in launch.outputs:
        line.append(f"--out={index}:{Path(folder) / f'out{index}.npy'}")
    line += guard_of(line)
    try:
        done = (subprocess.run([*command, *line], capture_output=True, text=True, timeout=SECONDS, check=False) if alone
                else batch.run(command, line, SECONDS))
    except subprocess.TimeoutExpired:
        return None, f"no end after {SECONDS} s of {' '.join([*command, *line])}"
    if done.returncode != 0:
        return None, f"exit code {done.returncode}: {done.stderr.strip()}\n{done.stdout}{' '.join([*command, *line])}"
    return {index: np.load(Path(folder) / f"out{index}.npy") for index in launch.outputs}, ""


def faults(output, result):
    """Says what is wrong with one output, or nothing."""
    before = output.buffer.stored
    if result.shape != before.shape or result.dtype != before.dtype:
        return f"expected a file of {before.dtype} {before.shape}, got {result.dtype} {result.shape}"
    outside = np.ones(before.shape, bool)
    outside[output.positions] = False
    touched = np.flatnonzero(outside & (result != before))
    if touched.size:
        return f"{touched.size} elements outside the result were written, the first at {touched[0]}"
    got = result[output.positions]
    wrong = np.argwhere(~acceptable(output, got))
    if not wrong.size:
        return ""
    at = tuple(wrong[0])
    expected, answer = output.value[at], (got if output.rule == "bits" else output.buffer.element.widen(got))[at]
    found = f"{len(wrong)} of {got.size} elements are wrong, the first at {list(wrong[0])}"
    return f"{found}: expected {expected}, got {answer}"


def acceptable(output, got):
    """Which elements hold what the rule allows. NaN must be NaN, an infinity must be that infinity."""
    element, value, rule = output.buffer.element, output.value, output.rule
    if rule == "bits":
        return bits(got) == bits(value)
    answer = element.widen(got)
    if rule == "rounded" or element.is_integer:
        return same(answer, element.widen(element.round(value)))
    if element.is_half:
        # Where terms cancel the float32 answer itself is uncertain.
        slack = rule * (output.scale - np.abs(value)) + FLUSH[element.name]
        low = element.ordinals(element.round(value - slack)) - 1
        high = element.ordinals(element.round(value + slack)) + 1
        ordinal = element.ordinals(got)
        close = (low <= ordinal) & (ordinal <= high)
    else:
        relative = 1e-12 if element.name == "f64" else rule
        with np.errstate(invalid="ignore"):
            close = np.abs(answer - value) <= relative * output.scale + FLUSH[element.name]
    return np.where(np.isfinite(value), close, same(answer, value))


def bits(stored):
    return stored.view(f"u{stored.itemsize}")


def same(a, b):
    return (a == b) | (np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else a == b
