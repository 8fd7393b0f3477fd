// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --cse --canonicalize | FileCheck %s

// A print and an assert are kept, in their order, whatever becomes of the rest.
// CHECK-LABEL: fsm.kernel @kept
fsm.kernel @kept(%p: !fsm.ptr<f32>, %c: i1, %i: i32) {
  // CHECK: %[[R:.*]] = fsm.range
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: %[[X:.*]] = fsm.load
  %x = fsm.load %p[%r] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  // CHECK: fsm.print "value" %[[X]], %{{.*}} : tensor<64xf32>, i32
  fsm.print "value" %x, %i : tensor<64xf32>, i32
  // CHECK: fsm.print "value" %[[X]], %{{.*}} : tensor<64xf32>, i32
  fsm.print "value" %x, %i : tensor<64xf32>, i32
  // CHECK: fsm.assert %{{.*}}, "no \22scalar\22" : i1
  fsm.assert %c, "no \"scalar\"" : i1
  // CHECK: fsm.print "offsets" hex %[[R]], %{{.*}} : tensor<64xi32>, !fsm.ptr<f32>
  fsm.print "offsets" hex %r, %p : tensor<64xi32>, !fsm.ptr<f32>
  // CHECK: %[[M:.*]] = arith.cmpi
  %is = fsm.splat %i : tensor<64xi32>
  %m = arith.cmpi slt, %r, %is : tensor<64xi32>
  // CHECK: fsm.assert %[[M]], "block" : tensor<64xi1>
  fsm.assert %m, "block" : tensor<64xi1>
  fsm.return
}
