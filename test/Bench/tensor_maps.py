"""A product whose factors come by tensor maps, launched as bench-gpu does, against NumPy.

Call: tensor_maps.py FSM_RUN DRIVER, where DRIVER is the simulator's library, or libcuda.so.1.
"""

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools" / "dev"))

from bench.driver import Driver
from bench.package import Contract
from bench.products import KINDS
from bench.tensor_maps import evaluate

# No multiples of the tile, and rows that have more elements than the matrices.
ROWS, COLUMNS, INNER, TILE = 70, 152, 200, 64
STRIDES = (160, 208, 168)


def emit(fsm_run, stage):
    parameters = {**KINDS["f16"].parameters, "BM": TILE, "BN": TILE, "BK": TILE, "STAGES": 3}
    sizes = [f"f16[{rows * stride}]" for rows, stride in zip((ROWS, ROWS, INNER), STRIDES)]
    arguments = [*sizes, *map(str, (ROWS, COLUMNS, INNER, *STRIDES))]
    command = [fsm_run, str(ROOT / "examples" / "16-matmul.mlir"), f"--emit={stage}", "--target=sm_90a",
               *(f"-D{name}={value}" for name, value in parameters.items()), *(f"--arg={text}" for text in arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    fsm_run, library = sys.argv[1:]
    assert evaluate("arg1 8 * arg0 - 3 +", [5, 7]) == 54
    contract, ptx, driver = Contract.parse(emit(fsm_run, "contract")), emit(fsm_run, "ptx"), Driver(library)
    assert "tensor_map" in contract.hidden_arguments, contract.hidden_arguments
    random = np.random.default_rng(1)
    a, b = (random.standard_normal((rows, stride)).astype(np.float16) for rows, stride in ((ROWS, STRIDES[1]), (INNER, STRIDES[2])))
    c = np.full((ROWS, STRIDES[0]), 7, np.float16)
    addresses = []
    for array in (c, a, b):
        addresses.append(driver.allocate(array.nbytes))
        driver.copy_in(addresses[-1], array)
    numbers = [ROWS, COLUMNS, INNER, *STRIDES]
    programs = -(-ROWS // TILE) * -(-COLUMNS // TILE)
    hidden = contract.hidden(programs, driver, [*(address.value for address in addresses), *numbers])
    function = driver.function(driver.load(ptx), contract.name, contract.shared_bytes)
    driver.launch(function, (contract.ctas(programs), 1, 1), (contract.threads, 1, 1), contract.shared_bytes,
                  [*addresses, *(ctypes.c_int32(number) for number in numbers), *hidden], overlaps=contract.overlaps_launches)
    driver.synchronize()
    driver.copy_out(c, addresses[0])
    wide = a[:, :INNER].astype(np.float64) @ b[:, :COLUMNS].astype(np.float64)
    allowed = 2.0**-11 * np.abs(wide) + 2.0**-15 * (np.abs(a[:, :INNER]).astype(np.float64) @ np.abs(b[:, :COLUMNS]).astype(np.float64))
    wrong = np.abs(c[:, :COLUMNS] - wide) > allowed
    assert not wrong.any(), f"{wrong.sum()} of {wrong.size} elements are wrong"
    assert (c[:, COLUMNS:] == 7).all()
    print(f"{wrong.size} elements are right")


if __name__ == "__main__":
    main()
