// Loads for products run ahead of stores through other arguments, in kernels that leave these unordered.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='target=sm_90a stage=fsm remarks tensor-maps=false' 2>&1 >/dev/null | FileCheck %s
// RUN: %fsm_run %s --kernel=chunks --device=sim --target=sm_90a --compare=interp --grid=1 --no-specialize --arg='f32[5x64x64]' --arg='f16[64x320]:uniform:1' --arg='f16[320x64]:uniform:2' --arg=320
// RUN: %fsm_run %s --kernel=one_argument --device=sim --target=sm_90a --compare=interp --grid=1 --no-specialize --arg='f16[320x64]:uniform:1' --arg='f16[64x320]:uniform:2' --arg=320
// RUN: %fsm_run %s --kernel=gates --device=sim --target=sm_90a --compare=interp --grid=1 --no-specialize --arg='f32[5x64x64]' --arg='f16[64x320]:uniform:1' --arg='f16[320x64]:uniform:2' --arg='f32[320]:uniform:3' --arg=320
// RUN: %fsm_run %s --kernel=adds --device=sim --target=sm_90a --compare=interp --grid=2 --no-specialize --arg='f32[64x64]' --arg='f16[64x320]:uniform:1' --arg='f16[320x64]:uniform:2' --arg=320

// A recurrence over chunks: the state so far is stored, then the next chunk is loaded.
// CHECK-COUNT-2: remark: this load runs {{[12]}} iteration{{s?}} ahead, into shared memory
fsm.kernel @chunks(%states: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %to = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x64xf32>) : i32 {
    %moved = arith.muli %i, %step overflow<nsw> : i32
    %here = fsm.offset %states, %moved : !fsm.ptr<f32>, i32
    fsm.store %state, %here[%to] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [64, 1] bounds [%n, 64] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %state : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// The same where the kernel orders what is stored and loaded.
// CHECK-COUNT-2: remark: this load does not run ahead of its loop: 'fsm.store' before it in the same iteration may write what it reads
fsm.kernel @ordered(%states: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %to = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x64xf32>) : i32 {
    %moved = arith.muli %i, %step overflow<nsw> : i32
    %here = fsm.offset %states, %moved : !fsm.ptr<f32>, i32
    fsm.store %state, %here[%to] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [64, 1] bounds [%n, 64] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %state : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// Through one argument the order stays: what is stored is what is loaded.
// CHECK: remark: this load does not run ahead of its loop: 'fsm.store' before it in the same iteration may write what it reads
// CHECK: remark: this load runs {{[12]}} iteration{{s?}} ahead, into shared memory
fsm.kernel @one_argument(%rows: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x64xf32>) : i32 {
    %at, %in = fsm.places origin [%i, 0] strides [64, 1] bounds [%n, 64] : tensor<64x64xi32>
    %cut = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xf16>
    fsm.store %cut, %rows[%at], %in : tensor<64x64xf16>, !fsm.ptr<f16>, tensor<64x64xi32>
    %y = fsm.load %rows[%at], %in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %q[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %more = arith.constant dense<1.0> : tensor<64x64xf32>
    %sum = arith.addf %next, %more : tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// What a product takes may come to it through shared memory, as numbers of rows do that one thread each has loaded.
// CHECK-COUNT-3: remark: this load runs {{[12]}} iteration{{s?}} ahead
fsm.kernel @gates(%states: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %g: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %to = fsm.places strides [64, 1] : tensor<64x64xi32>
  %line = fsm.range 0, 64 : tensor<64xi32>
  scf.for %i = %none to %n step %step iter_args(%state = %zeros) -> (tensor<64x64xf32>) : i32 {
    %moved = arith.muli %i, %step overflow<nsw> : i32
    %here = fsm.offset %states, %moved : !fsm.ptr<f32>, i32
    fsm.store %state, %here[%to] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [64, 1] bounds [%n, 64] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %from = fsm.offset %g, %i : !fsm.ptr<f32>, i32
    %gate = fsm.load %from[%line] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %exp = math.exp %gate : tensor<64xf32>
    %column = fsm.expand_dims %exp axis 1 : tensor<64xf32> -> tensor<64x1xf32>
    %gates = fsm.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %rest = arith.mulf %state, %gates : tensor<64x64xf32>
    %next = fsm.dot %x, %y, %rest : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// An atomic whose result nobody looks at acquires nothing that anybody could know of.
// CHECK-COUNT-2: remark: this load runs {{[12]}} iteration{{s?}} ahead, into shared memory
fsm.kernel @adds(%sums: !fsm.ptr<f32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %to = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %i = %none to %n step %step : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%n, 1] bounds [64, %n] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [64, 1] bounds [%n, 64] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %part = fsm.dot %x, %y, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %old = fsm.atomic_rmw <add> %part, %sums[%to] sem = acq_rel : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
