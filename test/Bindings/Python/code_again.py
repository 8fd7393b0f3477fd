"""The code of a kernel is the same whatever the process has compiled before: a kernel of some lines, and long ones of each kind.

Usage: code_again.py
"""

import sys

from fsm import _library

BLOCK = "tensor<1024xi32>"
HEAD = f"""fsm.kernel @k(%out: !fsm.ptr<i32>, %a: i32, %b: i32) {{
  %at = fsm.range 0, 1024 : {BLOCK}
  %v0 = fsm.splat %a : {BLOCK}
  %w = fsm.splat %b : {BLOCK}
  %u = arith.muli %at, %w : {BLOCK}
"""


def text(links):
    """A kernel of so many additions and exclusive ors, in an order that does not repeat."""
    lines = [f"  %v{i + 1} = arith.{'addi' if i * i % 7 in (1, 2) else 'xori'} %v{i}, %{'u' if i % 5 < 2 else 'at'} : {BLOCK}\n" for i in range(links)]
    return HEAD + "".join(lines) + f"  fsm.store %v{links}, %out[%at] : {BLOCK}, !fsm.ptr<i32>, {BLOCK}\n  fsm.return\n}}\n"


def code(library, links, target):
    return library.emit(text(links), "kernel.mlir", "ptx", target=target, num_warps=1, roll_from=1000000)


def main():
    library = _library.load()
    for target in ("sm_90a", "sm_80"):
        first = code(library, 3, target)
        size = code(library, 700, target).count("\n")
        if size < 10000:
            return f"expected long code of {target}, got {size} lines"
        if code(library, 3, target) != first:
            return f"the code of {target} differs behind that of a long kernel"
    return 0


if __name__ == "__main__":
    sys.exit(main())
