"""libfsm from Python with neither torch nor Triton: kernels of Triton's IR on NumPy's memory, and errors as Failure.

Call: library.py INPUTS     the folder with files of Triton's IR
"""

import ctypes
import pathlib
import sys

import numpy as np
from fsm import _library
from fsm._library import Failure

INPUTS = pathlib.Path(sys.argv[1])
DEVICES = ("cpu", "interp", "sim")
LIBRARY = _library.load()


def text_of(name):
    return (INPUTS / f"{name}.ttir").read_text(encoding="utf-8")


def memory(array):
    return array.ctypes.data, array.nbytes


def failure_of(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except Failure as failure:
        return failure
    raise AssertionError("expected a Failure, got none")


def check_sums(engine):
    kernel = engine.load(text_of("vector_add"), "vector_add.ttir")
    assert kernel.parameters()[0] == ("arg0", "f32", 1, False), kernel.parameters()
    assert [kind for _, kind, depth, _ in kernel.parameters() if not depth] == ["i32"]
    random = np.random.default_rng(5)
    x, y, z = random.standard_normal(300, np.float32), random.standard_normal(300, np.float32), np.zeros(300, np.float32)
    kernel.launch((3, 1, 1), [memory(x), memory(y), memory(z), 300])
    assert np.array_equal(z, x + y)
    # One array may be all arguments.
    twice = x + x
    kernel.launch((3, 1, 1), [memory(x), memory(x), memory(x), 300])
    assert np.array_equal(x, twice)


def check_prints(engine):
    lines = []
    numbers = np.array([3] * 8, np.int32)
    engine.load(text_of("talkative"), "talkative.ttir").launch((1, 1, 1), [memory(numbers)], lines.append)
    assert any("value" in line and " 3" in line for line in lines), lines
    numbers[6] = 7
    failure = failure_of(engine.load(text_of("talkative"), "talkative.ttir").launch, (1, 1, 1), [memory(numbers)], lines.append)
    assert failure.kind == Failure.EXECUTION and "seven is too much" in failure.message, failure.message


def check_refusals(engine):
    failure = failure_of(engine.load, "module { tt.func public @k() { tt.nothing } }", "k.ttir")
    assert failure.kind == Failure.BAD_INPUT and failure.message.startswith("k.ttir:1:"), failure.message
    kernel = engine.load(text_of("vector_add"), "vector_add.ttir")
    failure = failure_of(kernel.launch, (1, 1, 1), [1, 2])
    assert failure.kind == Failure.BAD_INPUT and "4" in failure.message, failure.message


def check_texts():
    ptx = LIBRARY.emit(text_of("vector_add"), "vector_add.ttir", "ptx", target="sm_90a", pack=False)
    assert ".entry vector_add" in ptx and ".target sm_90a" in ptx
    failure = failure_of(LIBRARY.emit, text_of("vector_add"), "vector_add.ttir", "poem", target="sm_90a")
    assert failure.kind == Failure.BAD_INPUT and "poem" in failure.message, failure.message
    assert failure_of(LIBRARY.engine, "abacus").kind in (Failure.BAD_INPUT, Failure.NO_DEVICE)
    assert len(LIBRARY.hash()) == 16 and LIBRARY is _library.load()


def check_paths():
    try:
        _library.load("/nowhere/libfsm.so")
    except RuntimeError as error:
        assert "expected libfsm at /nowhere" in str(error)
        return
    raise AssertionError("expected a RuntimeError")


def check_bounds():
    """The simulator sees to the bytes that a launch says."""
    kernel = LIBRARY.engine("interp").load(text_of("vector_add"), "vector_add.ttir")
    x = np.zeros(300, np.float32)
    failure = failure_of(kernel.launch, (3, 1, 1), [memory(x), memory(x), (x.ctypes.data, 1196), 300])
    assert failure.kind == Failure.EXECUTION, failure.message


def main():
    for device in DEVICES:
        engine = LIBRARY.engine(device)
        check_sums(engine)
        check_prints(engine)
        check_refusals(engine)
    check_texts()
    check_paths()
    check_bounds()
    print(f"{len(DEVICES)} devices")


main()
