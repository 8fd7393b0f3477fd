// Conversions with a rounding, and IEEE 754's quotients and roots, in a thread and on
// the host. Their values are test/Device/converts.py's and test/Device/elementwise.py's.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s --check-prefixes=CHECK,CPU

// Rebias the exponent by 112, add half of the last unit less 1, and 1 when it is odd,
// shift by 21; below 2^-14, count units of 2^-16; at most 123, which is 57344; NaN is 127.
// CHECK-LABEL: @to_f8
// CHECK:         %[[BIAS:.*]] = arith.constant 939524096 : i32
// CHECK:         %[[MOVED:.*]] = arith.subi %{{.*}}, %[[BIAS]] : i32
// CHECK:         %[[UNIT:.*]] = arith.shrui %[[MOVED]], %{{.*}} : i32
// CHECK:         %[[ODD:.*]] = arith.andi %[[UNIT]], %{{.*}} : i32
// CHECK:         %[[HALF:.*]] = arith.constant 1048575 : i32
// CHECK:         %[[SUM:.*]] = arith.addi %[[MOVED]], %[[HALF]] : i32
// CHECK:         arith.addi %[[SUM]], %[[ODD]] : i32
// CHECK:         %[[LEAST:.*]] = arith.constant 947912704 : i32
// CHECK:         %[[BELOW:.*]] = arith.cmpi ult, %{{.*}}, %[[LEAST]] : i32
// CHECK:         %[[LARGE:.*]] = arith.constant 1.280000e+02 : f32
// CHECK:         arith.addf %{{.*}}, %[[LARGE]] : f32
// CHECK:         %[[ROUNDED:.*]] = arith.select %[[BELOW]]
// CHECK:         %[[MOST:.*]] = arith.constant 123 : i32
// CHECK:         arith.minui %[[ROUNDED]], %[[MOST]] : i32
// CHECK:         %[[NAN:.*]] = arith.constant 127 : i32
// CHECK:         %[[BITS:.*]] = arith.select %{{.*}}, %[[NAN]]
// CHECK:         arith.trunci %[[BITS]] : i32 to i8
fsm.kernel @to_f8(%out: !fsm.ptr<f8E5M2>, %x: f32) attributes {num_warps = 1 : i32} {
  %y = fsm.convert %x rounding = nearest_even : f32 -> f8E5M2
  fsm.store %y, %out : f8E5M2, !fsm.ptr<f8E5M2>
  fsm.return
}

// A thread's conversion from f64 rounds once; the host's goes through an f32 rounded to odd.
// CHECK-LABEL: @once
// GPU:           arith.truncf %{{.*}} : f64 to f16
// CPU:           arith.truncf %{{.*}} : f64 to f32
// CPU:           arith.truncf %{{.*}} : f32 to f16
// CHECK:         %[[NAN16:.*]] = arith.constant 32767 : i16
// CHECK:         arith.select %{{.*}}, %[[NAN16]], %{{.*}} : i16
fsm.kernel @once(%out: !fsm.ptr<f16>, %x: f64) attributes {num_warps = 1 : i32} {
  %y = fsm.convert %x rounding = nearest_even : f64 -> f16
  fsm.store %y, %out : f16, !fsm.ptr<f16>
  fsm.return
}

// CHECK-LABEL: @exact
// CHECK-NOT:     llvm.call_intrinsic "llvm.nvvm.div
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         math.sqrt %[[Q]] : f32
fsm.kernel @exact(%out: !fsm.ptr<f32>, %x: f32, %z: f32) attributes {num_warps = 1 : i32} {
  %y = fsm.div_rn %x, %z : f32
  %w = fsm.sqrt_rn %y : f32
  fsm.store %w, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// One division in f32, and one more rounding, which changes nothing.
// CHECK-LABEL: @half
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.truncf %{{.*}} : f32 to f16
fsm.kernel @half(%out: !fsm.ptr<f16>, %x: f16, %z: f16) attributes {num_warps = 1 : i32} {
  %y = fsm.div_rn %x, %z : f16
  fsm.store %y, %out : f16, !fsm.ptr<f16>
  fsm.return
}

// A rarer function is written out in f32, or in f64 where f32 does not hold what it takes.
// CHECK-LABEL: @rare
// CHECK-NOT:     f64
// CHECK-NOT:     llvm.call @
// CHECK:         return
fsm.kernel @rare(%out: !fsm.ptr<f32>, %x: f32, %z: f32) attributes {num_warps = 1 : i32} {
  %y = math.atan2 %x, %z : f32
  fsm.store %y, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: @wide
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK-NOT:     llvm.call @
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         return
fsm.kernel @wide(%out: !fsm.ptr<f32>, %x: f32) attributes {num_warps = 1 : i32} {
  %y = math.erfc %x : f32
  fsm.store %y, %out : f32, !fsm.ptr<f32>
  fsm.return
}
