"""libfsm from Python with neither torch nor Triton: kernels of Triton's IR on NumPy's memory, and errors as Failure.

Call: library.py INPUTS     the folder with files of Triton's IR
"""

import ctypes
import hashlib
import os
import pathlib
import struct
import sys
import tempfile
import threading

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
    for grid in WRONG_GRIDS:
        check_grid_is_refused(grid, kernel.launch, grid, [1, 2, 3, 4])


# The first two would be one program and none, cut to 32 bits.
WRONG_GRIDS = ((2**32 + 1, 1, 1), (1, 2**32, 1), (1, 1, 2**31), (3, -1, 1))


def check_grid_is_refused(grid, launch, *arguments):
    failure = failure_of(launch, *arguments)
    assert failure.kind == Failure.BAD_INPUT, failure.message
    x, y, z = grid
    assert failure.message == f"expected a grid of 0 to 2147483647 programs in each dimension, got {x}, {y}, {z}", failure.message


def check_texts():
    ptx = LIBRARY.emit(text_of("vector_add"), "vector_add.ttir", "ptx", target="sm_90a", pack=False)
    assert ".entry vector_add" in ptx and ".target sm_90a" in ptx
    failure = failure_of(LIBRARY.emit, text_of("vector_add"), "vector_add.ttir", "poem", target="sm_90a")
    assert failure.kind == Failure.BAD_INPUT and "poem" in failure.message, failure.message
    assert failure_of(LIBRARY.engine, "abacus").kind in (Failure.BAD_INPUT, Failure.NO_DEVICE)
    assert len(LIBRARY.hash()) == 16 and LIBRARY is _library.load()


def check_names():
    """A build's name is the linker's number of it, here of a file made by hand, and else made of all that it has."""
    notes = struct.pack("<III4s4s", 4, 4, 1, b"GNU", b"....") + struct.pack("<III4s6sxx", 4, 6, 3, b"GNU", b"\1\2\3\4\5\6")
    segments = struct.pack("<IIQQQQQQ", 1, 0, 0, 0, 0, 8, 8, 1) + struct.pack("<IIQQQQQQ", 4, 0, 176, 0, 0, len(notes), 0, 4)
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64) + bytes(14) + struct.pack("<HH", 56, 2)
    with tempfile.NamedTemporaryFile() as file:
        for content, expected in ((header.ljust(64, b"\0") + segments + notes, "010203040506"), (b"no library", None),
                                  (header.ljust(64, b"\0") + segments[:56] * 2, None)):
            file.seek(0)
            file.truncate()
            file.write(content)
            file.flush()
            assert _library.build_id(file.name) == expected, expected
    assert LIBRARY.hash() == (_library.build_id(LIBRARY.path) or hashlib.sha256(LIBRARY.path.read_bytes()).hexdigest())[:16]


# Rows of a length that a launch of few programs spreads over clusters.
LONG_ROWS = """
fsm.kernel @sum(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %row = fsm.program_id x : i32
  %length = arith.constant 16384 : i32
  %first = arith.muli %row, %length : i32
  %offs = fsm.range 0, 16384 : tensor<16384xi32>
  %from = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %x = fsm.load %from[%offs] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<16384xf32> -> f32
  %to = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %sum, %to : f32, !fsm.ptr<f32>
  fsm.return
}
"""


def simulated_memory(engine, array):
    """Memory of the simulator's device, which ends with the process, and its address."""
    c, handle, error = LIBRARY.c, ctypes.c_void_p(), ctypes.c_void_p()
    assert c.fsmMemoryCreate(engine.handle, ctypes.c_uint64(array.nbytes), ctypes.byref(handle), ctypes.byref(error)) == 0
    assert c.fsmMemoryWrite(handle, ctypes.c_uint64(0), ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(array.nbytes),
                            ctypes.byref(error)) == 0
    c.fsmMemoryAddress.restype = ctypes.c_uint64
    return handle, c.fsmMemoryAddress(handle)


def check_warm_up():
    """A warm-up with a grid leaves nothing to compile for its launch; one without does for few programs."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FSM_CACHE_DIR"] = folder
        engine = LIBRARY.engine("sim")
        del os.environ["FSM_CACHE_DIR"]
        kernel = engine.load(LONG_ROWS, "long.mlir")
        rows = np.random.default_rng(1).standard_normal((2, 16384)).astype(np.float32)
        (_, source), (out, sums) = simulated_memory(engine, rows), simulated_memory(engine, np.zeros(2, np.float32))
        engine.own_memory = _library.DEVICE_BUFFER
        prepared = kernel.prepare([(sums, 8), (source, rows.nbytes)])
        entries = [0]

        def compiled(call, *arguments):
            call(*arguments)
            entries.append(sum(len(files) for _, _, files in os.walk(folder)))
            return entries[-1] > entries[-2]
        assert compiled(prepared.warm_up, [sums, source])
        assert compiled(prepared.warm_up, [sums, source], (2, 1, 1))
        assert not compiled(prepared.launch, (2, 1, 1), [sums, source], None)
        result = np.zeros(2, np.float32)
        assert LIBRARY.c.fsmMemoryRead(out, ctypes.c_uint64(0), ctypes.c_void_p(result.ctypes.data), ctypes.c_uint64(8),
                                       ctypes.byref(ctypes.c_void_p())) == 0
        assert np.allclose(result, rows.astype(np.float64).sum(1), atol=1e-2), result


def check_prepared():
    """Launches that copy nothing; on the CPU its memory is the device's."""
    kernel = LIBRARY.engine("cpu").load(text_of("vector_add"), "vector_add.ttir")
    x, y, z = np.arange(300, dtype=np.float32), np.full(300, 2, np.float32), np.zeros(300, np.float32)
    prepared = kernel.prepare([memory(x), memory(y), memory(z), 300])
    prepared.warm_up([x.ctypes.data, y.ctypes.data, z.ctypes.data, 300])
    assert not z.any()
    prepared.launch((3, 1, 1), [x.ctypes.data, y.ctypes.data, z.ctypes.data, 200], None)
    assert np.array_equal(z[:200], x[:200] + 2) and not z[200:].any()
    for grid in WRONG_GRIDS:
        check_grid_is_refused(grid, prepared.launch, grid, [x.ctypes.data, y.ctypes.data, z.ctypes.data, 200], None)


def check_threads():
    """One prepared launch for two threads: each launch is of the arguments that it was given."""
    kernel = LIBRARY.engine("cpu").load(text_of("vector_add"), "vector_add.ttir")
    x = np.arange(1024, dtype=np.float32)
    prepared = kernel.prepare([memory(x), memory(x), memory(x), 1024])
    wrong, interval = [], sys.getswitchinterval()

    def work(number):
        y, z = np.full(1024, number, np.float32), np.zeros(1024, np.float32)
        bits = [array.ctypes.data for array in (x, y, z)] + [1024]
        for _ in range(3000):
            z[:] = 0
            prepared.launch((8, 1, 1), bits, None)
            if not np.array_equal(z, x + number):
                wrong.append(number)

    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work, args=(number, )) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert not wrong, f"{len(wrong)} of 6000 launches are wrong"


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
    check_names()
    check_prepared()
    check_warm_up()
    check_threads()
    check_paths()
    check_bounds()
    print(f"{len(DEVICES)} devices")


main()
