"""Every order, scope, kind and type of atomics for every GPU: the PTX has the instruction that PTX has for it.

Call: atomics.py --fsm-run=PROGRAM [--ptxas=PROGRAM]

Exit code 1 if a target's code lacks one, calls a function, or is refused by ptxas.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from every_target import targets_of

ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = ("cta", "gpu", "sys")
# The instruction of a kind on a type, without order and scope; None is a loop around a compare-and-swap. Of a pair the second
# is that of sm_90 and later.
INSTRUCTIONS = {
    **{(kind, f"i{bits}"): f"{name}{bits}" for bits in (32, 64) for kind, name in (
        ("add", "add.u"), ("max", "max.s"), ("min", "min.s"), ("umax", "max.u"), ("umin", "min.u"), ("and", "and.b"),
        ("or", "or.b"), ("xor", "xor.b"), ("exch", "exch.b"))},
    **{(kind, f"f{bits}"): name and f"{name}{bits}" for bits in (32, 64) for kind, name in (
        ("add", "add.f"), ("max", None), ("min", None), ("exch", "exch.b"))},
    ("add", "f16"): "add.noftz.f16", ("add", "bf16"): (None, "add.noftz.bf16"),
}
# The additions of a thread's eight neighbours in memory.
OF_NEIGHBOURS = {"f16": ("add.noftz.f16x2", "add.noftz.v4.f16x2"), "bf16": (None, "add.noftz.v4.bf16x2"),
                 "f32": ("add.f32", "add.v4.f32"), "f64": "add.f64", "i32": "add.u32", "i64": "add.u64"}
CONSTANTS = {"f16": "1.0", "bf16": "1.0", "f32": "1.0", "f64": "1.0", "i32": "1", "i64": "1"}
BLOCK = 1024


def instructions(head, names, type_name):
    """Whole, that before sm_90 and that since."""
    bits = re.sub(r"\D", "", type_name)
    pair = names if isinstance(names, tuple) else (names, names)
    return [f"atom.global.{head}.{name or f'cas.b{bits}'}" for name in pair]


def updates():
    """(type, what stands between the op's name and its types, the two instructions)"""
    for (kind, type_name), names in INSTRUCTIONS.items():
        yield type_name, f"_rmw <{kind}> %x, %p", instructions("gpu.acq_rel", names, type_name)
    for type_name, names in OF_NEIGHBOURS.items():
        yield type_name, "_rmw <add> %x, %p[%o] sem = relaxed", instructions("gpu.relaxed", names, type_name)
    for order in ORDERS:
        for scope in SCOPES:
            words = f"sem = {order} scope = {scope}"
            swap = f"atom.global.{order}.{scope}.cas.b"
            yield "i32", f"_rmw <add> %x, %p {words}", [f"atom.global.{scope}.{order}.add.u32"] * 2
            yield "i64", f"_cas %x, %x, %p {words}", [swap + "64"] * 2
            yield "f16", f"_cas %x, %x, %p {words}", [swap + "16"] * 2
            yield "f32", f"_rmw <max> %x, %p {words}", [f"atom.global.{scope}.{order}.cas.b32"] * 2


def kernel_of(number, type_name, text):
    constant, value, offsets = CONSTANTS[type_name], type_name, ""
    if "[" in text:
        constant, value, offsets = f"dense<{constant}>", f"tensor<{BLOCK}x{type_name}>", f", tensor<{BLOCK}xi32>"
    return (f"fsm.kernel @k{number}(%p: !fsm.ptr<{type_name}> {{fsm.align = 16 : i32}}) attributes {{num_warps = 4 : i32}} {{\n"
            f"  %x = arith.constant {constant} : {value}\n"
            f"  %o = fsm.range 0, {BLOCK} : tensor<{BLOCK}xi32>\n"
            f"  %old = fsm.atomic{text} : {value}, !fsm.ptr<{type_name}>{offsets}\n"
            f"  fsm.return\n}}\n")


def fault(options, source, number, expected, target, folder):
    """What is wrong with one kernel for one target, or nothing."""
    ptx = folder / "k.ptx"
    command = [options.fsm_run, source, f"--kernel=k{number}", "--emit=ptx", f"--target={target}", "-o", ptx]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode:
        return compiled.stderr.strip()
    text = ptx.read_text(encoding="utf-8")
    found = re.findall(r"\batom\.\S+", text)
    if set(found) != {expected} or re.search(r"\.extern\s+\.func|\bcall", text):
        return f"expected {expected} and no call, got {found}"
    if not options.ptxas:
        return ""
    judged = subprocess.run([options.ptxas, f"-arch={target}", ptx, "-o", folder / "k.cubin"], capture_output=True,
                            text=True, check=False)
    return judged.stderr.strip() if judged.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fsm-run", required=True)
    parser.add_argument("--ptxas")
    options = parser.parse_args()
    all_updates, faults = list(updates()), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = []
        for number, (type_name, text, _) in enumerate(all_updates):
            sources.append(folder / f"k{number}.mlir")
            sources[-1].write_text(kernel_of(number, type_name, text), encoding="utf-8")
        targets = targets_of(options.fsm_run, sources[0])
        for place, target in enumerate(targets):
            # The oldest target compiles all, each other one a share of them that differs.
            for number, (_, text, expected) in enumerate(all_updates):
                if place and number % (len(targets) - 1) != place - 1:
                    continue
                expected = expected[int(re.sub(r"\D", "", target)) >= 90]
                wrong = fault(options, sources[number], number, expected, target, folder)
                if wrong:
                    faults += 1
                    print(f"fsm.atomic{text} for {target}: {wrong}")
    print(f"targets {', '.join(targets)}: {len(all_updates)} forms, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
