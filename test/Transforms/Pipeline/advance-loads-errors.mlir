// Plans that cannot be: each is refused at the load, or at the loop, before anything moves.

// RUN: %fsm_opt %s --fsm-advance-loads --split-input-file --verify-diagnostics

fsm.kernel @stage(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 2 is wrong here: the loop has 2 stages, counted from 0}}
    %x = fsm.load %p {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 2 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @nowhere(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 0 is wrong here: nothing says where the elements wait}}
    %x = fsm.load %p {fsm.stage = 0 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @last(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{stage 1 is wrong here: it is the last, where no elements wait}}
    %x = fsm.load %p {fsm.buffer = #fsm.load_buffer<registers>} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

// What forbids that a load runs ahead forbids it whoever says so; schedule-loops-stay.mlir has the other reasons.
fsm.kernel @written(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    fsm.store %i, %p : i32, !fsm.ptr<i32>
    // expected-error@+1 {{stage 0 is wrong here: 'fsm.store' before it in the same iteration may write what it reads}}
    %x = fsm.load %p {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %p : i32, !fsm.ptr<i32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @later(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %at = fsm.load %p {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 1 : i32} : !fsm.ptr<i32> -> i32
    %from = fsm.offset %p, %at : !fsm.ptr<i32>, i32
    // expected-error@+1 {{stage 0 is wrong here: its address needs a load of stage 1}}
    %x = fsm.load %from {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.stages = 3 : i32}
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @ring(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<i32>, i32
    %at = fsm.load %from[%o] {fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #row> -> tensor<128xi32, #row>
    // expected-error@+1 {{stage 1 is wrong here: its address needs a load that waits in shared memory}}
    %x = fsm.load %p[%at] {fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 1 : i32} : !fsm.ptr<i32>, tensor<128xi32, #row> -> tensor<128xi32, #row>
    fsm.store %x, %q[%o] : tensor<128xi32, #row>, !fsm.ptr<i32>, tensor<128xi32, #row>
  } {fsm.stages = 3 : i32}
  fsm.return
}

// -----

fsm.kernel @carried(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error@+1 {{the loop cannot have stages: it carries a value that its body does not compute}}
  %swapped:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %x = fsm.load %p {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
    scf.yield %b, %a : i32, i32
  } {fsm.stages = 2 : i32}
  fsm.return
}
