#!/usr/bin/python3
"""Verifies the examples of a page of docs/: fsm-opt must accept each ```mlir block below a heading, and what it
prints of it must read back as the same.

Call: op-examples.py PAGE.md FSM-OPT

An example uses values it does not define. The tables below give their types, so that a slip in an example's own types
is noticed: scalars and pointers become arguments of a kernel around the example, blocks are made with ub.poison. An
example that is a kernel is taken as it is. A section about an op without an example is an error, as is an example with
a name that is in no table.
"""

import re
import subprocess
import sys
from pathlib import Path

TYPES = {
    "column": "tensor<16x1xi32>",
    "flag": "i1",
    "in": "!fsm.ptr<f32>",
    "mask": "tensor<1024xi1>",
    "n": "i32",
    "ninf": "f32",
    "offsets": "tensor<1024xi32>",
    "out": "!fsm.ptr<f32>",
    "p": "!fsm.ptr<f32>",
    "rows": "tensor<16xi32>",
    "start": "i32",
    "stride": "i32",
    "sum": "f32",
    "tile": "tensor<16x64xf32>",
    "x": "tensor<1024xf32>",
    "y": "tensor<1024xf32>",
}
# Where an op's example means another type by a name, or has names of its own.
TYPES_OF_OP = {
    "fsm.assert": {"inside": "tensor<64xi1>"},
    "fsm.atomic_cas": {"free": "i32", "lock": "!fsm.ptr<i32>", "taken": "i32"},
    "fsm.atomic_rmw": {
        "counter": "!fsm.ptr<i32>",
        "mask": "tensor<64xi1>",
        "offsets": "tensor<64xi32>",
        "one": "i32",
        "x": "tensor<64xf32>",
    },
    "fsm.cat": {"more": "tensor<16x8xf32>"},
    "fsm.convert": {"x": "tensor<64xf32>"},
    "fsm.renew": {"raw": "tensor<64xbf16>"},
    "fsm.convert_layout": {"x": "tensor<64xf32, #a>"},
    "fsm.mbarrier_wait": {"phase": "i32", "slot": "i32"},
    "fsm.copy_async": {
        "mask": "tensor<128xi1, #row>",
        "more": "i1",
        "offsets": "tensor<128xi32, #row>",
        "slot": "i32",
    },
    "fsm.copy_tensor": {
        "a": "!fsm.ptr<f16>",
        "column": "i32",
        "ld": "i32",
        "m": "i32",
        "more": "i1",
        "row": "i32",
        "slot": "i32",
    },
    "fsm.load_role": {"phase": "i32", "slot": "i32"},
    "fsm.mbarrier_arrive": {"later": "i1", "slot": "i32"},
    "fsm.load_tile": {"head": "i32", "m": "i32", "row": "i32"},
    "fsm.mbarrier_expect": {"more": "i1", "slot": "i32"},
    "fsm.store_tensor": {
        "block": "tensor<16x64xf16, #block>",
        "c": "!fsm.ptr<f16>",
        "column": "i32",
        "ld": "i32",
        "m": "i32",
        "n": "i32",
        "row": "i32",
    },
    "fsm.clear_lines": {"a": "!fsm.ptr<f16>", "ld": "i32", "m": "i32", "n": "i32"},
    "fsm.fetch_tensor": {"b": "!fsm.ptr<f16>", "column": "i32", "k": "i32", "ld": "i32", "n": "i32", "row": "i32"},
    "fsm.tensor_map": {"a": "!fsm.ptr<f16>", "ld": "i32", "m": "i32"},
    "fsm.own_tensor_map": {"a": "!fsm.ptr<f16>", "k": "i64", "m": "i64", "new": "i1"},
    "TensorMapType": {"a": "!fsm.ptr<f16>", "ld": "i32", "m": "i32"},
    "fsm.umulhi": {"x": "tensor<64xi64>", "y": "tensor<64xi64>"},
    "fsm.div_rn": {"x": "tensor<64xf32>", "y": "tensor<64xf32>"},
    "DescriptorType": {"p": "!fsm.ptr<f16>", "m": "i32", "n": "i32"},
    "fsm.descriptor": {"l": "i64", "m": "i32"},
    "fsm.dot": {
        "p": "tensor<64x256xf8E4M3FN>",
        "q": "tensor<256x64xf8E4M3FN>",
        "u": "tensor<64x32xi8>",
        "v": "tensor<32x64xi8>",
        "w": "tensor<64x64xi32>",
        "a": "tensor<64x32xf16>",
        "b": "tensor<32x64xf16>",
        "x": "tensor<64x16xf32>",
        "y": "tensor<16x64xf32>",
        "zero": "tensor<64x64xf32>",
    },
    "fsm.extract": {"i": "i32"},
    "fsm.gather": {"ids": "tensor<16x32xi32>", "x": "tensor<64x32xf32>"},
    "fsm.histogram": {"bins": "tensor<1024xi32>"},
    "fsm.int_to_ptr": {"address": "i64"},
    "fsm.join": {"im": "tensor<64xf32>", "re": "tensor<64xf32>"},
    "fsm.philox": {name: "tensor<64xi32>" for name in ("i", "zero", "low", "high")},
    "fsm.places": {"first": "i32", "ld": "i32", "m": "i32", "row": "i32"},
    "fsm.print": {"max": "f32", "offsets": "tensor<64xi32>", "row": "i32"},
    "fsm.product_wait": {"sums": "tensor<64x32xf32>"},
    "fsm.reduce": {"halves": "tensor<128xf16, #x>"},
    "fsm.reduce_with": {"ids": "tensor<64xi32>", "x": "tensor<64xf32>"},
    "fsm.scan": {"tile": "tensor<16x64xi32>"},
    "fsm.scan_with": {"a": "tensor<64xf32>", "b": "tensor<64xf32>"},
    "fsm.shared_count": {"i": "tensor<128xi32, #l>"},
    "fsm.shared_dot": {"c": "tensor<16x32xf32, #acc>", "s": "tensor<64x32xf32, #sums>", "slot": "i32", "held": "tensor<64x64xf16, #left>"},
    "fsm.shared_gather": {"i": "tensor<4x8xi32, #l>"},
    "fsm.shared_load": {"mask": "tensor<128xi1, #row>", "slot": "i32"},
    "fsm.shared_store": {"x": "tensor<4x16xf32, #w>"},
    "fsm.slice": {"i": "i32"},
    "fsm.splat": {"x": "f32"},
    "fsm.split": {"pairs": "tensor<64x2xf32>"},
    "fsm.sqrt_rn": {"x": "tensor<64xf32>"},
    "fsm.store_tile": {"m": "i32", "row": "i32"},
    "fsm.sum_parts": {"own": "tensor<16x128xf32>"},
    "fsm.transpose": {"rows": "tensor<16x64xf32>"},
    "fsm.yield": {"values": "tensor<64xf32>"},
}
# What stands around an example that ends a region, or in front of one that takes what only another op makes.
AROUND_OP = {
    "fsm.copy_async": "%own = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #places>\n"
                      "%data = fsm.shared_alloc : !fsm.shared<128xf32 slots 3>\n"
                      "%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.copy_tensor": """#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
%ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
EXAMPLE""",
    "fsm.clear_lines": """#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
%ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
EXAMPLE""",
    "fsm.mbarrier_expect": "%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.load_role": "%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\n"
                     "%empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.mbarrier_arrive": "%empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.mbarrier_init": "%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\n"
                         "%come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>\n"
                         "%empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.mbarrier_wait": "%full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>\nEXAMPLE",
    "fsm.shared_load": "%shared = fsm.shared_alloc : !fsm.shared<4x16xf32>\n"
                       "%sums = fsm.shared_alloc : !fsm.shared<128xf32>\n"
                       "%ring = fsm.shared_alloc : !fsm.shared<128xf32 slots 3>\nEXAMPLE",
    "fsm.store_tensor": """#block = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]],
                     lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
%tile = fsm.shared_alloc : !fsm.shared<16x64xf16, #tile>
EXAMPLE""",
    "fsm.store_wait": """#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
%tile = fsm.shared_alloc : !fsm.shared<16x64xf16, #tile>
EXAMPLE""",
    "fsm.shared_dot": """#acc = #fsm.layout<register = [[0, 8], [0, 16], [4, 0], [8, 0]],
                   lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#left = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
  warp = [[16, 0], [32, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                    warp = [[16, 0], [32, 0]], cta = []>
%x = fsm.shared_alloc : !fsm.shared<64x64xf16, #x>
%y = fsm.shared_alloc : !fsm.shared<64x32xf16, #y>
%a = fsm.shared_alloc : !fsm.shared<16x64xf16 pitch 72>
%b = fsm.shared_alloc : !fsm.shared<64x32xf16 pitch 40>
%t = fsm.shared_alloc : !fsm.shared<32x64xf16 pitch 72>
%ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
EXAMPLE""",
    "fsm.shared_count": "%counts = fsm.shared_alloc : !fsm.shared<32xi32>\nEXAMPLE",
    "fsm.shared_gather": "%shared = fsm.shared_alloc : !fsm.shared<16x8xf32>\nEXAMPLE",
    "fsm.shared_store": "%shared = fsm.shared_alloc : !fsm.shared<4x16xf32>\n"
                        "%half = fsm.shared_alloc : !fsm.shared<4x8xf32 pitch 12>\n"
                        "%all = fsm.shared_alloc : !fsm.shared<4x16xf32>\n"
                        "%parts = fsm.shared_alloc : !fsm.shared<4x16xf32 slots 3, #places>\n"
                        "%come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>\nEXAMPLE",
    "fsm.yield": """%ids = fsm.range 0, 64 : tensor<64xi32>
%best, %at = fsm.reduce_with %values, %ids axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
^bb0(%sum: f32, %count: i32, %sum1: f32, %count1: i32):
EXAMPLE}
""",
}

SECTION = re.compile(r"^#{2,3} `?(?P<name>[\w.]+)`?.*?(?=^#{2,3} |\Z)", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"^```mlir\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
# The names left of an equals sign, and those of a region's arguments.
RESULTS = re.compile(r"^\s*((?:%\w+,\s*)*%\w+)\s*=", re.MULTILINE)
ARGUMENTS = re.compile(r"^\s*\^\w+\(([^()]*)\):", re.MULTILINE)
# An alias of an attribute, which stands in front of the kernel; its further lines are indented.
ALIAS = re.compile(r"^#\w+ = .*\n(?:[ \t]+.*\n)*", re.MULTILINE)


def around_types(text):
    """A kernel with one argument of each type the example lists."""
    arguments = ", ".join(f"%a{number}: {line}" for number, line in enumerate(text.split("\n")) if line)
    return f"fsm.kernel @example({arguments}) {{\n  fsm.return\n}}\n"


def defined(text):
    """The values that an example defines."""
    return set(re.findall(r"%(\w+)", " ".join(RESULTS.findall(text) + ARGUMENTS.findall(text))))


def around_ops(name, text):
    """A kernel that defines what the example uses and holds the example."""
    if "fsm.kernel" in text:
        return text
    text = AROUND_OP.get(name, "EXAMPLE").replace("EXAMPLE", text)
    types = {**TYPES, **TYPES_OF_OP.get(name, {})}
    free = sorted(set(re.findall(r"%(\w+)", text)) - defined(text))
    unknown = [value for value in free if value not in types]
    if unknown:
        raise LookupError(f"no type is known for %{unknown[0]}; add it to TYPES")
    blocks = [value for value in free if types[value].startswith("tensor")]
    arguments = ", ".join(f"%{value}: {types[value]}" for value in free if value not in blocks)
    body = "".join(f"%{value} = ub.poison : {types[value]}\n" for value in blocks) + text
    if "fsm.return" not in text:
        body += "fsm.return\n"
    aliases = "".join(ALIAS.findall(body))
    return f"{aliases}fsm.kernel @example({arguments}) {{\n{ALIAS.sub('', body)}}}\n"


def complaint(name, text, fsm_opt):
    """What is wrong with an example, or None."""
    try:
        kernel = around_types(text) if text.startswith("!") else around_ops(name, text)
    except LookupError as error:
        return str(error)
    done = subprocess.run([fsm_opt, "-"], input=kernel, capture_output=True, text=True)
    if done.returncode:
        return f"{done.stderr.rstrip()}\nin\n{kernel}"
    again = subprocess.run([fsm_opt, "-"], input=done.stdout, capture_output=True, text=True)
    if again.returncode or again.stdout != done.stdout:
        return f"it does not read back: {again.stderr.rstrip()}\nin\n{done.stdout}"
    return None


def main():
    document, fsm_opt = Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2]
    checked, failed = 0, 0
    for section in SECTION.finditer(document):
        name, examples = section["name"], [example["text"] for example in EXAMPLE.finditer(section[0])]
        complaints = [complaint(name, text, fsm_opt) for text in examples]
        if name.startswith("fsm.") and not examples:
            complaints = ["it has no example"]
        for sentence in filter(None, complaints):
            print(f"{name}: {sentence}")
            failed += 1
        checked += len(examples)
    print(f"{checked} examples, {failed} faults")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
