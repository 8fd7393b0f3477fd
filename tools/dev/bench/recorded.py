"""Runs the PTX that the simulator's tests run, and examples compiled by FSM, on the GPU, and records the results.

Call: python3 -m bench.recorded --package=FOLDER --out=FILE.zip [--driver=LIBRARY]      (in tools/dev)
      python3 -m bench.recorded --wrong=NAME                         (a kernel that a sanitizer must object to)

The zip file holds NAME/in0.npy ... as they were before the launch, NAME/out0.npy ... afterwards, by the position of the
argument, NAME/launch.json, and for the examples NAME/kernel.ptx. Inputs are exact in every language. Results that can be
told without a GPU are checked as well.
"""

import argparse
import ctypes
import io
import json
import math
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from .driver import LIBRARY, Driver, DriverError
from .package import SCALARS, Package, PackageError, compile_kernel

REPOSITORY = Path(__file__).resolve().parents[3]
PTX = REPOSITORY / "test" / "Simulator"
sys.path.insert(0, str(REPOSITORY / "test" / "Examples"))


def steps(count, kind=np.float32, factor=37, modulus=101):
    """Numbers between -3.2 and 3.2 that are multiples of 1/16."""
    return ((np.arange(count) * factor % modulus - modulus // 2) / 16).astype(kind)


def zeros(count, kind=np.float32):
    return np.zeros(count, kind)


def softmax(rows, cols):
    def answer(x, *_):
        powers = np.exp(x.reshape(rows, cols).astype(np.float64))
        return (powers / powers.sum(axis=1, keepdims=True)).ravel(), 4e-6
    return answer


def exactly(answer):
    return lambda *arguments: (answer(*arguments), 0)


I32, F32 = ctypes.c_int32, ctypes.c_float
# (name, file, kernel, grid, block, dynamic shared bytes, arguments, {position: function of the arguments to (expected
# values, relative error)}); an argument is an array, copied in and out, or a scalar.
NVCC = [
    ("vector-add", "vector-add.ptx", "vectorAdd", (8,), (128,), 0,
     [steps(1000), steps(1000, factor=11), zeros(1000), I32(1000)], {2: exactly(lambda a, b, *_: a + b)}),
    ("softmax", "softmax.ptx", "softmax", (64,), (256,), 0, [steps(64 * 1024), zeros(64 * 1024), I32(1024)],
     {1: softmax(64, 1024)}),
    ("softmax-odd", "softmax.ptx", "softmax", (5,), (96,), 0, [steps(5 * 781), zeros(5 * 781), I32(781)],
     {1: softmax(5, 781)}),
    ("sum", "reduction.ptx", "sum", (40,), (128,), 0,
     [np.arange(5000, dtype=np.int32) * 37 % 1001 - 500, zeros(1, np.int32), np.full(1, -1000, np.int32), zeros(1),
      I32(5000)], {1: exactly(lambda x, *_: x.sum(keepdims=True)), 2: exactly(lambda x, *_: x.max(keepdims=True)),
                   3: exactly(lambda x, *_: x.sum(keepdims=True))}),
    ("histogram", "reduction.ptx", "histogram", (7,), (96,), 0,
     [np.arange(3000, dtype=np.uint32) ** 2, zeros(64, np.uint32), I32(3000)],
     {1: exactly(lambda x, *_: np.bincount(x % 64, minlength=64))}),
    ("ballots", "reduction.ptx", "ballots", (1,), (64,), 0,
     [np.arange(64, dtype=np.int32) * 7 % 9, zeros(2, np.uint32), zeros(64, np.uint32)], {}),
    ("locked", "reduction.ptx", "locked", (2,), (64,), 0, [zeros(1, np.int32), zeros(1, np.int32)],
     {1: exactly(lambda *_: np.full(1, 128))}),
    ("transpose", "transpose.ptx", "transpose", (3, 2), (32, 32), 0,
     [steps(45 * 70), zeros(45 * 70), I32(45), I32(70)], {1: exactly(lambda x, *_: x.reshape(45, 70).T.ravel())}),
    ("transpose-conflicts", "transpose.ptx", "transposeConflicts", (1,), (32, 32), 0, [steps(1024), zeros(1024)],
     {1: exactly(lambda x, *_: x.reshape(32, 32).T.ravel())}),
    ("collatz", "divergence.ptx", "collatz", (3,), (128,), 0,
     [np.arange(1, 301, dtype=np.uint32), zeros(300, np.uint32), I32(300)], {}),
    ("powers", "divergence.ptx", "powers", (1,), (64,), 0, [zeros(64, np.uint32)], {}),
    ("local", "divergence.ptx", "local", (1,), (64,), 0, [zeros(64, np.int32), I32(3)], {}),
    ("halves", "half.ptx", "halves", (1,), (32,), 0,
     [steps(64, np.float16), steps(64, np.float16, factor=29), zeros(256, np.float16)], {}),
    ("bfloats", "half.ptx", "bfloats", (1,), (32,), 0, [steps(32), steps(32, factor=29), zeros(128, np.uint16), zeros(32)],
     {3: exactly(lambda a, b, *_: a + b)}),
    ("layer-norm", "library.ptx", "layerNorm", (4,), (128,), 1200,
     [steps(1200), zeros(1200), steps(300, factor=5), I32(300), F32(2.0**-16)], {}),
    ("functions", "library.ptx", "functions", (1,), (64,), 0, [steps(64), zeros(640)],
     {1: lambda x, *_: (functions(x.astype(np.float64)), 4e-7)}),
    ("integers", "library.ptx", "integers", (1,), (64,), 0,
     [np.arange(64, dtype=np.int64) ** 9 * 7919 - 10**6, zeros(64, np.int64)], {}),
    ("cases", "library.ptx", "cases", (1,), (64,), 0, [zeros(64, np.int32)], {}),
    ("counts", "library.ptx", "counts", (1,), (96,), 0, [zeros(96, np.int32)],
     {0: exactly(lambda *_: np.full(96, 32 * 4 + 2))}),
    ("llvm-mirror", "llvm.ptx", "mirror", (1,), (32,), 0, [steps(80), zeros(128), I32(20)], {}),
    ("llvm-halves", "llvm.ptx", "halves", (1,), (32,), 0, [steps(128, np.float16), zeros(128, np.float16)], {}),
]

# What a sanitizer must notice: (file, kernel, threads, arguments). An allocation may be larger than what is filled.
WRONG = {
    "memcheck": ("checks.ptx", "boundsWrong", 128, [zeros(100), I32(100)]),
    "racecheck": ("checks.ptx", "raceWrong", 64, [zeros(64)]),
    "synccheck": ("checks.ptx", "barrierWrong", 64, [zeros(64)]),
    "initcheck": ("vector-add.ptx", "vectorAdd", 64, [None, zeros(64), zeros(64), I32(64)]),
}


def functions(x):
    """What the kernel of this name computes; the sine's argument and the remainder are rounded to float32 first."""
    size, tiny = np.abs(x), np.float32(0.7).astype(np.float64)
    columns = [np.exp(x), np.log(size + 1), np.sin(x * 1000), np.tanh(x), size**1.5,
               np.array([math.erf(v) for v in x]), np.sqrt(size), np.fmod(x, tiny), np.exp(x), x / 3]
    return np.stack(columns, axis=1).ravel()


def launch(driver, ptx, kernel, grid, block, shared, arguments):
    """The arrays among the arguments after the launch, by position. None stands for an array nobody filled."""
    function = driver.function(driver.load(ptx), kernel, shared)
    values, arrays = [], {}
    for position, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            arrays[position] = (driver.allocate(argument.nbytes), argument.copy())
            driver.copy_in(*arrays[position])
            values.append(arrays[position][0])
        else:
            values.append(driver.allocate(4096) if argument is None else argument)
    driver.launch(function, (*grid, 1, 1)[:3], (*block, 1, 1)[:3], shared, values)
    driver.synchronize()
    for address, array in arrays.values():
        driver.copy_out(array, address)
    return {position: array for position, (_, array) in arrays.items()}


class Record:
    """The zip file, and what went wrong on the way."""

    def __init__(self, file):
        self.archive, self.failures, self.count = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED), [], 0

    def text(self, name, text):
        self.archive.writestr(name, text)

    def array(self, name, array):
        data = io.BytesIO()
        np.save(data, array)
        self.archive.writestr(name, data.getvalue())

    def case(self, name, fault, arguments, results, grid, block, shared, ptx=None, file=None, kernel=""):
        self.count += 1
        if fault:
            self.failures.append(f"FAIL recorded {name}: {fault}")
        scalars = {position: argument.value for position, argument in enumerate(arguments)
                   if not isinstance(argument, np.ndarray)}
        self.text(f"{name}/launch.json", json.dumps(
            {"file": file, "kernel": kernel, "grid": grid, "block": block, "shared_bytes": shared, "scalars": scalars}))
        if ptx:
            self.text(f"{name}/kernel.ptx", ptx)
        for position, array in results.items():
            self.array(f"{name}/in{position}.npy", arguments[position])
            self.array(f"{name}/out{position}.npy", array)


def record_nvcc(driver, record):
    for name, file, kernel, grid, block, shared, arguments, expected in NVCC:
        results = launch(driver, (PTX / file).read_text(), kernel, grid, block, shared, arguments)
        faults = []
        for position, answer in expected.items():
            value, relative = answer(*arguments)
            error = np.abs(results[position].astype(np.float64) - value) - relative * np.abs(value)
            if not (error <= 1e-37).all():
                faults.append(f"argument {position}: {(~(error <= 1e-37)).sum()} elements are wrong")
        record.case(name, "; ".join(faults), arguments, results, grid, block, shared, file=file, kernel=kernel)


def prepared_example(example, case, package):
    """An example's launch, its PTX and contract for the GPU, and its file's name."""
    from check import declared_parameters
    from launches import Buffer

    file = package.root / "examples" / f"{example.name}.mlir"
    prepared = example.prepared(case, example.kernels[0], declared_parameters(file))
    with tempfile.TemporaryDirectory() as folder:
        specs = []
        for position, argument in enumerate(prepared.arguments):
            if isinstance(argument, Buffer):
                np.save(Path(folder) / f"{position}.npy", argument.stored)
                specs.append(f"@{folder}/{position}.npy")
            else:
                specs.append(repr(argument))
        how = {"target": "sm_90a", "arguments": specs, "parameters": prepared.parameters, "kernel": example.kernels[0]}
        ptx, contract = compile_kernel(package.fsm_run, file, folder, "kernel", **how)
        if contract.tensor_maps or contract.scratch_bytes:
            # They name addresses, so that what is kept could not be launched again.
            ptx, contract = compile_kernel(package.fsm_run, file, folder, "kernel", options=("--no-specialize", ), **how)
    arguments = [argument.stored if isinstance(argument, Buffer) else SCALARS[contract.arguments[position][1]](argument)
                 for position, argument in enumerate(prepared.arguments)]
    return prepared, ptx, contract, arguments


def grid_of(contract, grid):
    """The programs along x of a grid such as 3, or of the text 3,2, and the CTAs that they are launched as."""
    programs, *others = (int(extent) for extent in str(grid).split(","))
    return programs, (contract.ctas(programs), *others)


def record_examples(driver, record, package):
    """Each example at a width that fills its block and at one that does not."""
    from cases import EXAMPLES
    from launches import faults

    for name, example in EXAMPLES.items():
        for cols, kind in ((781, "f32"), (1024, "f32"), (1000, "f16")):
            try:
                prepared, ptx, contract, arguments = prepared_example(example, example.recorded(cols, kind), package)
                programs, ctas = grid_of(contract, prepared.grid)
            except (PackageError, ValueError) as error:
                record.failures.append(f"FAIL recorded {name}-{kind}-{cols}: {error}")
                continue
            arguments += contract.hidden(programs)
            shape = ctas, (contract.threads,), contract.shared_bytes
            results = launch(driver, ptx, contract.name, *shape, arguments)
            wrong = [faults(output, results[position]) for position, output in prepared.outputs.items()]
            record.case(f"{name}-{kind}-{cols}", "; ".join(filter(None, wrong)), arguments, results, *shape, ptx=ptx,
                        kernel=contract.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package")
    parser.add_argument("--out")
    parser.add_argument("--driver", default=LIBRARY, help="the driver's library, or the simulator's")
    parser.add_argument("--wrong", choices=sorted(WRONG))
    options = parser.parse_args()
    driver = Driver(options.driver)
    if options.wrong:
        file, kernel, threads, arguments = WRONG[options.wrong]
        launch(driver, (PTX / file).read_text(), kernel, (1,), (threads,), 0, arguments)
        return 0
    record = Record(options.out)
    try:
        record_nvcc(driver, record)
        if options.package:
            record_examples(driver, record, Package(options.package, None))
    except (DriverError, PackageError) as error:
        record.failures.append(f"FAIL recorded: {error}")
    record.archive.close()
    print("\n".join([*record.failures, f"{record.count} launches recorded, {len(record.failures)} failed"]))
    return 1 if record.failures else 0


if __name__ == "__main__":
    sys.exit(main())
