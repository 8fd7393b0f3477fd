// Loops that ctas cannot share, and why.

// RUN: split-file %s %t
// RUN: %fsm_opt %t/stay.mlir --fsm-split-loops="target=sm_90a remarks" 2>&1 | FileCheck %t/stay.mlir --implicit-check-not=fsm.sum_parts --implicit-check-not=fsm.parts
// RUN: %fsm_opt %t/spread.mlir --fsm-split-loops="target=sm_90a remarks" 2>&1 | FileCheck %t/spread.mlir
// RUN: %fsm_opt %t/spread.mlir --fsm-split-loops="target=sm_80 remarks" 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: remark: one cta runs all of this loop: sm_80 has no clusters

//--- stay.mlir
// Each float is rounded where it is added, unless the author says otherwise.
fsm.kernel @rounded(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 4 : i32
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: it carries what is no sum of 4 or 8 bytes, of extents that are powers of two
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xf32>) : i32 {
    %x = fsm.load %a[%r] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %next = arith.addf %x, %sum : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// A term that depends on the sum so far.
fsm.kernel @seen(%out: !fsm.ptr<i32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<1> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: it carries what is no sum
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %sum, %sum : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @short(%out: !fsm.ptr<i32>, %n: i16) {
  %none = arith.constant 0 : i16
  %step = arith.constant 1 : i16
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: its counter has too few bits
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i16 {
    %next = arith.addi %sum, %r : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @stored(%out: !fsm.ptr<i32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: there is 'fsm.store' in it
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<64xi32>
    fsm.store %i, %out : i32, !fsm.ptr<i32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @stored_before(%out: !fsm.ptr<i32>, %n: i32, %first: i32) {
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %n, %out : i32, !fsm.ptr<i32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: there is 'fsm.store' in front of it
  %s = scf.for %i = %step to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @begins_anywhere(%out: !fsm.ptr<i32>, %n: i32, %first: i32) {
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: its first number is no constant of 0 or more, or its step is none
  %s = scf.for %i = %first to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// A cta may still read a row while the first one has all sums and stores its result there.
fsm.kernel @in_place(%out: !fsm.ptr<i32> {fsm.noalias}, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: the kernel may write what 'fsm.load' reads, while other ctas read it
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %p = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    %x = fsm.load %p[%r] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %next = arith.addi %sum, %x : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// One element, which threads do not exchange as a block.
fsm.kernel @single(%out: !fsm.ptr<i32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<1x1xi32>
  %ones = arith.constant dense<1> : tensor<1x1xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: it carries what is no sum
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<1x1xi32>) : i32 {
    %next = arith.addi %sum, %ones : tensor<1x1xi32>
    scf.yield %next : tensor<1x1xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%zeros] : tensor<1x1xi32>, !fsm.ptr<i32>, tensor<1x1xi32>
  fsm.return
}

// Nothing to add up, though the author asks for two ctas.
fsm.kernel @no_sums(%out: !fsm.ptr<i32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  // CHECK: [[#@LINE+1]]:3: remark: one cta runs all of this loop: it carries no sums
  scf.for %i = %none to %n step %step : i32 {
    %p = fsm.offset %out, %i : !fsm.ptr<i32>, i32
  } {fsm.split = 2 : i32}
  fsm.return
}

fsm.kernel @in_a_loop(%out: !fsm.ptr<i32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  scf.for %j = %none to %n step %step : i32 {
    // CHECK: [[#@LINE+1]]:10: remark: one cta runs all of this loop: it stands in 'scf.for'
    %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
      %next = arith.addi %sum, %r : tensor<64xi32>
      scf.yield %next : tensor<64xi32>
    } {fsm.split = 2 : i32}
    fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  }
  fsm.return
}

fsm.kernel @has_ctas(%out: !fsm.ptr<i32>, %n: i32) attributes {num_ctas = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  // CHECK: [[#@LINE+1]]:8: remark: one cta runs all of this loop: the program has several ctas
  %s = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %next = arith.addi %sum, %r : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

//--- spread.mlir
// A launch of few programs: as many as the loop has iterations for, unless the author says that none do.
// CHECK: spread.mlir:19:11: remark: 2 ctas share this loop: the launch leaves room for them
// CHECK-NOT: remark
// CHECK-LABEL: fsm.kernel @known
// CHECK-SAME:    fsm.parts = 2 : i32
// CHECK-LABEL: fsm.kernel @never
// CHECK-NOT:     fsm.sum_parts
fsm.kernel @known(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.noalias}, %b: !fsm.ptr<f16> {fsm.noalias}) attributes {fsm.spread = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %end = arith.constant 1024 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %rows = fsm.range 0, 1024 : tensor<1024xi32>
  %of_a = fsm.reshape %rows : tensor<1024xi32> -> tensor<16x64xi32>
  %of_b = fsm.reshape %rows : tensor<1024xi32> -> tensor<64x16xi32>
  %out = fsm.range 0, 256 : tensor<256xi32>
  %at = fsm.reshape %out : tensor<256xi32> -> tensor<16x16xi32>
  %left = fsm.load %a[%of_a] : !fsm.ptr<f16>, tensor<16x64xi32> -> tensor<16x64xf16>
  %sums = scf.for %i = %none to %end step %step iter_args(%sum = %zeros) -> (tensor<16x16xf32>) : i32 {
    %q = fsm.offset %b, %i : !fsm.ptr<f16>, i32
    %y = fsm.load %q[%of_b] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
    %next = fsm.dot %left, %y, %sum : tensor<16x64xf16>, tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  fsm.store %sums, %c[%at] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
  fsm.return
}
fsm.kernel @never(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.noalias}, %b: !fsm.ptr<f16> {fsm.noalias}) attributes {fsm.spread = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %end = arith.constant 1024 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %rows = fsm.range 0, 1024 : tensor<1024xi32>
  %of_a = fsm.reshape %rows : tensor<1024xi32> -> tensor<16x64xi32>
  %of_b = fsm.reshape %rows : tensor<1024xi32> -> tensor<64x16xi32>
  %out = fsm.range 0, 256 : tensor<256xi32>
  %at = fsm.reshape %out : tensor<256xi32> -> tensor<16x16xi32>
  %left = fsm.load %a[%of_a] : !fsm.ptr<f16>, tensor<16x64xi32> -> tensor<16x64xf16>
  %sums = scf.for %i = %none to %end step %step iter_args(%sum = %zeros) -> (tensor<16x16xf32>) : i32 {
    %q = fsm.offset %b, %i : !fsm.ptr<f16>, i32
    %y = fsm.load %q[%of_b] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
    %next = fsm.dot %left, %y, %sum : tensor<16x64xf16>, tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  } {fsm.split = 1 : i32}
  fsm.store %sums, %c[%at] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
  fsm.return
}
