"""What fsm.print and fsm.assert write, line by line, on every device, against lines that Python writes.

Usage: prints.py FSM_RUN [--devices=A,B] [--jobs=N].
"""

import itertools
import pathlib
import re
import sys
import tempfile

import numpy as np

from device import DEVICES, SECONDS, batch, ctas_of, perform_all

SHAPES = ((1,), (5,), (64,), (257,), (3, 7), (16, 32), (2, 3, 5), (2, 1, 3, 1, 4))
WARPS = (1, 2, 4, 8, 16)
INTEGERS = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
# Storage, bits of the exponent and of the fraction, and whether the type has infinities.
FLOATS = {"f8E4M3FN": (np.uint8, 4, 3, False), "f8E5M2": (np.uint8, 5, 2, True), "f16": (np.uint16, 5, 10, True),
          "bf16": (np.uint16, 8, 7, True), "f32": (np.uint32, 8, 23, True), "f64": (np.uint64, 11, 52, True)}
FILES = {"f8E4M3FN": "f8E4M3FN:", "f8E5M2": "f8E5M2:", "bf16": "bf16:"}


def value_of(bits, kind):
    """The value of a float's bits, by the definition of its format."""
    _, exponent_bits, fraction_bits, has_infinity = FLOATS[kind]
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1)
    sign = -1.0 if bits >> (exponent_bits + fraction_bits) else 1.0
    highest, bias = (1 << exponent_bits) - 1, (1 << (exponent_bits - 1)) - 1
    if exponent == highest and has_infinity:
        return float("nan") if fraction else sign * float("inf")
    if exponent == highest and fraction == (1 << fraction_bits) - 1:
        return float("nan")
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - fraction_bits)
    return sign * (1 + fraction / (1 << fraction_bits)) * 2.0 ** (exponent - bias)


def text_of(bits, kind, is_hex=False):
    """An element as a line shows it; `bits` is its storage as a Python integer."""
    if kind in FLOATS:
        value = value_of(bits, kind)
        # The digits of the shortest decimal, as Python writes a number of these digits.
        return repr(value if kind == "f64" else float(str(np.float32(value))))
    width = 1 if kind == "i1" else 8 * np.dtype(INTEGERS[kind]).itemsize
    if is_hex:
        return f"0x{bits:0{max(width // 4, 1)}x}"
    return str(bits if width == 1 else bits - ((bits >> (width - 1)) << width))


def elements_of(kind, shape, random):
    """Random elements, the first ones of which are the special ones of the type; as storage and as integers."""
    count = int(np.prod(shape))
    storage = INTEGERS.get(kind) or FLOATS[kind][0]
    if kind == "i1":
        array = random.integers(0, 2, count).astype(np.bool_)
    else:
        array = np.frombuffer(random.bytes(count * np.dtype(storage).itemsize), storage).copy()
        width = 8 * array.dtype.itemsize
        unsigned = array.view(f"u{array.dtype.itemsize}")
        special = [0, 1 << (width - 1), (1 << width) - 1, (1 << (width - 1)) - 1, 1]
        if kind in FLOATS:
            _, exponent_bits, fraction_bits, _ = FLOATS[kind]
            one = ((1 << (exponent_bits - 1)) - 1) << fraction_bits
            infinity = ((1 << exponent_bits) - 1) << fraction_bits
            special += [one, infinity, infinity | 1 << (width - 1), one + 1, one - 1]
            if kind in ("f32", "f64"):
                numbers = (0.1, 1e-4, 9.9e-5, 1e15, 1e16, 123456.0, 16777216.0, 3e38, -2.5)
                special += [int(np.array(x, kind.replace("f", "float")).view(unsigned.dtype)) for x in numbers]
        unsigned[:len(special)] = special[:count]
    bits = [int(x) for x in array.view(f"u{array.dtype.itemsize}")]
    files = array.view(np.float16) if kind == "f16" else array
    if kind in ("f32", "f64"):
        files = array.view(kind.replace("f", "float"))
    return files.reshape(shape), bits


def run(fsm_run, folder, text, device, arguments, grid="1", warps=0, options=()):
    """Runs a kernel's text; gives the exit status and the lines of standard error, files without their folder."""
    path = pathlib.Path(folder) / "k.mlir"
    path.write_text(text)
    command = [str(path), f"--device={device}", f"--grid={grid}", *[f"--arg={a}" for a in arguments], *options]
    if warps and device not in ("cpu", "interp"):
        command.append(f"--num-warps={warps}")
    done = batch.run([fsm_run], [*command, *ctas_of(command)], SECONDS)
    return done.returncode, done.stderr.replace(str(path), "k").splitlines()


def place(text, what, program=(0, 0, 0)):
    """How the line of the op begins whose text has `what` in it."""
    for number, line in enumerate(text.splitlines(), 1):
        if what in line:
            return f"k:{number}:{len(line) - len(line.lstrip()) + 1}: program {program}: "
    raise ValueError(what)


def block_type(shape, kind):
    return f"tensor<{'x'.join(map(str, shape))}x{kind}>"


def block_kernel(kind, shape, is_hex):
    """Loads a block and its first element, and prints both."""
    count, block = int(np.prod(shape)), block_type(shape, kind)
    return f"""fsm.kernel @k(%p: !fsm.ptr<{kind}>) {{
  %flat = fsm.range 0, {count} : tensor<{count}xi32>
  %offsets = fsm.reshape %flat : tensor<{count}xi32> -> {block_type(shape, 'i32')}
  %first = fsm.load %p : !fsm.ptr<{kind}> -> {kind}
  %x = fsm.load %p[%offsets] : !fsm.ptr<{kind}>, {block_type(shape, 'i32')} -> {block}
  fsm.print "first" %first : {kind}
  fsm.print "both" {"hex " if is_hex else ""}%x, %first : {block}, {kind}
  fsm.return
}}
"""


def check_block(fsm_run, folder, device, case):
    kind, shape, warps = case
    random = np.random.default_rng(3)
    array, bits = elements_of(kind, shape, random)
    np.save(pathlib.Path(folder) / "x.npy", array)
    is_hex = kind in INTEGERS and len(shape) % 2 == 0
    text = block_kernel(kind, shape, is_hex)
    status, lines = run(fsm_run, folder, text, device, [f"{FILES.get(kind, '')}@{folder}/x.npy"], warps=warps)
    expected = [place(text, '"first"') + "first = " + text_of(bits[0], kind)]
    start = place(text, '"both"') + "both "
    for index, one in zip(np.ndindex(*shape), bits):
        expected.append(f"{start}#0 [{', '.join(map(str, index))}] = {text_of(one, kind, is_hex)}")
    expected.append(f"{start}#1 = {text_of(bits[0], kind, is_hex)}")
    return status, 0, lines, expected


LOOPS = """fsm.kernel @k(%n: i32) {
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %z = fsm.program_id z : i32
  fsm.print "id" %x, %y, %z : i32, i32, i32
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %r = fsm.range 0, 70 : tensor<70xi32>
  %odd = arith.andi %x, %1 : i32
  %isodd = arith.cmpi eq, %odd, %1 : i32
  scf.for %i = %0 to %n step %1 : i32 {
    %is = fsm.splat %i : tensor<70xi32>
    %b = arith.addi %r, %is : tensor<70xi32>
    fsm.print "outer" %b : tensor<70xi32>
    scf.if %isodd {
      scf.for %j = %0 to %i step %1 : i32 {
        fsm.print "inner" %j : i32
        fsm.print "sum" %b, %j : tensor<70xi32>, i32
      }
    } else {
      fsm.print "even" %i : i32
    }
  }
  fsm.return
}
"""


def loop_lines(n, program):
    """What one program prints."""
    def line(label, rest):
        return place(LOOPS, f'"{label}"', program) + label + rest

    def block(label, i, number=""):
        return [line(label, f"{number} [{k}] = {k + i}") for k in range(70)]
    lines = [line("id", f" #{axis} = {program[axis]}") for axis in range(3)]
    for i in range(n):
        lines += block("outer", i)
        if program[0] % 2 == 0:
            lines.append(line("even", f" = {i}"))
            continue
        for j in range(i):
            lines += [line("inner", f" = {j}"), *block("sum", i, " #0"), line("sum", f" #1 = {j}")]
    return lines


def check_loops(fsm_run, folder, device, case):
    warps, grid = case
    status, lines = run(fsm_run, folder, LOOPS, device, [4], ",".join(map(str, grid)), warps)
    programs = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
    return status, 0, lines, [line for program in programs for line in loop_lines(4, program)]


def check_full(fsm_run, folder, device, case):
    """The first lines of one program are kept in any case; the others are counted."""
    kept, warps = case
    status, lines = run(fsm_run, folder, LOOPS, device, [4], "1", warps, [f"--print-records={kept}"])
    everything = loop_lines(4, (0, 0, 0))
    lost = len(everything) - kept
    if lost > 0:
        said = f"lost {lost} printed line{'s' if lost > 1 else ''}: the launch keeps {kept}"
        if lines[-1:] != [said]:
            return status, 0, lines, [said]
        lines = lines[:-1]
    if device in ("cpu", "interp"):
        return status, 0, lines, everything[:kept]
    # Threads of a GPU fill the buffer in any order.
    if len(lines) != min(kept, len(everything)) or len(set(lines)) != len(lines) or not set(lines) <= set(everything):
        return status, 0, lines, everything[:kept]
    return status, 0, [], []


POINTERS = """fsm.kernel @k(%p: !fsm.ptr<f32>) {
  %4 = arith.constant 4 : i32
  %q = fsm.offset %p, %4 : !fsm.ptr<f32>, i32
  fsm.print "pointers" hex %p, %q, %4 : !fsm.ptr<f32>, !fsm.ptr<f32>, i32
  fsm.print "again" %p : !fsm.ptr<f32>
  fsm.return
}
"""


def check_pointers(fsm_run, folder, device, case):
    status, lines = run(fsm_run, folder, POINTERS, device, ["f32[8]"], warps=case[0])
    found = [re.search(r" = (0x[0-9a-f]{16})$", line) for line in lines]
    first = int(found[0][1], 16) if found and found[0] else 1
    start, again = place(POINTERS, '"pointers"') + "pointers ", place(POINTERS, '"again"') + "again "
    return status, 0, lines, [f"{start}#0 = 0x{first:016x}", f"{start}#1 = 0x{first + 16:016x}",
                              f"{start}#2 = 0x00000004", f"{again}= 0x{first:016x}"]


# The body of a kernel of (%p: !fsm.ptr<i32>, %n: i32), which index fails where, and what is printed before.
ASSERTS = {
    "block": ("""  %r = fsm.range 0, 105 : tensor<105xi32>
  %b = fsm.reshape %r : tensor<105xi32> -> tensor<3x5x7xi32>
  %ns = fsm.splat %n : tensor<3x5x7xi32>
  %c = arith.cmpi slt, %b, %ns : tensor<3x5x7xi32>
  fsm.print "before" %n : i32
  fsm.assert %c, "too large" : tensor<3x5x7xi1>
  fsm.print "behind" %n : i32
""", {104: ("[2, 4, 6]", ["before = 104"]), 40: ("[1, 0, 5]", ["before = 40"]),
      0: ("[0, 0, 0]", ["before = 0"]), 105: (None, ["before = 105", "behind = 105"])}),
    "scalar": ("""  %0 = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %0 : i32
  fsm.assert %c, "too large" : i1
  fsm.print "behind" %n : i32
""", {0: ("", []), 1: (None, ["behind = 1"])}),
    "for": ("""  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %5 = arith.constant 5 : i32
  %last = scf.for %i = %0 to %5 step %1 iter_args(%a = %n) -> (i32) : i32 {
    fsm.print "before" %i : i32
    %c = arith.cmpi ne, %i, %n : i32
    fsm.assert %c, "too large" : i1
    %b = arith.addi %a, %i : i32
    fsm.print "inside" %b : i32
    scf.yield %b : i32
  }
  fsm.print "behind" %last : i32
""", {0: ("", ["before = 0"]), 2: ("", ["before = 0", "inside = 2", "before = 1", "inside = 3", "before = 2"]),
      5: (None, sum([[f"before = {i}", f"inside = {5 + i * (i + 1) // 2}"] for i in range(5)], []) + ["behind = 15"])}),
    "if": ("""  %3 = arith.constant 3 : i32
  %r = fsm.range 0, 33 : tensor<33xi32>
  %ns = fsm.splat %n : tensor<33xi32>
  %small = arith.cmpi slt, %n, %3 : i32
  %v = scf.if %small -> (tensor<33xi32>) {
    %c = arith.cmpi ne, %r, %ns : tensor<33xi32>
    fsm.assert %c, "too large" : tensor<33xi1>
    %w = arith.addi %r, %ns : tensor<33xi32>
    scf.yield %w : tensor<33xi32>
  } else {
    scf.yield %ns : tensor<33xi32>
  }
  fsm.print "behind" %v : tensor<33xi32>
""", {2: ("[2]", []), 3: (None, [f"behind [{k}] = 3" for k in range(33)]),
      -1: (None, [f"behind [{k}] = {k - 1}" for k in range(33)])}),
    "while": ("""  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %4 = arith.constant 4 : i32
  %e = scf.while (%i = %0) : (i32) -> i32 {
    fsm.print "test" %i : i32
    %far = arith.cmpi ne, %i, %n : i32
    fsm.assert %far, "too large" : i1
    %more = arith.cmpi slt, %i, %4 : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    fsm.print "body" %j : i32
    %k = arith.addi %j, %1 : i32
    scf.yield %k : i32
  }
  fsm.print "behind" %e : i32
""", {1: ("", ["test = 0", "body = 0", "test = 1"]),
      9: (None, sum([[f"test = {i}", f"body = {i}"] for i in range(4)], []) + ["test = 4", "behind = 4"])}),
    "do": ("""  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %4 = arith.constant 4 : i32
  %e:2 = scf.while (%i = %0, %q = %p) : (i32, !fsm.ptr<i32>) -> (i32, !fsm.ptr<i32>) {
    fsm.print "test" %i : i32
    %more = arith.cmpi slt, %i, %4 : i32
    scf.condition(%more) %i, %q : i32, !fsm.ptr<i32>
  } do {
  ^bb0(%j: i32, %s: !fsm.ptr<i32>):
    %far = arith.cmpi ne, %j, %n : i32
    fsm.assert %far, "too large" : i1
    %t = fsm.offset %s, %1 : !fsm.ptr<i32>, i32
    %k = arith.addi %j, %1 : i32
    scf.yield %k, %t : i32, !fsm.ptr<i32>
  }
  fsm.store %n, %e#1 : i32, !fsm.ptr<i32>
  fsm.print "behind" %e#0 : i32
""", {1: ("", ["test = 0", "test = 1"]), 9: (None, [f"test = {i}" for i in range(5)] + ["behind = 4"])}),
    # Whether it goes on is known in front of the assert.
    "known": ("""  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %4 = arith.constant 4 : i32
  %e = scf.while (%i = %0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %4 : i32
    %far = arith.cmpi ne, %i, %n : i32
    fsm.assert %far, "too large" : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    fsm.print "body" %j : i32
    %k = arith.addi %j, %1 : i32
    scf.yield %k : i32
  }
  fsm.print "behind" %e : i32
""", {1: ("", ["body = 0"]), 9: (None, [f"body = {i}" for i in range(4)] + ["behind = 4"])}),
    # The load may not run where its index is wrong.
    "bounds": ("""  %8 = arith.constant 8 : i32
  %inside = arith.cmpi slt, %n, %8 : i32
  fsm.assert %inside, "too large" : i1
  %r = fsm.range 0, 1 : tensor<1xi32>
  %q = fsm.offset %p, %n : !fsm.ptr<i32>, i32
  %v = fsm.load %q[%r] : !fsm.ptr<i32>, tensor<1xi32> -> tensor<1xi32>
  fsm.print "behind" %v : tensor<1xi32>
""", {100000000: ("", []), 7: (None, ["behind [0] = 7"])}),
}


def check_assert(fsm_run, folder, device, case):
    name, n, warps = case
    body, answers = ASSERTS[name]
    text = f"fsm.kernel @k(%p: !fsm.ptr<i32>, %n: i32) {{\n{body}  fsm.return\n}}\n"
    status, lines = run(fsm_run, folder, text, device, ["i32[8]:arange", n], warps=warps)
    where, printed = answers[n]
    expected = [place(text, f'"{line.split()[0]}"') + line for line in printed]
    if where is not None:
        expected.append(place(text, "fsm.assert") + f"assertion failed{' at ' + where if where else ''}: too large")
    return status, int(where is not None), lines, expected


def cases():
    """Each of (check, device, case). The numbers of warps take turns."""
    turns = itertools.cycle(WARPS)
    for device in DEVICES:
        for kind, shape in itertools.product((*INTEGERS, *FLOATS), SHAPES):
            yield check_block, device, (kind, shape, next(turns))
        for warps in WARPS:
            yield check_loops, device, (warps, (3, 2, 2))
            yield check_pointers, device, (warps,)
        yield check_loops, device, (0, (5, 1, 1))  # Programs of one warp share a cta.
        for kept, warps in itertools.product((1, 100, 286, 287, 1000), (1, 4)):
            yield check_full, device, (kept, warps)
        for name, (_, answers) in ASSERTS.items():
            for n, warps in itertools.product(answers, (0, 1, 4)):
                yield check_assert, device, (name, n, warps)


def perform(fsm_run, chosen):
    """What is wrong, or nothing."""
    check, device, case = chosen
    with tempfile.TemporaryDirectory() as folder:
        status, right, lines, expected = check(fsm_run, folder, device, case)
    if status == right and lines == expected:
        return ""
    wrong = next((i for i, (a, b) in enumerate(zip(lines, expected)) if a != b), min(len(lines), len(expected)))
    return (f"{check.__name__} {device} {case}: exit {status} for {right}, {len(lines)} lines for {len(expected)}; "
            f"line {wrong}: {lines[wrong:wrong + 1]} for {expected[wrong:wrong + 1]}")


def main():
    return perform_all(cases(), perform)


if __name__ == "__main__":
    sys.exit(main())
