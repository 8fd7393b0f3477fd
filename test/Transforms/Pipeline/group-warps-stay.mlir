// Loops that groups of warps do not share, and why.

// RUN: %fsm_opt %s --fsm-group-warps="target=sm_90a remarks" 2>&1 | FileCheck %s --implicit-check-not=fsm.sum_parts --implicit-check-not=fsm.parts --implicit-check-not=remark:

// Another iteration may store the same.
fsm.kernel @rows_together(%out: !fsm.ptr<i32> {fsm.noalias}, %sums: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}, %stride: i32, %n: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: another iteration, or what is in front of it, may touch what 'fsm.store' in it stores
  %s = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %p = fsm.offset %in, %at : !fsm.ptr<i32>, i32
    %x = fsm.load %p[%r] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %q = fsm.offset %out, %at : !fsm.ptr<i32>, i32
    fsm.store %x, %q[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %next = arith.addi %sum, %x : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// What one group stores in the loop another one may yet read in front of it.
fsm.kernel @read_before(%out: !fsm.ptr<i32> {fsm.noalias}, %sums: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %x = fsm.load %out[%r] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: another iteration, or what is in front of it, may touch what 'fsm.store' in it stores
  %s = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %at = arith.muli %i, %width overflow<nsw> : i32
    %q = fsm.offset %out, %at : !fsm.ptr<i32>, i32
    fsm.store %x, %q[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %next = arith.addi %sum, %x : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// Floats are added in their order, unless the author says otherwise.
fsm.kernel @rounded(%sums: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<128xf32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: it carries what is no sum of 4 or 8 bytes{{$}}
  %s = scf.for %i = %first to %n step %step iter_args(%sum = %zeros) -> (tensor<128xf32>) : i32 {
    %x = fsm.load %in[%r] : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %most = fsm.reduce <max> %x axis 0 : tensor<128xf32> -> f32
    %mosts = fsm.splat %most : tensor<128xf32>
    %next = arith.addf %sum, %mosts : tensor<128xf32>
    scf.yield %next : tensor<128xf32>
  }
  fsm.store %s, %sums[%r] : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>
  fsm.return
}

// Products have memory and warps of which groups of them know nothing.
fsm.kernel @products(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %square = fsm.reshape %places : tensor<1024xi32> -> tensor<32x32xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: it multiplies matrices
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<32x32xf32>) : i32 {
    %x = fsm.load %a[%square] : !fsm.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %next = fsm.dot %x, %x, %sum : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %c[%square] : tensor<32x32xf32>, !fsm.ptr<f32>, tensor<32x32xi32>
  fsm.return
}

fsm.kernel @from_below(%sums: !fsm.ptr<i32>, %first: i32, %n: i32) attributes {num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: it does not count up from 0 or more in 32 bits
  %s = scf.for %i = %first to %n step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// Neighbours are a cluster that loads together.
fsm.kernel @neighbours(%sums: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32, fsm.cluster = 2 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: the cta is one of a cluster
  %s = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// A store in a branch.
fsm.kernel @branch(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %n: i32, %b: i1) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one group of warps runs all of this loop: there is 'fsm.store' in it
  %s = scf.for %i = %none to %n step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    scf.if %b {
      fsm.store %r, %out[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    }
    %next = arith.addi %sum, %r : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 2 : i32}
  fsm.store %s, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// Of a loop without exchanges one group, with what waits for its loads, is as good, and the author may say so of any.
fsm.kernel @quiet(%sums: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %s = scf.for %i = %first to %n step %step iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  }
  %t = scf.for %i = %first to %n step %step iter_args(%sum = %s) -> (tensor<128xi32>) : i32 {
    %most = fsm.reduce <max> %r axis 0 : tensor<128xi32> -> i32
    %mosts = fsm.splat %most : tensor<128xi32>
    %next = arith.addi %sum, %mosts : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = 1 : i32}
  fsm.store %t, %sums[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}
