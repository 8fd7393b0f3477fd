// Four groups of warps and a role are launched with 96 registers a thread, for which ptxas finds no room for an instruction with 96 sums: "Insufficient
// registers (96) to compile instruction".

// RUN: %fsm_opt %s --fsm-gpu-pipeline='target=sm_90a stage=fsm roles=always remarks' 2>&1 | FileCheck %s
// RUN: sed 's/num_warps = 16/num_warps = 8/' %s | %fsm_opt --fsm-gpu-pipeline='target=sm_90a stage=fsm roles=always remarks' 2>&1 | FileCheck %s --check-prefix=ROLE
// CHECK:     remark: the warps of this loop begin its copies themselves: an instruction of its products needs about 128 registers of a thread, of 96 that it would be launched with
// CHECK:     remark: programs of this kernel are no cluster: no warps of their own begin copies
// CHECK-NOT: fsm.load_role
// CHECK:     fsm.return
// ROLE:      remark: warps of their own begin the copies of this loop
fsm.kernel @wide(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 32 : i32}) attributes {num_warps = 16 : i32, fsm.cluster = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %program = fsm.program_id x : i32
  %height = arith.constant 256 : i32
  %row = arith.muli %program, %height overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<256x192xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<256x192xf32>) : i32 {
    %x_at = fsm.places origin [%row, %i] strides [%k, 1] : tensor<256x32xi32>
    %x = fsm.load %p[%x_at] : !fsm.ptr<f16>, tensor<256x32xi32> -> tensor<256x32xf16>
    %y_at = fsm.places origin [%i, 0] strides [192, 1] : tensor<32x192xi32>
    %y = fsm.load %q[%y_at] : !fsm.ptr<f16>, tensor<32x192xi32> -> tensor<32x192xf16>
    %next = fsm.dot %x, %y, %sum : tensor<256x32xf16>, tensor<32x192xf16> -> tensor<256x192xf32>
    scf.yield %next : tensor<256x192xf32>
  } {fsm.num_stages = 3 : i32}
  %z = arith.truncf %d : tensor<256x192xf32> to tensor<256x192xf16>
  %to = fsm.places origin [%row, 0] strides [192, 1] : tensor<256x192xi32>
  fsm.store %z, %out[%to] : tensor<256x192xf16>, !fsm.ptr<f16>, tensor<256x192xi32>
  fsm.return
}
