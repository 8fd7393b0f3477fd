// What passes may do with the accesses of a kernel.

// RUN: %fsm_opt %s --canonicalize | FileCheck %s --check-prefix=DCE
// RUN: %fsm_opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: %fsm_opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM

// DCE-LABEL: @dead
// DCE-NEXT:    fsm.load %p volatile
// DCE-NEXT:    fsm.assume %c
// DCE-NEXT:    fsm.return
fsm.kernel @dead(%p: !fsm.ptr<f32>, %c: i1, %n: i32) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  %b = fsm.load %p, %c, %a : !fsm.ptr<f32> -> f32
  %v = fsm.load %p volatile : !fsm.ptr<f32> -> f32
  %i = fsm.program_id x : i32
  %h = fsm.hint %n {multiple_of = array<i64: 4>} : i32
  %o = fsm.range 0, 8 : tensor<8xi32>
  %s = fsm.reduce <sum> %o axis 0 : tensor<8xi32> -> i32
  fsm.assume %c
  fsm.return
}

// CSE-LABEL: @same_load
// CSE-COUNT-1: fsm.load
// CSE-NOT:     fsm.load
// CSE:         fsm.return
fsm.kernel @same_load(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  %b = fsm.load %p : !fsm.ptr<f32> -> f32
  %s = arith.addf %a, %b : f32
  fsm.store %s, %q : f32, !fsm.ptr<f32>
  fsm.return
}

// CSE-LABEL: @store_between
// CSE-COUNT-2: fsm.load
// CSE:         fsm.return
fsm.kernel @store_between(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  fsm.store %a, %q : f32, !fsm.ptr<f32>
  %b = fsm.load %p : !fsm.ptr<f32> -> f32
  fsm.store %b, %q : f32, !fsm.ptr<f32>
  fsm.return
}

// CSE-LABEL: @store_in_loop_between
// CSE-COUNT-2: fsm.load
// CSE:         fsm.return
fsm.kernel @store_in_loop_between(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  scf.for %i = %n to %n step %n : i32 {
    fsm.store %a, %p : f32, !fsm.ptr<f32>
  }
  %b = fsm.load %p : !fsm.ptr<f32> -> f32
  fsm.store %b, %q : f32, !fsm.ptr<f32>
  fsm.return
}

// CSE-LABEL: @volatile_loads
// CSE-COUNT-2: fsm.load
// CSE:         fsm.return
fsm.kernel @volatile_loads(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %a = fsm.load %p volatile : !fsm.ptr<f32> -> f32
  %b = fsm.load %p volatile : !fsm.ptr<f32> -> f32
  %s = arith.addf %a, %b : f32
  fsm.store %s, %q : f32, !fsm.ptr<f32>
  fsm.return
}

// CSE-LABEL: @different_hints
// CSE-COUNT-2: fsm.load
// CSE:         fsm.return
fsm.kernel @different_hints(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %a = fsm.load %p cache = cg : !fsm.ptr<f32> -> f32
  %b = fsm.load %p cache = cs : !fsm.ptr<f32> -> f32
  %s = arith.addf %a, %b : f32
  fsm.store %s, %q : f32, !fsm.ptr<f32>
  fsm.return
}

// CSE-LABEL: @pure_ops
// CSE-NEXT:    fsm.program_id x
// CSE-NEXT:    fsm.range 0, 8
// CSE-NEXT:    fsm.splat
// CSE-NEXT:    fsm.store
fsm.kernel @pure_ops(%p: !fsm.ptr<i32>) {
  %i = fsm.program_id x : i32
  %j = fsm.program_id x : i32
  %o = fsm.range 0, 8 : tensor<8xi32>
  %q = fsm.range 0, 8 : tensor<8xi32>
  %a = fsm.splat %i : tensor<8xi32>
  %b = fsm.splat %j : tensor<8xi32>
  fsm.store %b, %p[%q] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// LICM-LABEL: @loads_stay
// LICM-NEXT:    fsm.range
// LICM-NEXT:    fsm.offset
// LICM-NEXT:    scf.for
// LICM-NEXT:      fsm.load %p
// LICM-NEXT:      fsm.load %{{.*}}[%{{.*}}]
// LICM-NEXT:      fsm.store
fsm.kernel @loads_stay(%p: !fsm.ptr<f32>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
    %o = fsm.range 0, 8 : tensor<8xi32>
    %q = fsm.offset %p, %n : !fsm.ptr<f32>, i32
    %a = fsm.load %p : !fsm.ptr<f32> -> f32
    %b = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
    fsm.store %b, %p[%o] : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  }
  fsm.return
}

// A loop that only reads may run no iteration, in which its addresses are not to
// be touched.
// LICM-LABEL: @loads_are_not_speculated
// LICM-NEXT:    scf.for
// LICM-NEXT:      fsm.load
// LICM-NEXT:      scf.if
// LICM-NEXT:        fsm.load
// LICM-NEXT:        fsm.assume
fsm.kernel @loads_are_not_speculated(%p: !fsm.ptr<i1>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.load %p : !fsm.ptr<i1> -> i1
    scf.if %a {
      %b = fsm.load %p : !fsm.ptr<i1> -> i1
      fsm.assume %b
    }
  }
  fsm.return
}

// LICM-LABEL: @reductions_move
// LICM:         fsm.reduce
// LICM-NEXT:    scf.for
fsm.kernel @reductions_move(%p: !fsm.ptr<i32>, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
    %o = fsm.range 0, 8 : tensor<8xi32>
    %a = fsm.reduce <sum> %o axis 0 : tensor<8xi32> -> i32
    fsm.store %a, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// A barrier stays, and no load is taken to be the same on both sides of it.
// CSE-LABEL: @barrier_between
// CSE:         fsm.load
// CSE-NEXT:    fsm.barrier
// CSE-NEXT:    fsm.load
// DCE-LABEL: @barrier_between
// DCE:         fsm.barrier
fsm.kernel @barrier_between(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  fsm.barrier
  %b = fsm.load %p : !fsm.ptr<f32> -> f32
  %s = arith.addf %a, %b : f32
  fsm.store %s, %q : f32, !fsm.ptr<f32>
  fsm.return
}
