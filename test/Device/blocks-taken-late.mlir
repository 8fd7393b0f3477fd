// Where a thread has no registers for all blocks that run ahead, it takes each from its slot where it is used: a recurrence with
// blocks of gates, as in gated linear attention, and rows that go through three others.

// RUN: %fsm_run %s --kernel=gated --target=sm_90a --remarks --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=rows --target=sm_90a --remarks --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=gated --device=sim --target=sm_90a --compare=interp --grid=2 --arg='f32[2x5x4096]' --arg='f16[2x320x64]:uniform:1' --arg='f16[2x320x64]:uniform:2' --arg='f32[2x320x64]:uniform:3' --arg=320
// RUN: %fsm_run %s --kernel=gated --device=sim --target=sm_80 --compare=interp --grid=2 --no-specialize --arg='f32[2x5x4096]' --arg='f16[2x320x64]:uniform:1' --arg='f16[2x320x64]:uniform:2' --arg='f32[2x320x64]:uniform:3' --arg=320
// RUN: %fsm_run %s --kernel=gated --device=sim --target=sm_90a --compare=interp --grid=2 --arg='f32[2x5x4096]' --arg='f16[2x320x64]:uniform:1' --arg='f16[2x320x64]:uniform:2' --arg='f32[2x320x64]:uniform:3' --arg=320 --num-stages=3
// RUN: %fsm_run %s --kernel=rows --device=sim --target=sm_90a --compare=interp --grid=2 --arg='f32[2x5x2048]' --arg='f32[20480]:uniform:1' --arg='f32[20480]:uniform:2' --arg='f32[20480]:uniform:3' --arg='f32[20480]:uniform:4' --arg=5

// CHECK-NOT: does not run ahead
// CHECK:     remark: a thread takes each block from its slot where it is used

fsm.kernel @gated(%states: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %k: !fsm.ptr<f16> {fsm.align = 16 : i32}, %v: !fsm.ptr<f16> {fsm.align = 16 : i32}, %g: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 64 : i32}) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %width = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %program = fsm.program_id x : i32
  %first = arith.muli %program, %n : i32
  %rows = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x64xf32>) : i32 {
    %line = arith.addi %first, %i : i32
    %at = arith.muli %line, %width : i32
    %here = fsm.offset %states, %at : !fsm.ptr<f32>, i32
    fsm.store %state, %here[%rows] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    %pk = fsm.offset %k, %at : !fsm.ptr<f16>, i32
    %keys = fsm.load %pk[%rows] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %pv = fsm.offset %v, %at : !fsm.ptr<f16>, i32
    %values = fsm.load %pv[%rows] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %pg = fsm.offset %g, %at : !fsm.ptr<f32>, i32
    %gates = fsm.load %pg[%rows] : !fsm.ptr<f32>, tensor<64x64xi32> -> tensor<64x64xf32>
    %wide = arith.extf %keys : tensor<64x64xf16> to tensor<64x64xf32>
    %gated = arith.mulf %wide, %gates : tensor<64x64xf32>
    %factor = arith.truncf %gated : tensor<64x64xf32> to tensor<64x64xf16>
    %turned = fsm.transpose %factor order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %next = fsm.dot %turned, %values, %state : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.noalias}, %a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %b: !fsm.ptr<f32> {fsm.align = 16 : i32}, %c: !fsm.ptr<f32> {fsm.align = 16 : i32}, %d: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %program = fsm.program_id x : i32
  %lines = arith.muli %program, %n : i32
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %none = arith.constant dense<1.0> : tensor<2048xf32>
  scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<2048xf32> : i32 {
    %row = arith.addi %lines, %i : i32
    %at = arith.muli %row, %size : i32
    %to = fsm.offset %out, %at : !fsm.ptr<f32>, i32
    fsm.store %s, %to[%o] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
    %pa = fsm.offset %a, %at : !fsm.ptr<f32>, i32
    %x = fsm.load %pa[%o] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
    %s1 = arith.addf %s, %x : tensor<2048xf32>
    %pb = fsm.offset %b, %at : !fsm.ptr<f32>, i32
    %y = fsm.load %pb[%o] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
    %s2 = arith.mulf %s1, %y : tensor<2048xf32>
    %pc = fsm.offset %c, %at : !fsm.ptr<f32>, i32
    %z = fsm.load %pc[%o] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
    %s3 = arith.addf %s2, %z : tensor<2048xf32>
    %pd = fsm.offset %d, %at : !fsm.ptr<f32>, i32
    %w = fsm.load %pd[%o] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
    %s4 = arith.mulf %s3, %w : tensor<2048xf32>
    scf.yield %s4 : tensor<2048xf32>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.return
}
