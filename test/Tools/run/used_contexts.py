"""What is said of texts that name dialects which only passes know: the same behind other kernels as by a process of its own.

Call: used_contexts.py FSM_RUN KERNEL      (in an empty folder)
"""

import subprocess
import sys

FSM_RUN, KERNEL = sys.argv[1:3]
LINES = [
    "%c = llvm.mlir.constant(1 : i32) : i32",
    '%c = "llvm.mlir.undef"() : () -> i32',
    '%c = "\\6C\\6Cvm.mlir.undef"() : () -> i32',
    "%c = arith.constant {llvm.noalias} 1 : i32",
    '%c = arith.constant {"llvm.noalias" = 1} 1 : i32',
    '%c = arith.constant {"\\6C\\6Cvm.noalias" = 1} 1 : i32',
    "%c = arith.constant {nvvm.kernel} 1 : i32",
    "%c = arith.constant {x = #gpu.address_space<global>} 1 : i32",
    "%c = ub.poison : !llvm.ptr",
    '%c = ub.poison : !llvm<"ptr">',
    "gpu.barrier",
    '"\\67pu.barrier"() : () -> ()',
    '"cf.br"()[^next] : () -> ()\n^next:',
    "%v = vector.broadcast %n : i32 to vector<4xi32>",
    "%c = arith.nothing %n : i32",
    "%c = arith.constant 1 : i32",
]


def main():
    files = [f"{number}.mlir" for number in range(len(LINES))]
    for file, line in zip(files, LINES):
        with open(file, "w", encoding="utf-8") as text:
            text.write(f"fsm.kernel @one(%n: i32) {{\n  {line}\n  fsm.return\n}}\n")
    commands = [f"{file} --emit=fsm --target={target}" for file in files for target in ("sm_90a", "cpu")]
    batch = []
    for command in commands:
        batch += [f"{KERNEL} --emit=ptx --target=sm_90a", f"{KERNEL} --emit=asm --target=cpu", command]
    done = subprocess.run([FSM_RUN, "--batch=-"], input="\n".join(batch).encode(), capture_output=True, check=False)
    rest, failed = done.stdout, 0
    for line in batch:
        head, rest = rest.split(b"\n", 1)
        sizes = [int(word.split(b"=")[1]) for word in head.split()[1:]]
        code, answer, rest = sizes[0], rest[:sizes[1] + sizes[2]], rest[sizes[1] + sizes[2]:]
        alone = subprocess.run([FSM_RUN, *line.split()], capture_output=True, check=False) if line in commands else None
        if alone and (code, answer) != (alone.returncode, alone.stdout + alone.stderr):
            failed += 1
            print(f"{line}: alone {alone.stdout + alone.stderr!r}, in a batch {answer!r}")
    sys.exit(1 if failed or rest else 0)


main()
