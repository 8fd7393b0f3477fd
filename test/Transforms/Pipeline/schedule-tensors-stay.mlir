// Products' loops within others whose loads are no copies of a tensor, and why. The product of the strides is computed in the loop
// around as long as nothing moves it in front of that.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a remarks" 2>&1 | FileCheck %s

// CHECK-COUNT-2: no copies of a tensor: what is around its loop has stages or is no 'scf.for'
fsm.kernel @branch(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %k: i32 {fsm.divisible = 8 : i32}, %factor: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  scf.for %row = %none to %m step %step : i32 {
    %is_wide = arith.cmpi sgt, %k, %step : i32
    %a = fsm.descriptor %p sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %q sizes [%k, 128] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    scf.if %is_wide {
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%i, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store_tile %d, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
    }
  }
  fsm.return
}

// A load of the outer loop is to run ahead.
// CHECK-COUNT-2: no copies of a tensor: what is around its loop has stages or is no 'scf.for'
fsm.kernel @stages(%out: !fsm.ptr<f32> {fsm.noalias}, %scales: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %k: i32 {fsm.divisible = 8 : i32}, %factor: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  scf.for %row = %none to %m step %step : i32 {
    %scale_at = fsm.offset %scales, %row : !fsm.ptr<f32>, i32
    %scale = fsm.load %scale_at : !fsm.ptr<f32> -> f32
    %factors = fsm.splat %scale : tensor<64x128xf32>
    %a = fsm.descriptor %p sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %q sizes [%k, 128] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%i, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    %e = arith.mulf %d, %factors : tensor<64x128xf32>
    fsm.store_tile %e, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// CHECK: no copies of a tensor: its sizes or its stride are computed in a loop around its own
fsm.kernel @computed(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %k: i32 {fsm.divisible = 8 : i32}, %factor: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  scf.for %row = %none to %m step %step : i32 {
    %stride = arith.muli %k, %factor overflow<nsw> : i32
    %a = fsm.descriptor %p sizes [%m, %k] strides [%stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %q sizes [%k, 128] strides [%stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%i, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store_tile %d, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}

// CHECK: no copies of a tensor: its coordinates may begin below 0
fsm.kernel @below(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %k: i32 {fsm.divisible = 8 : i32}, %factor: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  scf.for %row = %factor to %m step %step : i32 {
    %b = fsm.descriptor %q sizes [%k, 128] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %d = scf.for %i = %step to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %at = fsm.places origin [%row, %i] strides [%k, 1] : tensor<64x64xi32>
      %x = fsm.load %p[%at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%i, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store_tile %d, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}
