// Whether a loop comes back to an address, by how its numbers move. All threads load a number, which waits for nobody; the
// first one stores it behind the barrier for that. A second barrier, in front of the load, stands where an iteration may
// load what an earlier one has stored.

// RUN: %fsm_opt %s --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// What is narrowed without a loss moves as before; else the counter passes 2^32.
// CHECK-LABEL: fsm.kernel @narrowed
// CHECK:         scf.for
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK:         fsm.return
fsm.kernel @narrowed(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}, %n: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.trunci %i overflow<nsw> : i64 to i32
    %to = fsm.offset %p, %k : !fsm.ptr<f32>, i32
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.trunci %i : i64 to i32
    %to = fsm.offset %q, %k : !fsm.ptr<f32>, i32
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  fsm.return
}

// There is a program at least, so that its multiples are others each time; of %s nobody knows.
// CHECK-LABEL: fsm.kernel @multiples
// CHECK:         scf.for
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK:         fsm.return
fsm.kernel @multiples(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}, %n: i64, %s: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %all = fsm.num_programs x : i32
  %step = arith.extsi %all : i32 to i64
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.muli %i, %step overflow<nsw> : i64
    %to = fsm.offset %p, %k : !fsm.ptr<f32>, i64
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.muli %i, %s overflow<nsw> : i64
    %to = fsm.offset %q, %k : !fsm.ptr<f32>, i64
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  fsm.return
}

// Four times 2^30 is 0 in 32 bits, unless somebody knows that the product does not wrap.
// CHECK-LABEL: fsm.kernel @products
// CHECK:         scf.for
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK:           fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK:         fsm.return
fsm.kernel @products(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %factor = arith.constant 1073741824 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %k = arith.muli %i, %factor overflow<nsw> : i32
    %to = fsm.offset %p, %k : !fsm.ptr<f32>, i32
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  scf.for %i = %zero to %n step %one : i32 {
    %k = arith.muli %i, %factor : i32
    %to = fsm.offset %q, %k : !fsm.ptr<f32>, i32
    %x = fsm.load %to : !fsm.ptr<f32> -> f32
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  }
  fsm.return
}

// The first iteration stands in front of the loop, which begins behind what that has stored; or in the middle of it.
// CHECK-LABEL: fsm.kernel @behind_the_first
// CHECK:         fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         scf.for
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.store
// CHECK:         }
// CHECK:         fsm.barrier
// CHECK:         fsm.store
// CHECK:         scf.for
// CHECK-NEXT:      fsm.splat
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
fsm.kernel @behind_the_first(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  %middle = arith.constant 64 : i32
  %whole = arith.constant 128 : i32
  %r = fsm.range 0, 128 : tensor<128xi32, #w4>
  fsm.store %r, %p[%r] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  scf.for %i = %whole to %n step %whole : i32 {
    %b = fsm.splat %i : tensor<128xi32, #w4>
    %o = arith.addi %b, %r overflow<nsw> : tensor<128xi32, #w4>
    fsm.store %r, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  }
  fsm.barrier
  fsm.store %r, %p[%r] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  scf.for %i = %middle to %n step %whole : i32 {
    %b = fsm.splat %i : tensor<128xi32, #w4>
    %o = arith.addi %b, %r overflow<nsw> : tensor<128xi32, #w4>
    fsm.store %r, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  }
  fsm.return
}

// Counted without a sign, what is behind the first iteration may pass into the numbers below 0.
// CHECK-LABEL: fsm.kernel @without_a_sign
// CHECK:         fsm.store
// CHECK:         fsm.barrier
// CHECK:         fsm.load
fsm.kernel @without_a_sign(%p: !fsm.ptr<i32>, %n: i8) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %behind = arith.constant dense<128> : tensor<128xi32, #w4>
  %r = fsm.range 0, 128 : tensor<128xi32, #w4>
  fsm.store %r, %p[%r] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  %last = scf.for unsigned %i = %zero to %n step %one iter_args(%before = %r) -> (tensor<128xi32, #w4>) : i8 {
    %w = arith.extsi %i : i8 to i32
    %b = fsm.splat %w : tensor<128xi32, #w4>
    %o = arith.addi %b, %r overflow<nsw> : tensor<128xi32, #w4>
    %at = arith.addi %o, %behind overflow<nsw> : tensor<128xi32, #w4>
    %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
    %y = arith.addi %x, %before : tensor<128xi32, #w4>
    scf.yield %y : tensor<128xi32, #w4>
  }
  fsm.print "last" %last : tensor<128xi32, #w4>
  fsm.return
}

// Iterations of a loop that is written out store side by side, the first one and the last one in either order; or to the same elements.
// CHECK-LABEL: fsm.kernel @written_out
// CHECK:         fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.print
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @written_out(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #w4>
  %whole = arith.constant dense<128> : tensor<128xi32, #w4>
  %most = arith.constant dense<127> : tensor<128xi32, #w4>
  %second = arith.addi %r, %whole overflow<nsw> : tensor<128xi32, #w4>
  %early = arith.addi %r, %most overflow<nsw> : tensor<128xi32, #w4>
  fsm.store %r, %p[%second] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.store %r, %p[%r] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.print "n" %n : i32
  fsm.barrier
  fsm.store %r, %q[%r] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.store %r, %q[%early] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.return
}
