// Of four warps a multiprocessor has room for two ctas whatever registers their threads take, if shared memory has: a role would leave it one,
// for eight warps with as many sums a thread do not fit twice.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='target=sm_90a stage=fsm remarks' 2>&1 | FileCheck %s
// CHECK:     remark: the warps of this loop begin its copies themselves: another cta hides its waits
// CHECK-NOT: fsm.load_role
// CHECK:     fsm.return
fsm.kernel @two(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 32 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x128xf32>) : i32 {
    %x_at = fsm.places origin [0, %i] strides [%k, 1] : tensor<128x32xi32>
    %x = fsm.load %p[%x_at] : !fsm.ptr<f16>, tensor<128x32xi32> -> tensor<128x32xf16>
    %y_at = fsm.places origin [%i, 0] strides [128, 1] : tensor<32x128xi32>
    %y = fsm.load %q[%y_at] : !fsm.ptr<f16>, tensor<32x128xi32> -> tensor<32x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  } {fsm.num_stages = 3 : i32}
  %z = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  %to = fsm.places strides [128, 1] : tensor<128x128xi32>
  fsm.store %z, %out[%to] : tensor<128x128xf16>, !fsm.ptr<f16>, tensor<128x128xi32>
  fsm.return
}
