// Helpers become part of their kernels, which keep the names of their arguments.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(inline,fsm-check-kernels,symbol-dce)' | FileCheck %s

// CHECK-NOT: func.func
func.func private @store_twice(%p: !fsm.ptr<f32>, %x: f32) {
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  return
}

func.func private @sum(%p: !fsm.ptr<f32>) -> f32 {
  %o = fsm.range 0, 8 : tensor<8xi32>
  %b = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %s = fsm.reduce <sum> %b axis 0 : tensor<8xf32> -> f32
  return %s : f32
}

func.func private @sum_and_store(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %s = func.call @sum(%p) : (!fsm.ptr<f32>) -> f32
  func.call @store_twice(%q, %s) : (!fsm.ptr<f32>, f32) -> ()
  return
}

// CHECK-LABEL: fsm.kernel @straight(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>)
// CHECK-NEXT:    %[[O:.*]] = fsm.range
// CHECK-NEXT:    %[[B:.*]] = fsm.load %in[%[[O]]]
// CHECK-NEXT:    %[[S:.*]] = fsm.reduce <sum> %[[B]]
// CHECK-NEXT:    fsm.store %[[S]], %out
// CHECK-NEXT:    fsm.store %[[S]], %out
// CHECK-NEXT:    fsm.return
fsm.kernel @straight(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  func.call @sum_and_store(%in, %out) : (!fsm.ptr<f32>, !fsm.ptr<f32>) -> ()
  fsm.return
}

// CHECK-LABEL: fsm.kernel @in_control_flow(%out: !fsm.ptr<f32>, %n: i32, %m: i32, %c: i1, %x: f32)
// CHECK:         scf.for
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        fsm.store %x, %out
// CHECK-NEXT:        fsm.store %x, %out
// CHECK-NEXT:      }
fsm.kernel @in_control_flow(%out: !fsm.ptr<f32>, %n: i32, %m: i32, %c: i1, %x: f32) {
  scf.for %i = %n to %m step %n : i32 {
    scf.if %c {
      func.call @store_twice(%out, %x) : (!fsm.ptr<f32>, f32) -> ()
    }
  }
  fsm.return
}

// Control flow in a helper comes along.
func.func private @absolute(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %negative = arith.cmpf olt, %x, %zero : f32
  %y = scf.if %negative -> (f32) {
    %z = arith.negf %x : f32
    scf.yield %z : f32
  } else {
    scf.yield %x : f32
  }
  return %y : f32
}

// CHECK-LABEL: fsm.kernel @with_branches(%out: !fsm.ptr<f32>, %x: f32)
// CHECK:         %[[Y:.*]] = scf.if
// CHECK:         fsm.store %[[Y]], %out
fsm.kernel @with_branches(%out: !fsm.ptr<f32>, %x: f32) {
  %y = func.call @absolute(%x) : (f32) -> f32
  fsm.store %y, %out : f32, !fsm.ptr<f32>
  fsm.return
}
