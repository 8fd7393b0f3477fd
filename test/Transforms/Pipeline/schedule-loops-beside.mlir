// Products go on beside the next iteration's: threads wait for them where they wait for another product, which comes in front of all that
// uses the sums, and of what threads hold of the next factor.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='target=sm_90a stage=fsm' | FileCheck %s

!at = tensor<64x64xi32>
!f = tensor<64x64xf16>
!s = tensor<64x64xf32>

// CHECK-LABEL: fsm.kernel @negated
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<64x64xf16 slots 4
// CHECK:         %[[LOOP:[^:]*]]:{{[0-9]+}} = scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] = %{{.*}},
// CHECK-NOT:       fsm.product_wait
// CHECK:           %[[P:.*]] = fsm.shared_dot
// CHECK-NOT:       fsm.in_flight
// CHECK:           %[[DONE:.*]] = fsm.product_wait %[[SUM]]
// CHECK:           %[[LESS:.*]] = arith.negf %[[DONE]]
// CHECK:           fsm.shared_dot {{.*}}, %[[LESS]] {{.*}}fsm.in_flight
// CHECK:           fsm.product_limit 1
// CHECK:         fsm.product_wait %[[LOOP]]#0
fsm.kernel @negated(%c: !fsm.ptr<f32> {fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %d: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : !s
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !at
  %q = fsm.load %a[%a_at] : !fsm.ptr<f16>, !at -> !f
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!s) : i32 {
    %at = fsm.places origin [%i, %none] strides [%step, 1] : !at
    %y = fsm.load %b[%at] : !fsm.ptr<f16>, !at -> !f
    %z = fsm.load %d[%at] : !fsm.ptr<f16>, !at -> !f
    %yt = fsm.transpose %y order [1, 0] : !f -> !f
    %p = fsm.dot %q, %yt, %zeros : !f, !f -> !s
    %ph = arith.truncf %p : !s to !f
    %less = arith.negf %sum : !s
    %next = fsm.dot %ph, %z, %less : !f, !f -> !s
    scf.yield %next : !s
  } {fsm.num_stages = 3 : i32}
  fsm.store %sums, %c[%a_at] : !s, !fsm.ptr<f32>, !at
  fsm.return
}

// -----

!at = tensor<64x64xi32>
!f = tensor<64x64xf16>
!s = tensor<64x64xf32>

// The product of a factor that is not made of the other one's sums might be read while the next one is written to registers; and sums that
// are used in front of the product that is waited for would be read while they grow.
// CHECK-LABEL: fsm.kernel @neither
// CHECK:         scf.for
// CHECK-NOT:       fsm.in_flight
// CHECK:         fsm.return
fsm.kernel @neither(%c: !fsm.ptr<f32> {fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %d: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : !s
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !at
  %q = fsm.load %a[%a_at] : !fsm.ptr<f16>, !at -> !f
  %r = fsm.dot %q, %q, %zeros : !f, !f -> !s
  %sums:2 = scf.for %i = %none to %k step %step iter_args(%u = %zeros, %v = %zeros) -> (!s, !s) : i32 {
    %at = fsm.places origin [%i, %none] strides [%step, 1] : !at
    %y = fsm.load %b[%at] : !fsm.ptr<f16>, !at -> !f
    %z = fsm.load %d[%at] : !fsm.ptr<f16>, !at -> !f
    %uh = arith.truncf %u : !s to !f
    %p = fsm.dot %uh, %y, %zeros : !f, !f -> !s
    %ph = arith.truncf %p : !s to !f
    %u_next = fsm.dot %ph, %z, %p : !f, !f -> !s
    %ih = arith.sitofp %i : i32 to f32
    %is = fsm.splat %ih : !s
    %rs = arith.addf %r, %is : !s
    %rh = arith.truncf %rs : !s to !f
    %v_next = fsm.dot %rh, %z, %v : !f, !f -> !s
    scf.yield %u_next, %v_next : !s, !s
  } {fsm.num_stages = 2 : i32}
  %all = arith.addf %sums#0, %sums#1 : !s
  fsm.store %all, %c[%a_at] : !s, !fsm.ptr<f32>, !at
  fsm.return
}
