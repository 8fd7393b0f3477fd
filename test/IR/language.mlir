// Everything a kernel may hold from other dialects, over the types of the language.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @integers
fsm.kernel @integers(%n: i32, %m: i64) {
  %b = fsm.range 0, 781 : tensor<781xi32>
  %0 = arith.addi %b, %b overflow<nsw> : tensor<781xi32>
  %1 = arith.divsi %n, %n : i32
  %2 = arith.shrui %0, %b : tensor<781xi32>
  %3 = arith.extsi %b : tensor<781xi32> to tensor<781xi64>
  %4 = arith.trunci %m : i64 to i1
  %5 = arith.cmpi ult, %b, %0 : tensor<781xi32>
  %6 = arith.select %5, %b, %0 : tensor<781xi1>, tensor<781xi32>
  %7 = arith.floordivsi %n, %n : i32
  %8 = math.absi %n : i32
  %9 = ub.poison : i16
  fsm.return
}

// CHECK-LABEL: fsm.kernel @floats
fsm.kernel @floats(%x: f32, %h: bf16) {
  %b = fsm.splat %x : tensor<3x5xf32>
  %0 = arith.addf %b, %b fastmath<contract> : tensor<3x5xf32>
  %1 = math.fma %b, %b, %0 : tensor<3x5xf32>
  %2 = arith.maxnumf %1, %b : tensor<3x5xf32>
  %3 = math.exp %2 : tensor<3x5xf32>
  %4 = arith.truncf %3 : tensor<3x5xf32> to tensor<3x5xf16>
  %5 = arith.fptosi %3 : tensor<3x5xf32> to tensor<3x5xi8>
  %6 = arith.extf %h : bf16 to f64
  %7 = arith.cmpf une, %x, %x : f32
  fsm.return
}

// f8 is stored, moved and selected.
// CHECK-LABEL: fsm.kernel @f8
fsm.kernel @f8(%p: !fsm.ptr<f8E4M3FN>, %c: i1) {
  %x = fsm.load %p : !fsm.ptr<f8E4M3FN> -> f8E4M3FN
  %y = arith.constant 1.0 : f8E4M3FN
  %z = arith.select %c, %x, %y : f8E4M3FN
  %i = arith.bitcast %z : f8E4M3FN to i8
  fsm.store %z, %p : f8E4M3FN, !fsm.ptr<f8E4M3FN>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @control_flow
fsm.kernel @control_flow(%n: i32, %m: i64, %c: i1, %x: f32) {
  %b = fsm.splat %x : tensor<64xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%a = %b) -> (tensor<64xf32>) : i32 {
    %s = arith.addf %a, %b : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  }
  scf.for %i = %m to %m step %m : i64 {
  }
  %y = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    %z = arith.negf %x : f32
    scf.yield %z : f32
  }
  %w = scf.while (%a = %b) : (tensor<64xf32>) -> (tensor<64xf32>) {
    scf.condition(%c) %a : tensor<64xf32>
  } do {
  ^bb0(%a: tensor<64xf32>):
    scf.yield %a : tensor<64xf32>
  }
  fsm.return
}

func.func private @helper(%a: tensor<64xf32>) -> tensor<64xf32> {
  return %a : tensor<64xf32>
}

// CHECK-LABEL: fsm.kernel @calls
// CHECK:         func.call @helper
fsm.kernel @calls(%x: f32) {
  %b = fsm.splat %x : tensor<64xf32>
  %a = func.call @helper(%b) : (tensor<64xf32>) -> tensor<64xf32>
  fsm.return
}
