"""Whether ptxas takes products of groups of warps one by one, which costs a fifth of their time and changes no number.

Call: python -m bench.ptxas_warnings PACKAGE [--target=sm_90a] [--jobs=N]

Assembles each product that bench-gpu times, in steps that FSM chooses and in others, and fails on warnings of performance that
is lost (C7508 to C7520), on spilled registers, and if ptxas does not warn of a kernel that it must object to,
test/Device/serialised.ptx. Needs ptxas and no GPU.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .package import Package, PackageError, compile_kernel
from .products import KINDS, SQUARES, Product

WARNING = re.compile(r"\(C75\d\d\)[^\n]*")
SERIALISED = Path(__file__).resolve().parents[3] / "test" / "Device" / "serialised.ptx"
SPILLED = re.compile(r"[1-9]\d* bytes spill stores")


def warnings_of(text, target, folder, name):
    """What ptxas says of lost performance and spills, or why it fails, as a list."""
    file = Path(folder) / f"{name}.ptx"
    file.write_text(text)
    done = subprocess.run(["ptxas", f"-arch={target}", "-v", str(file), "-o", str(file.with_suffix(".cubin"))],
                          capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    return [*WARNING.findall(said), *SPILLED.findall(said), *([said.strip()] if done.returncode else [])]


def jobs(target):
    for kind in KINDS:
        for size in SQUARES[1:]:
            case = Product(kind, size, size, size)
            for tile in case.tiles(target):
                yield f"{case.title} {tile.name}", tile


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    package, failed = Package(options.package, None), 0
    with tempfile.TemporaryDirectory() as folder:
        def attempt(job):
            title, tile = job
            name = title.replace(" ", "-")
            try:
                text, _ = compile_kernel(package.fsm_run, package.kernel_file(tile.file), folder, name, **tile.options)
            except PackageError as error:
                return title, [str(error)]
            return title, warnings_of(text, options.target, folder, name)

        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(attempt, jobs(options.target)))
        for title, faults in results:
            failed += bool(faults)
            for fault in faults:
                print(f"FAIL {title}: {fault[:300]}")
        if not any(WARNING.match(fault) for fault in warnings_of(SERIALISED.read_text(), options.target, folder, "serialised")):
            failed += 1
            print(f"FAIL ptxas says nothing of {SERIALISED.name}")
    print(f"{len(results) + 1 - failed} of {len(results) + 1} assembled cases right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
