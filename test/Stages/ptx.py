"""What the PTX of a kernel contains: the accesses to global memory, shared memory and barriers.

Call: ptx.py FILE.ptx [loads=N] [stores=N] [bytes=B] [barriers=N] [shared=yes|no] [threads=N] - each fact that is given
must hold. `bytes` is the width of every access to global memory. Always: an `.entry`, line numbers, no `.extern .func`.
"""

import re
import sys
from pathlib import Path

# ld.global.nc.v4.b32, st.global.L1::evict_first.b16, ...: vector width and bits of an element.
ACCESS = re.compile(r"^\s*(?:@!?%\w+\s+)?(ld|st)(?:\.volatile|\.relaxed|\.weak)?\.global[.:\w]*?(?:\.v([248]))?\.[bfsu](\d+)\s",
                    re.MULTILINE)


def facts(text):
    accesses = [(kind, int(width or 1) * int(bits) // 8) for kind, width, bits in ACCESS.findall(text)]
    every = len(re.findall(r"^\s*(?:@!?%\w+\s+)?(?:ld|st)[.\w]*\.global", text, re.MULTILINE))
    if every != len(accesses):
        sys.exit(f"{every} accesses to global memory, of which ptx.py understands {len(accesses)}")
    threads = re.search(r"\.maxntid (\d+)", text)
    return {
        "loads": sum(kind == "ld" for kind, _ in accesses),
        "stores": sum(kind == "st" for kind, _ in accesses),
        "bytes": ",".join(str(size) for size in sorted({size for _, size in accesses})),
        "barriers": len(re.findall(r"^\s*(?:@!?%\w+\s+)?(?:bar|barrier)(?:\.cta)?(?:\.sync|\.red|\.arrive)", text,
                                   re.MULTILINE)),
        "shared": "yes" if re.search(r"\.shared", text) else "no",
        "threads": int(threads.group(1)) if threads else 0,
    }


def main():
    path, *given = sys.argv[1:]
    text = Path(path).read_text(encoding="utf-8")
    found = facts(text)
    wrong = [f"expected {fact}, found {found[fact.split('=')[0]]}"
             for fact in given if str(found[fact.split("=")[0]]) != fact.split("=")[1]]
    if len(re.findall(r"^\.visible \.entry ", text, re.MULTILINE)) != 1:
        wrong.append("expected one .entry")
    if not re.search(r"^\s*\.loc\s+1 \d+", text, re.MULTILINE):
        wrong.append("expected .loc")
    if re.search(r"\.extern\s+\.func", text):
        wrong.append("expected no .extern .func")
    print("\n".join(f"{path}: {one}" for one in wrong) or found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
