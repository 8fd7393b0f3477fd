// A plan that was written wrongly, or that a pass has broken since, is reported where it is wrong.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-expand-loops

fsm.kernel @beyond(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-note@+1 {{the loop is here}}
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 2 is wrong here: the loop has 2 stages, counted from 0}}
    %q = fsm.offset %p, %i {fsm.stage = 2 : i32} : !fsm.ptr<f32>, i32
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @effect(%p: !fsm.ptr<f32>, %x: f32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 0 is wrong here: 'fsm.store' cannot run ahead of its iteration}}
    fsm.store %x, %p {fsm.stage = 0 : i32} : f32, !fsm.ptr<f32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @volatile(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 0 is wrong here: 'fsm.load' cannot run ahead of its iteration}}
    %x = fsm.load %p volatile {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @uses_later(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-note@+1 {{it is made here}}
    %q = fsm.offset %p, %i {fsm.stage = 1 : i32} : !fsm.ptr<f32>, i32
    // expected-error@+1 {{stage 0 is wrong here: it uses what stage 1 makes}}
    %x = fsm.load %q {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
  } {fsm.stages = 3 : i32}
  fsm.return
}

// -----

fsm.kernel @uses_later_of_the_iteration_before(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%at = %p) -> !fsm.ptr<f32> : i32 {
    // expected-error@+1 {{stage 0 is wrong here: it uses what stage 2 makes}}
    %x = fsm.load %at {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    // expected-note@+1 {{it is made here}}
    %next = fsm.offset %at, %n : !fsm.ptr<f32>, i32
    scf.yield %next : !fsm.ptr<f32>
  } {fsm.stages = 3 : i32}
  fsm.return
}

// -----

fsm.kernel @carries_no_result(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error@+1 {{it carries a value that its body does not compute}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %x = fsm.load %p {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    scf.yield %b, %a : i32, i32
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

// What is taken out of a slot comes first in its stage, with what it needs, but not with what regions in that need.
#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @slot_behind(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  // expected-error@+1 {{the loop could not be expanded into its stages}}
  scf.for %i = %zero to %n step %one : i32 {
    fsm.copy_async %p[%o] into %slots[%zero] {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 1, #own>
    fsm.copy_commit {fsm.stage = 0 : i32}
    fsm.copy_wait 0
    %k = arith.muli %i, %n : i32
    %b = arith.cmpi eq, %i, %n : i32
    // expected-error@+1 {{operation scheduled before its operands}}
    %take = scf.if %b -> i32 {
      scf.yield %k : i32
    } else {
      scf.yield %zero : i32
    }
    %x = fsm.shared_load %slots[%take] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #row>
    fsm.store %x, %p[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  fsm.return
}
