"""Turns what test-gpu recorded on a GPU into the small folder that the simulator's tests replay.

Call: python3 -m bench.keep_recorded RESULTS [FOLDER]      (in tools/dev)

RESULTS is a folder of test-gpu's: recorded.zip and summary.json. FOLDER, test/Simulator/recorded unless it is named, gets
README.md and a folder for each kernel of KEPT: launch.json, kernel.ptx if no other test has it, the arrays before (inN.npy,
unless they are filled with one value) and those that the launch changed (outN.npy). What was there before is removed. A
kernel whose results were wrong is left out.
"""

import argparse
import io
import json
import shutil
import sys
import zipfile
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = REPOSITORY / "test" / "Simulator" / "recorded"
LARGEST_FOLDER = 600_000

EXACT = (0.0, "only operations that are exact or rounded as IEEE 754 says: every bit is equal")
EX2 = (1e-6, "ex2.approx is off by 2^-22 at most, rcp.approx by 1 ulp, each on the GPU and on the simulator: 6e-7 in all")
EX2_HALF = (2.0**-10, "as in float32, rounded to f16: one ulp where the two float32 answers lie on two sides of a half")
RSQRT = (1e-6, "rsqrt.approx is off by 2^-22.4 at most, on the GPU and on the simulator, and a product of it is rounded")
RSQRT_HALF = (2.0**-10, "rsqrt.approx and div.full, rounded to f16: one ulp")
LIBRARY = (4e-7, "CUDA's library over ex2.approx, rcp.approx and div.approx: 2 ulp, so that one ulp apart is 1.2e-7 to 2.4e-7")
TANH_HALF = (2.0**-10, "ex2.approx and rcp.approx within tanh, rounded to f16: one ulp")

# {name: (relative error that the simulator may have against the GPU, why)}
KEPT = {
    "vector-add": EXACT, "softmax-odd": EX2, "sum": EXACT, "histogram": EXACT, "ballots": EXACT, "locked": EXACT,
    "transpose": EXACT, "transpose-conflicts": EXACT, "collatz": EXACT, "powers": EXACT, "local": EXACT, "halves": EXACT,
    "bfloats": EXACT, "layer-norm": RSQRT, "functions": LIBRARY, "integers": EXACT, "cases": EXACT, "counts": EXACT,
    "llvm-mirror": EXACT, "llvm-halves": EXACT, "02-vector-add-f16-1000": EXACT,
    "03-row-sum-f32-781": EXACT, "04-softmax-f32-781": EX2, "05-softmax-persistent-f16-1000": EX2_HALF,
    "07-softmax-backward-f16-1000": EXACT, "09-rms-norm-f16-1000": RSQRT_HALF, "12-gelu-f16-1000": TANH_HALF,
}


def arrays_of(archive, name, kind):
    """{position: array} of the files `in` or `out` of a kernel."""
    prefix = f"{name}/{kind}"
    return {int(path[len(prefix):-len(".npy")]): np.load(io.BytesIO(archive.read(path)))
            for path in archive.namelist() if path.startswith(prefix)}


def is_filled(array):
    return array.size > 0 and (array.view(f"u{array.itemsize}") == array.view(f"u{array.itemsize}")[0]).all()


def keep(archive, name, folder):
    """Writes one kernel."""
    folder.mkdir(parents=True)
    launch = json.loads(archive.read(f"{name}/launch.json"))
    before, after = arrays_of(archive, name, "in"), arrays_of(archive, name, "out")
    launch["relative"], launch["filled"] = KEPT[name][0], {}
    for position, array in sorted(before.items()):
        if is_filled(array):
            launch["filled"][position] = {"type": array.dtype.name, "count": array.size, "value": array[0].item()}
        else:
            np.save(folder / f"in{position}.npy", array)
        if not np.array_equal(array.view(np.uint8), after[position].view(np.uint8)):
            np.save(folder / f"out{position}.npy", after[position])
    if launch["file"] is None:
        (folder / "kernel.ptx").write_bytes(archive.read(f"{name}/kernel.ptx"))
    (folder / "launch.json").write_text(json.dumps(launch) + "\n")


def readme(names, summary, day, commit):
    machine = summary["machine"]
    gpu, driver = [*(part.strip() for part in machine["gpu"].split(",")), "unknown"][:2]
    lines = ["# Recorded on a GPU", "",
             "What kernels computed on a real GPU. `recorded.test` runs the same PTX on the same inputs on the simulator and",
             "compares all arrays, bit for bit where the table allows no error. Each folder holds a launch, its inputs and the",
             "arrays that it changed; kernels of `test/Simulator/*.ptx` were compiled by nvcc or LLVM, those with a `kernel.ptx` of",
             "their own by FSM from `examples`.",
             "", f"- GPU: {gpu}", f"- driver: {driver}", f"- date: {day}", f"- FSM: {commit}", "",
             "`cd tools/dev && python3 -m bench.keep_recorded RESULTS` makes this folder anew from the results of `test-gpu`.", "",
             "| kernel | relative error allowed | why |", "|---|---|---|"]
    lines += [f"| {name} | {f'{KEPT[name][0]:.2g}' if KEPT[name][0] else 'none'} | {KEPT[name][1]} |" for name in names]
    return "\n".join(lines) + "\n"


def remove_old(folder):
    """Removes what an earlier call wrote."""
    for launch in folder.glob("*/launch.json"):
        shutil.rmtree(launch.parent)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--commit", default="", help="what the package was built from, if it did not say so")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    options = parser.parse_args()
    summary = json.loads((options.results / "summary.json").read_text())
    wrong = [text for text in summary["failures"] if text.startswith("recorded PTX: recorded ")]
    with zipfile.ZipFile(options.results / "recorded.zip") as archive:
        there = {path.split("/")[0] for path in archive.namelist()}
        names = [name for name in KEPT if name in there and not any(f" {name}:" in text for text in wrong)]
        if not names:
            sys.exit(f"keep_recorded: expected at least one of {', '.join(KEPT)} in {options.results}, got none that is right")
        remove_old(options.folder)
        for name in names:
            keep(archive, name, options.folder / name)
        day = "%04d-%02d-%02d" % archive.infolist()[0].date_time[:3]
    (options.folder / "README.md").write_text(readme(names, summary, day, options.commit or summary["commit"]))
    for name in KEPT.keys() - set(names):
        print(f"{name}: left out, because it was not recorded or was wrong")
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    print(f"{len(names)} kernels, {size} bytes")
    if size > LARGEST_FOLDER:
        sys.exit(f"keep_recorded: expected at most {LARGEST_FOLDER} bytes; take a kernel out of KEPT")


if __name__ == "__main__":
    main()
