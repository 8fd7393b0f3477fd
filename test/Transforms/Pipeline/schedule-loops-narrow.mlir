// Rows that programs share, of elements that are loaded one by one: where nothing else hides their loads, they stay all the same, unless
// stages are asked for. They would have a register each beside those of the row at hand.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm remarks=true' -o %t.mlir 2>&1 | FileCheck %s
// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm remarks=true num-stages=2' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ASKED

// CHECK: remark: this load does not run ahead of its loop: its accesses have 2 bytes each, and an asynchronous copy has 4, 8 or 16; in registers it would take 16 more a thread
// CHECK: remark: this load runs 1 iteration ahead, into shared memory: one thread copies all that is read, which lies in one piece
// ASKED: remark: this load runs 1 iteration ahead, into registers: its accesses have 2 bytes each
// ASKED: remark: this load runs 1 iteration ahead, into shared memory: one thread copies all that is read, which lies in one piece
fsm.kernel @sums(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 2 : i32, fsm.noalias}, %more: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %rows: i32) attributes {num_warps = 32 : i32} {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %width = arith.constant 32768 : i32
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  scf.for %i = %first to %rows step %step : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f16>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<32768xi32> -> tensor<32768xf16>
    %wide = arith.extf %x : tensor<32768xf16> to tensor<32768xf32>
    %q = fsm.offset %more, %a : !fsm.ptr<f32>, i32
    %y = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
    %z = arith.addf %wide, %y : tensor<32768xf32>
    %s = fsm.reduce <sum> %z axis 0 : tensor<32768xf32> -> f32
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %s, %to : f32, !fsm.ptr<f32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
