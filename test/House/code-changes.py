"""Holds tools/dev/fuzzing/code_changes.py against pairs of codes whose changes are known. Call: code-changes.py REPOSITORY"""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/tools/dev")

from fuzzing.code_changes import Change, change_between, table

PTX = """0
.visible .entry k()
{
\t.reg .b32 \t%r<3>;
\t.loc\t1 1 1
\tmov.u32 \t%r1, %tid.x;   // the lane
\tadd.s32 \t%r2, %r1, 1;
$L__BB0_1:
\t@%p1 bra \t$L__BB0_1;
}
k.mlir:3: warning: slow
"""
ASM = "0\nk:\n\t.cfi_startproc\n\tmovl\t$8, %eax\n\taddq\t%rax, %rcx  # the end\n\tjne\t.LBB0_1\n"

# How a text becomes another one, and what is expected of it: the kind, instructions before and after.
CASES = (
    (PTX, lambda text: text.replace("0\n", "2\n", 1), "one refused", 3, 3),
    (PTX, lambda text: text.replace("slow", "slower"), "said", 3, 3),
    (PTX, lambda text: text.replace("warning: slow\n", ""), "said", 3, 3),
    (PTX, lambda text: text.replace("%r1", "%r7").replace("BB0_1", "BB0_2"), "names", 3, 3),
    (PTX, lambda text: text.replace("1 1 1", "1 2 1"), "names", 3, 3),
    (PTX, lambda text: text.replace("%tid.x", "%ctaid.x"), "instructions", 3, 3),
    (PTX, lambda text: text.replace(", 1;", ", 2;"), "instructions", 3, 3),
    (PTX, lambda text: text.replace("\tadd", "\tadd.s32 %r3, %r1, 1;\n\tadd"), "instructions", 3, 4),
    (PTX, lambda text: text.replace("\tadd.s32 \t%r2, %r1, 1;\n", ""), "instructions", 3, 2),
    (PTX, lambda text: text.replace("slow", "slower").replace("add", "sub"), "instructions", 3, 3),
    (PTX, lambda text: text.replace("{\n", "{\n\tadd.s32 %r2, %r1, 1;\n").replace("\tadd.s32 \t%r2, %r1, 1;\n", ""), "order", 3, 3),
    (ASM, lambda text: text.replace("%eax", "%edx").replace(".LBB0_1", ".LBB3_2"), "names", 3, 3),
    (ASM, lambda text: text.replace("the end", "an end"), "names", 3, 3),
    (ASM, lambda text: text.replace("$8", "$16"), "instructions", 3, 3),
    (ASM, lambda text: text + "\tret\n", "instructions", 3, 4),
)
TABLE = """conformance fsm.dot, ptx, order: 2, 40 instructions before, 40 after
examples, asm, instructions: 4 (1 fewer, 1 as many, 2 more), 80 instructions before, 78 after
random, ptx, one refused: 1
"""


def main():
    for number, (before, becomes, *expected) in enumerate(CASES):
        after = becomes(before)
        assert after != before, number
        form = "asm" if before is ASM else "ptx"
        found = change_between(before, after, form)
        assert [*found] == expected, (number, found, expected)
        back = change_between(after, before, form)
        assert (back.kind, back.after, back.before) == tuple(expected), (number, back, expected)
    changes = [("random 7", "ptx", ("one refused", 0, 9)), ("conformance fsm.dot f32 x", "ptx", ("order", 10, 10)),
               ("examples/01-copy.mlir @copy", "asm", ("instructions", 20, 10)),
               ("examples/02.mlir @k", "asm", ("instructions", 20, 23)), ("examples/03.mlir @k", "asm", ("instructions", 20, 25)),
               ("examples/04.mlir @k", "asm", ("instructions", 20, 20)), ("conformance fsm.dot f64", "ptx", ("order", 30, 30))]
    lines = table((name, form, Change(*change)) for name, form, change in changes)
    assert "".join(f"{line}\n" for line in lines) == TABLE


if __name__ == "__main__":
    main()
