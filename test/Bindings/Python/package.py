"""Kernels of FSM's language as functions of Python, against NumPy, and what is said of mistakes.

Call: package.py PAGE SCRATCH     the page whose program is run as well, and a file that may be written
"""

import array
import ctypes
import re
import sys
import threading
from pathlib import Path

import numpy as np
import fsm
from fsm import _library, arrays

AXPY = """// param T = f32
// param BLOCK = 128
fsm.kernel @axpy(%y: !fsm.ptr<${T}>, %x: !fsm.ptr<${T}>, %a: ${T}, %n: i32) grid [ceildiv(%n, ${BLOCK})] {
  %program = fsm.program_id x : i32
  %block = arith.constant ${BLOCK} : i32
  %first = arith.muli %program, %block overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<${BLOCK}xi32>
  %range = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %offsets = arith.addi %firsts, %range overflow<nsw> : tensor<${BLOCK}xi32>
  %ns = fsm.splat %n : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offsets, %ns : tensor<${BLOCK}xi32>
  %xs = fsm.load %x[%offsets], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %ys = fsm.load %y[%offsets], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %as = fsm.splat %a : tensor<${BLOCK}x${T}>
  %ax = arith.mul${OP} %xs, %as : tensor<${BLOCK}x${T}>
  %sum = arith.add${OP} %ys, %ax : tensor<${BLOCK}x${T}>
  fsm.store %sum, %y[%offsets], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
""".replace("// param BLOCK", "// param OP = f\n// param BLOCK")
TALKS = """fsm.kernel @talks(%n: i32, %yes: i1) {
  fsm.print "n" %n : i32
  fsm.assert %yes, "no" : i1
  fsm.return
}
"""
COPY = """fsm.kernel @copy(%out: !fsm.ptr<TYPE>, %in: !fsm.ptr<TYPE>) {
  %offsets = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<TYPE>, tensor<8xi32> -> tensor<8xTYPE>
  fsm.store %x, %out[%offsets] : tensor<8xTYPE>, !fsm.ptr<TYPE>, tensor<8xi32>
  fsm.return
}
"""
DEVICES = ("cpu", "interp", "sim")


def said(kind, call, *values, **named):
    try:
        call(*values, **named)
    except kind as error:
        return str(error)
    raise AssertionError(f"expected a {kind.__name__}, got none")


def check_sums():
    x, y = np.arange(300, dtype=np.float32), np.ones(300, np.float32)
    for device in DEVICES:
        axpy = fsm.loads(AXPY, device=device)
        for launch in (axpy, axpy[3], axpy[3, 1], axpy[np.int64(3), 1, 1]):
            out = y.copy()
            launch(out, x, 2, 300)
            assert np.array_equal(out, y + 2 * x), device
        out = y.copy()
        axpy(out, n=np.int32(200), a=np.float32(0.5), x=x)
        assert np.array_equal(out, y + np.where(x < 200, x / 2, 0)), device
        out = y.copy()
        axpy[0](out, x, 2, 300)
        assert np.array_equal(out, y)
        axpy(np.zeros(0, np.float32), np.zeros(0, np.float32), 1, 0)
        whole = fsm.loads(AXPY, device=device, T="i64", OP="i", BLOCK=64)
        out = np.full(300, 2**40, np.uint64)
        whole(out, np.arange(300), -3, 300)
        assert np.array_equal(out.view(np.int64), 2**40 - 3 * np.arange(300)), device


def check_kinds():
    """Everything that holds eight elements; the page says what."""
    for name, element in (("f16", np.float16), ("f64", np.float64), ("i1", np.bool_), ("i8", np.int8), ("i16", np.uint16),
                          ("bf16", np.uint16), ("f8E5M2", np.uint8)):
        source, out = np.array([0, 1] * 4).astype(element), np.ones(8, element)
        fsm.loads(COPY.replace("TYPE", name), device="cpu")[1](out, source)
        assert np.array_equal(out, source), name
    copy = fsm.loads(COPY.replace("TYPE", "f32"), device="cpu")[1]
    numbers = [float(number) for number in range(8)]
    for source in (array.array("f", numbers), (ctypes.c_float * 8)(*numbers), np.arange(8, dtype="<f4").reshape(2, 2, 2)):
        out = array.array("f", [0] * 8)
        copy(out, source)
        assert list(out) == numbers, source
        out = (ctypes.c_float * 8)()
        copy(out, source)
        assert list(out) == numbers, source
    # What may not be written is read.
    fixed = np.arange(8, dtype=np.float32)
    fixed.flags.writeable = False
    out = np.zeros(8, np.float32)
    copy(out, fixed)
    assert np.array_equal(out, fixed)
    octets = bytearray(8)
    fsm.loads(COPY.replace("TYPE", "i8"), device="cpu")[1](octets, b"12345678")
    assert octets == b"12345678"


class OnDevice:
    """Memory of the simulator's device, as arrays of other libraries show that of a GPU."""

    def __init__(self, values):
        self.values, engine, error = values, _library.load().engine("sim"), ctypes.c_void_p()
        self.c, self.memory = engine.library.c, ctypes.c_void_p()
        self.c.fsmMemoryAddress.restype = ctypes.c_uint64
        assert self.c.fsmMemoryCreate(engine.handle, ctypes.c_uint64(values.nbytes), ctypes.byref(self.memory), ctypes.byref(error)) == 0
        self.__cuda_array_interface__ = {**values.__array_interface__, "data": (self.c.fsmMemoryAddress(self.memory), False)}
        self.copy("fsmMemoryWrite")

    def copy(self, call):
        error = ctypes.c_void_p()
        assert self.c[call](self.memory, ctypes.c_uint64(0), ctypes.c_void_p(self.values.ctypes.data), ctypes.c_uint64(self.values.nbytes),
                            ctypes.byref(error)) == 0
        return self.values


class Tensor:
    """As much of one of torch's as is asked for."""

    class Device:
        type = "cpu"

    def __init__(self, values, dtype):
        self.values, self.dtype, self.device = values, dtype, self.Device
        self.data_ptr, self.numel = lambda: values.ctypes.data, lambda: values.size
        self.element_size, self.is_contiguous = lambda: values.itemsize, lambda: values.flags.c_contiguous


def check_others():
    numbers = np.arange(8, dtype=np.float32)
    copy = fsm.loads(COPY.replace("TYPE", "f32"), device="sim")[1]
    out = OnDevice(np.zeros(8, np.float32))
    copy(out, OnDevice(numbers))
    assert np.array_equal(out.copy("fsmMemoryRead"), numbers)
    wrong = said(fsm.Error, fsm.loads(COPY.replace("TYPE", "f32"), device="cpu")[1], out, numbers)
    assert "takes host memory on the device 'cpu', got memory of another device" in wrong, wrong
    out = np.zeros(8, np.uint16)
    fsm.loads(COPY.replace("TYPE", "bf16"), device="cpu")[1](Tensor(out, "torch.bfloat16"), np.arange(8, dtype=np.uint16))
    assert np.array_equal(out, np.arange(8))
    strided = Tensor(np.zeros(16, np.uint16)[::2], "torch.bfloat16")
    assert "contiguous()" in said(ValueError, fsm.loads(COPY.replace("TYPE", "bf16"), device="cpu")[1], strided, out)
    assert arrays.memory_of(Tensor(out, "torch.complex32")).element == "complex32"


def check_mistakes():
    axpy = fsm.loads(AXPY, device="cpu")
    x, y = np.zeros(300, np.float32), np.zeros(300, np.float32)
    for kind, expected, values, named in (
            (TypeError, "argument 1 '%x: !fsm.ptr<f32>' of @axpy: expected an array of float32, got one of float64", (y, x.astype(float), 1, 300), {}),
            (TypeError, "expected an array of float32, got one of complex64", (y, x.astype(complex).astype(np.complex64), 1, 300), {}),
            (TypeError, "expected an array of float32, got one of >f4", (y, x.astype(">f4"), 1, 300), {}),
            (TypeError, "argument 1 '%x: !fsm.ptr<f32>' of @axpy: expected an array of float32, got a value of list", (y, [1.0], 1, 300), {}),
            (TypeError, "expected an array of float32, got 7", (y, 7, 1, 300), {}),
            (TypeError, "expected an array of float32, got a value of NoneType", (y, None, 1, 300), {}),
            (ValueError, "argument 1 '%x: !fsm.ptr<f32>' of @axpy: expected an array that lies row by row without gaps", (y, x[::2], 1, 150), {}),
            (ValueError, "without gaps", (y, x[::-1], 1, 300), {}),
            (ValueError, "without gaps", (y, np.zeros((4, 4), np.float32).T, 1, 16), {}),
            (ValueError, "without gaps", (y, memoryview(array.array("f", [0] * 8))[::2], 1, 4), {}),
            (ValueError, "argument 0 '%y: !fsm.ptr<f32>' of @axpy: expected an array that may be written, for the kernel does",
             (np.broadcast_to(np.float32(0), (1,)), x, 1, 1), {}),
            (ValueError, "may be written", (np.float32(3), x, 1, 1), {}),
            (TypeError, "argument 3 '%n: i32' of @axpy: expected an integer, got 2.5", (y, x, 1, 2.5), {}),
            (TypeError, "expected an integer, got a value of ndarray of the shape (300,)", (y, x, 1, x), {}),
            (TypeError, "argument 2 '%a: f32' of @axpy: expected a number, got a value of str", (y, x, "1", 3), {}),
            (TypeError, "expected 4 arguments, got none for %a: f32, %n: i32; the kernel is @axpy(%y", (y, x), {}),
            (TypeError, "expected 4 arguments, got 5", (y, x, 1, 2, 3), {}),
            (TypeError, "expected an argument of the kernel, got 'm'; it is @axpy(", (y, x, 1), {"m": 3}),
            (TypeError, "expected one value for 'y', got two", (y, x, 1), {"y": y}),
            (fsm.Error, "argument 3 '%n: i32' cannot hold the integer 1099511627776", (y, x, 1, 2**40), {}),
    ):
        message = said(kind, axpy[1], *values, **named)
        assert expected in message, message
    assert said(TypeError, axpy.__getitem__, 2.0) == "expected a grid of integers, got 2.0"
    assert said(ValueError, axpy.__getitem__, (1, 1, 1, 1)) == "expected a grid of 1 to 3 dimensions, got 4"
    assert "expected a grid of 0 to" in said(fsm.Error, axpy[-1], y, x, 1, 300)
    assert "out of bounds" in said(fsm.Error, fsm.loads(AXPY, device="sim")[3], y[:8], x, 1, 300)
    message = said(fsm.Error, fsm.loads, AXPY, T="f31")
    assert message.startswith("<source>:4:") and "f31" in message, message
    assert "unknown parameter 'WIDTH'" in said(fsm.Error, fsm.loads, AXPY, WIDTH=3)
    assert "KEY=VALUE" in said(fsm.Error, fsm.loads, AXPY, options={"num-warp": 4})
    assert "there is no device 'gpu'; expected" in said(fsm.Error, fsm.loads, AXPY, device="gpu")
    assert "states none" in said(fsm.Error, fsm.loads(COPY.replace("TYPE", "f32"), device="cpu"), y, x)
    assert "arrays of pointers" in said(TypeError, fsm.loads("fsm.kernel @k(%p: !fsm.ptr<!fsm.ptr<f32>>) {\n fsm.return\n}", device="cpu")[1], y)


def check_prints(capture):
    talks = fsm.loads(TALKS, device="cpu", name="talks.mlir")
    standard, sys.stderr = sys.stderr, capture
    try:
        talks[2](7, True)
    finally:
        sys.stderr = standard
    assert capture.lines == [f"talks.mlir:2:3: program ({program}, 0, 0): n = 7" for program in range(2)], capture.lines
    assert "assertion failed: no" in said(fsm.Error, talks[1], 7, False)


class Capture:
    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines += text.split("\n")[:-1] if text != "\n" else []
        if text and text != "\n" and not text.endswith("\n"):
            self.lines.append(text)


def check_threads():
    """Launches of one kernel from several threads are of the arguments that each was given."""
    axpy, x, wrong = fsm.loads(AXPY, device="cpu"), np.arange(1024, dtype=np.float32), []

    def work(number):
        for _ in range(200):
            out = np.full(1024, number, np.float32)
            axpy(out, x, number, 1024)
            if not np.array_equal(out, number + number * x):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def check_files(scratch):
    Path(scratch).write_text(AXPY, encoding="utf-8")
    axpy = fsm.load(Path(scratch), device="cpu", BLOCK=32, options={"kernel": "axpy"})
    assert repr(axpy) == "@axpy(%y: !fsm.ptr<f32>, %x: !fsm.ptr<f32>, %a: f32, %n: i32) on cpu"
    assert "tensor<32xf32>" in axpy.emit("source") and ".target sm_80" in axpy.emit("ptx", target="sm_80", num_warps=1)
    assert said(fsm.Error, fsm.load, scratch, device="cpu", T="f31").startswith(f"{scratch}:4:")


def main(page, scratch):
    (program,) = re.findall(r"```python\n(.*?)```", Path(page).read_text(encoding="utf-8"), re.DOTALL)
    exec(program, {})
    check_sums()
    check_kinds()
    check_others()
    check_mistakes()
    check_prints(Capture())
    check_threads()
    check_files(scratch)
    print("right")


main(*sys.argv[1:])
