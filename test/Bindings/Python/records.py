"""What kernels print and assert under Triton's own launcher, on the simulator's driver: as FSM's own launches print it."""

import ctypes
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools/dev"))
from bench.driver import Driver  # noqa: E402
from fsm import _library  # noqa: E402
from fsm.triton import records  # noqa: E402

# Elements of each type, signed and unsigned, none of them round; and a condition that is false in program 1.
TEXT = """fsm.kernel @k(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 2 : i32} {
  %r = fsm.range 0, 6 : tensor<6xi32>
  %o = fsm.reshape %r : tensor<6xi32> -> tensor<2x3xi32>
  %f = arith.sitofp %o : tensor<2x3xi32> to tensor<2x3xf32>
  %t = arith.constant dense<[[0.1, -1.0e30, 3.0], [1.0e-42, 123456.789, 0x7FC00000]]> : tensor<2x3xf32>
  %g = arith.mulf %f, %t : tensor<2x3xf32>
  %d = arith.extf %g : tensor<2x3xf32> to tensor<2x3xf64>
  %third = arith.constant dense<3.0> : tensor<2x3xf64>
  %e = arith.divf %d, %third : tensor<2x3xf64>
  %h = arith.truncf %g : tensor<2x3xf32> to tensor<2x3xf16>
  %b = arith.truncf %g : tensor<2x3xf32> to tensor<2x3xbf16>
  %q = fsm.convert %g rounding = nearest_even : tensor<2x3xf32> -> tensor<2x3xf8E4M3FN>
  %s = arith.subi %o, %o : tensor<2x3xi32>
  %m = arith.trunci %o : tensor<2x3xi32> to tensor<2x3xi8>
  fsm.print "all" %n, %g, %e, %h, %b, %q, %m : i32, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf16>, tensor<2x3xbf16>, tensor<2x3xf8E4M3FN>, tensor<2x3xi8>
  fsm.print "hex" hex %n : i32
  fsm.print "pointer" %out : !fsm.ptr<f32>
  %p = fsm.program_id x : i32
  %c = arith.cmpi ne, %p, %n : i32
  fsm.assert %c, "not this one" : i1
  fsm.return
}
"""


class Own:
    """The code with a variable for its records, loaded by the simulator's driver."""

    def __init__(self, library):
        contract = json.loads(library.emit(TEXT, "k.mlir", "launch", target="sm_90a", pack=False, strict=False))
        assert contract["hidden_arguments"] == ["debug_records"], contract["hidden_arguments"]
        self.ops, self.shared = contract["debug_ops"], contract["shared_bytes"]
        self.driver = Driver(str(library.path.parent / "libfsm-simulator.so"))
        module, self.function, self.out = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
        code = records.with_variable(contract["ptx"]).encode()
        self.driver("cuModuleLoadData", ctypes.byref(module), code)
        self.driver("cuModuleGetFunction", ctypes.byref(self.function), module, b"k")
        self.driver("cuMemAlloc_v2", ctypes.byref(self.out), ctypes.c_size_t(64))
        self.variable = records.Variable(self.driver.cuda, module)

    def launch(self, number, programs):
        value = ctypes.c_int32(number)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(self.out), ctypes.addressof(value))
        self.driver("cuLaunchKernel", self.function, programs, 1, 1, 64, 1, 1, self.shared, None, arguments, None)
        self.driver("cuCtxSynchronize")
        return records.lines_of(self.variable.take(), self.ops)


def without_pointers(lines):
    return sorted(line for line in lines if "pointer" not in line)


def main():
    library = _library.load()
    own, lines, message = Own(library), [], None
    kernel = library.engine("cpu").load(TEXT, "k.mlir")
    memory = (ctypes.c_float * 6)()
    for number in (-7, 1):
        lines.clear()
        try:
            kernel.launch((2, 1, 1), [(ctypes.addressof(memory), 24), number], lines.append)
            message = None
        except _library.Failure as failure:
            message = failure.message
        got, failed = own.launch(number, 2)
        assert without_pointers(got) == without_pointers(lines), (got, lines)
        assert [line for line in got if line.endswith(f"pointer = 0x{own.out.value:016x}")], got
        assert (failed is None) == (message is None) and (failed or "") in (message or ""), (failed, message)
    assert failed.endswith("program (1, 0, 0): assertion failed: not this one"), failed
    # What there is no room for is counted, and the next launch has room again.
    each = sum("(0, 0, 0)" in line for line in got)
    got, _ = own.launch(-7, records.CAPACITY)
    assert len(got) == records.CAPACITY + 1 and got[-1] == f"{(each - 1) * records.CAPACITY} more lines are lost", got[-1]
    assert len(own.launch(-7, 1)[0]) == each
    print("right")


main()
