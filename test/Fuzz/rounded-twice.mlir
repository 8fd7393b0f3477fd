// An integer that goes to bf16 by way of f32 is rounded twice: 2^31 + 2^23 + 1 is 2^31 + 2^23 in f32, half way between two
// numbers of bf16, of which 2^31, 0x4f00, is the even one. MLIR's canonicalisation made one rounding of it, 0x4f01, on every
// device but the interpreter; by way of f64 and in helpers, too. Kernel 2568847 of a run.
// RUN: %python -c "import numpy; numpy.save('%t.npy', numpy.array([0x4f00, 0x5380, 0x4f00], numpy.int16)); numpy.save('%t.i32.npy', numpy.array([0x5d800000, 0x5d800000], numpy.int32))"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i16[3] --arg=i32[2] --arg=-2139095039 --arg=1103806595073 --arg=1152921573326323713 --check=0:%t.npy --check=1:%t.i32.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i16[3] --arg=i32[2] --arg=-2139095039 --arg=1103806595073 --arg=1152921573326323713 --check=0:%t.npy --check=1:%t.i32.npy
// RUN: %fsm_run %s --device=sim --grid=1 --arg=i16[3] --arg=i32[2] --arg=-2139095039 --arg=1103806595073 --arg=1152921573326323713 --check=0:%t.npy --check=1:%t.i32.npy

func.func private @rounded(%word: i32) -> bf16 {
  %single = arith.uitofp %word : i32 to f32
  %half = arith.truncf %single : f32 to bf16
  return %half : bf16
}

// %word is 2^31 + 2^23 + 1 without sign, %long 2^40 + 2^32 + 1, %longer 2^60 + 2^36 + 1.
fsm.kernel @rounded_twice(%halves: !fsm.ptr<i16>, %singles: !fsm.ptr<i32>, %word: i32, %long: i64, %longer: i64) {
  %unsigned = arith.uitofp %word : i32 to f32
  %h0 = arith.truncf %unsigned : f32 to bf16
  %signed = arith.sitofp %long : i64 to f32
  %h1 = arith.truncf %signed : f32 to bf16
  %h2 = func.call @rounded(%word) : (i32) -> bf16
  %b0 = arith.bitcast %h0 : bf16 to i16
  %b1 = arith.bitcast %h1 : bf16 to i16
  %b2 = arith.bitcast %h2 : bf16 to i16
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %halves1 = fsm.offset %halves, %one : !fsm.ptr<i16>, i32
  %halves2 = fsm.offset %halves, %two : !fsm.ptr<i16>, i32
  fsm.store %b0, %halves : i16, !fsm.ptr<i16>
  fsm.store %b1, %halves1 : i16, !fsm.ptr<i16>
  fsm.store %b2, %halves2 : i16, !fsm.ptr<i16>
  %d0 = arith.sitofp %longer : i64 to f64
  %s0 = arith.truncf %d0 : f64 to f32
  %d1 = arith.uitofp %longer : i64 to f64
  %s1 = arith.truncf %d1 : f64 to f32
  %singles1 = fsm.offset %singles, %one : !fsm.ptr<i32>, i32
  %w0 = arith.bitcast %s0 : f32 to i32
  %w1 = arith.bitcast %s1 : f32 to i32
  fsm.store %w0, %singles : i32, !fsm.ptr<i32>
  fsm.store %w1, %singles1 : i32, !fsm.ptr<i32>
  fsm.return
}
