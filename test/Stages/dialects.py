"""Which dialects the ops inside one op of a file in the generic form of MLIR's printer belong to.

Call: dialects.py FILE.mlir OP ALLOWED... - exit code 1 if an op inside the first op called OP is of another dialect, or
if there is none at all.
"""

import re
import sys

# "%0 = llvm.add ..." or "llvm.store ...": the name stands first, or behind the results.
NAME = re.compile(r"^\s*(?:%[\w:, %]+ = )?\"?([a-z_]\w*)\.([\w.]+)")


def main():
    path, outer, *allowed = sys.argv[1:]
    inside, seen, wrong = False, 0, []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if not inside:
            inside = bool(re.match(rf"\s*{re.escape(outer)}\b", line))
            continue
        match = NAME.match(line)
        if not match:
            # Labels, braces and attributes are all that is no op.
            if not re.match(r"\s*(\^|\}|#|$)", line):
                wrong.append(f"{path}:{number}: no op of a dialect: {line.strip()}")
            continue
        seen += 1
        if match.group(1) not in allowed:
            wrong.append(f"{path}:{number}: '{match.group(1)}.{match.group(2)}' is not of {' or '.join(allowed)}")
    print("\n".join(wrong[:20]) or f"{seen} ops of {' and '.join(allowed)}")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
