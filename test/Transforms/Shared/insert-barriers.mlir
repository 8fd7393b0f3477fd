// Barriers stand where two accesses of different threads need one, and nowhere else.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers=remarks=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#twice = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]], cta = []>
#w1 = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#cols = #fsm.layout<register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], cta = []>

// The persistent softmax: two reductions an iteration, and no other barrier.
// CHECK-LABEL: fsm.kernel @two_reductions
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @two_reductions(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %rows: i32) attributes {num_warps = 4 : i32} {
  %pid = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %pid to %rows step %step : i32 {
    %a = arith.muli %i, %stride overflow<nsw> : i32
    %src = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
    %m = fsm.reduce <max> %x axis 0 : tensor<128xf32, #w4> -> f32
    %t = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #w4> -> f32
    %s = fsm.splat %t : tensor<128xf32, #w4>
    %dst = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %s, %dst[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// Without the promise a row may be what an earlier iteration has stored.
// CHECK-LABEL: fsm.kernel @no_promise
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.load
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
// REMARK: remark: inserts a barrier: RAW hazard of 'fsm.load' with an earlier 'fsm.store'
// REMARK: note: the earlier access is here
fsm.kernel @no_promise(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %rows: i32) attributes {num_warps = 4 : i32} {
  %pid = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %pid to %rows step %step : i32 {
    %a = arith.muli %i, %stride overflow<nsw> : i32
    %src = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
    %m = fsm.reduce <max> %x axis 0 : tensor<128xf32, #w4> -> f32
    %s = fsm.splat %m : tensor<128xf32, #w4>
    %dst = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %s, %dst[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  }
  fsm.return
}

// One warp waits as well: rows of different iterations may overlap, and a store is not ordered behind another
// lane's by being issued later.
// CHECK-LABEL: fsm.kernel @one_warp
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @one_warp(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32>, %stride: i32, %rows: i32) attributes {num_warps = 1 : i32} {
  %pid = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w1>
  scf.for %i = %pid to %rows step %step : i32 {
    %a = arith.muli %i, %stride overflow<nsw> : i32
    %src = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<128xi32, #w1> -> tensor<128xf32, #w1>
    %m = fsm.reduce <max> %x axis 0 : tensor<128xf32, #w1> -> f32
    %s = fsm.splat %m : tensor<128xf32, #w1>
    %dst = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %s, %dst[%o] : tensor<128xf32, #w1>, !fsm.ptr<f32>, tensor<128xi32, #w1>
  }
  fsm.return
}

// A single reduction meets its own reads one iteration later, where warps exchange what they have.
// CHECK-LABEL: fsm.kernel @single
// CHECK:         scf.for
// CHECK:           fsm.reduce
// CHECK:             fsm.barrier
// CHECK-NEXT:        fsm.shared_store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
// REMARK: remark: inserts a barrier: WAR hazard of 'fsm.shared_store' with an earlier 'fsm.shared_load'
fsm.kernel @single(%n: i32) attributes {num_warps = 4 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %m = fsm.reduce <max> %x axis 0 : tensor<128xi32, #w4> -> i32
  }
  fsm.return
}

// Blocks of 128 that follow one another do not overlap; those 64 apart do.
// CHECK-LABEL: fsm.kernel @blocks_in_turn
// CHECK:         scf.for
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.store
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    scf.for
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.store
fsm.kernel @blocks_in_turn(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %whole = arith.constant 128 : i32
  %half = arith.constant 64 : i32
  %r = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %zero to %n step %whole : i32 {
    %b = fsm.splat %i : tensor<128xi32, #w4>
    %o = arith.addi %b, %r : tensor<128xi32, #w4>
    %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
    fsm.store %x, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  }
  fsm.barrier
  scf.for %i = %zero to %n step %half : i32 {
    %b = fsm.splat %i : tensor<128xi32, #w4>
    %o = arith.addi %b, %r : tensor<128xi32, #w4>
    fsm.store %r, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  }
  fsm.return
}

// Each thread reads back what it has stored itself.
// CHECK-LABEL: fsm.kernel @same_thread
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @same_thread(%p: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  fsm.store %o, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.store %x, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.return
}

// Another layout is other threads.
// CHECK-LABEL: fsm.kernel @other_layout
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
fsm.kernel @other_layout(%p: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %q = fsm.range 0, 128 : tensor<128xi32, #cols>
  fsm.store %o, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  %x = fsm.load %p[%q] : !fsm.ptr<i32>, tensor<128xi32, #cols> -> tensor<128xi32, #cols>
  fsm.return
}

// One of two threads that hold an element stores it, both load it.
// CHECK-LABEL: fsm.kernel @replicas
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
fsm.kernel @replicas(%p: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #twice>
  fsm.store %o, %p[%o] : tensor<64xi32, #twice>, !fsm.ptr<i32>, tensor<64xi32, #twice>
  fsm.store %o, %p[%o] : tensor<64xi32, #twice>, !fsm.ptr<i32>, tensor<64xi32, #twice>
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<64xi32, #twice> -> tensor<64xi32, #twice>
  fsm.return
}

// All elements at one address: which thread stores last is not that of the first time.
// CHECK-LABEL: fsm.kernel @equal_offsets
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @equal_offsets(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  %o = fsm.splat %n : tensor<128xi32, #w4>
  fsm.store %o, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.store %o, %p[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.return
}

// The first thread stores scalars, all threads load them.
// CHECK-LABEL: fsm.kernel @scalars
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
// REMARK: remark: inserts a barrier: WAR hazard of 'fsm.store' with an earlier 'fsm.load'
fsm.kernel @scalars(%p: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %a = fsm.load %p : !fsm.ptr<i32> -> i32
  %b = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.store %a, %p : i32, !fsm.ptr<i32>
  fsm.store %b, %p : i32, !fsm.ptr<i32>
  %c = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.return
}

// A barrier in one branch is none on the other way.
// CHECK-LABEL: fsm.kernel @branches
// CHECK:         fsm.store
// CHECK:         fsm.barrier
// CHECK:         }
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
fsm.kernel @branches(%p: !fsm.ptr<i32>, %c: i1, %n: i32) attributes {num_warps = 4 : i32} {
  fsm.store %n, %p : i32, !fsm.ptr<i32>
  scf.if %c {
    fsm.barrier
  }
  %b = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.return
}

// A barrier in each branch is one on all ways.
// CHECK-LABEL: fsm.kernel @both_branches
// CHECK:         } else {
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:    }
// CHECK-NEXT:    {{.*}}fsm.load
fsm.kernel @both_branches(%p: !fsm.ptr<i32>, %c: i1, %n: i32) attributes {num_warps = 4 : i32} {
  fsm.store %n, %p : i32, !fsm.ptr<i32>
  scf.if %c {
    fsm.barrier
  } else {
    fsm.barrier
  }
  %b = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.return
}

// A loop that may run no iteration orders nothing; the first half of a while does.
// CHECK-LABEL: fsm.kernel @loops_between
// CHECK:         fsm.store
// CHECK:         scf.for
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    scf.while
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      scf.condition
// CHECK:           scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    {{.*}}fsm.load
fsm.kernel @loops_between(%p: !fsm.ptr<i32>, %c: i1, %n: i32) attributes {num_warps = 4 : i32} {
  fsm.store %n, %p : i32, !fsm.ptr<i32>
  scf.for %i = %n to %n step %n : i32 {
    fsm.barrier
  }
  %a = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.store %n, %p : i32, !fsm.ptr<i32>
  scf.while : () -> () {
    fsm.barrier
    scf.condition(%c)
  } do {
    scf.yield
  }
  %b = fsm.load %p : !fsm.ptr<i32> -> i32
  fsm.return
}

// Around a loop: what the scf.while stores is loaded by its next condition, and what
// an inner loop stores in its own next iteration.
// CHECK-LABEL: fsm.kernel @around
// CHECK:         scf.while
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      {{.*}}fsm.load
// CHECK-NEXT:      scf.condition
// CHECK-NEXT:    } do {
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        fsm.barrier
// CHECK-NEXT:        {{.*}}fsm.load
// CHECK-NEXT:        fsm.barrier
// CHECK-NEXT:        fsm.store
// CHECK-NEXT:      }
// CHECK-NEXT:    }
fsm.kernel @around(%p: !fsm.ptr<i1>, %q: !fsm.ptr<i1> {fsm.noalias}, %c: i1, %n: i32) attributes {num_warps = 4 : i32} {
  scf.while : () -> () {
    %a = fsm.load %p : !fsm.ptr<i1> -> i1
    scf.condition(%a)
  } do {
    fsm.store %c, %p : i1, !fsm.ptr<i1>
    scf.yield
  }
  scf.for %i = %n to %n step %n : i32 {
    scf.for %j = %n to %n step %n : i32 {
      %b = fsm.load %q : !fsm.ptr<i1> -> i1
      fsm.store %b, %q : i1, !fsm.ptr<i1>
    }
  }
  fsm.return
}

// The promise of 2 stages covers the iteration before; the barrier of this one covers
// those before that.
// CHECK-LABEL: fsm.kernel @promise
// CHECK:           {{.*}}fsm.load
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
// CHECK-NEXT:    }
fsm.kernel @promise(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.load %p : !fsm.ptr<i32> -> i32
    fsm.store %a, %p : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// A row per iteration, of n elements: rows may overlap, unless somebody promises that they
// lie apart.
// CHECK-LABEL: fsm.kernel @rows
// CHECK:         scf.for
// CHECK-NEXT:      arith.muli
// CHECK-NEXT:      fsm.offset
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.store
fsm.kernel @rows(%p: !fsm.ptr<f32>, %x: f32, %rows: i32, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %limit = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %limit : tensor<128xi32, #row>
  %v = fsm.splat %x : tensor<128xf32, #row>
  scf.for %i = %first to %rows step %step : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %q = fsm.offset %p, %at : !fsm.ptr<f32>, i32
    fsm.store %v, %q[%o], %mask : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

// CHECK-LABEL: fsm.kernel @rows_apart
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @rows_apart(%p: !fsm.ptr<f32>, %x: f32, %rows: i32, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %apart = arith.cmpi sge, %stride, %n : i32
  fsm.assume %apart
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %limit = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %limit : tensor<128xi32, #row>
  %v = fsm.splat %x : tensor<128xf32, #row>
  scf.for %i = %first to %rows step %step : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %q = fsm.offset %p, %at : !fsm.ptr<f32>, i32
    fsm.store %v, %q[%o], %mask : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

// The promise is the other way around; or the mask is of another number; or of a row that
// does not move with the loop.
// CHECK-LABEL: fsm.kernel @other_promises
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @other_promises(%p: !fsm.ptr<f32>, %x: f32, %rows: i32, %stride: i32, %other: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %apart = arith.cmpi sge, %stride, %n : i32
  fsm.assume %apart
  %inside = arith.cmpi slt, %other, %n : i32
  fsm.assume %inside
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %limit = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %limit : tensor<128xi32, #row>
  %rest = fsm.splat %rows : tensor<128xi32, #row>
  %others = arith.cmpi slt, %o, %rest : tensor<128xi32, #row>
  %v = fsm.splat %x : tensor<128xf32, #row>
  scf.for %i = %first to %rows step %step : i32 {
    %at = arith.muli %i, %other overflow<nsw> : i32
    %q = fsm.offset %p, %at : !fsm.ptr<f32>, i32
    fsm.store %v, %q[%o], %mask : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  scf.for %i = %first to %rows step %step : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %q = fsm.offset %p, %at : !fsm.ptr<f32>, i32
    fsm.store %v, %q[%o], %others : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  scf.for %i = %first to %rows step %step : i32 {
    %at = arith.muli %rows, %stride overflow<nsw> : i32
    %q = fsm.offset %p, %at : !fsm.ptr<f32>, i32
    fsm.store %v, %q[%o], %mask : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

// Two moving terms may come back: four times 2^30 is 0 in 32 bits, so that both iterations are at
// one address.
// CHECK-LABEL: fsm.kernel @comes_back
// CHECK:         scf.for
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.load
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.store
fsm.kernel @comes_back(%p: !fsm.ptr<i32>) attributes {num_warps = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 1073741824 : i32
  %end = arith.constant 2147483647 : i32
  scf.for %i = %c0 to %end step %step : i32 {
    %twice = arith.addi %i, %i : i32
    %back = arith.addi %twice, %twice : i32
    %q = fsm.offset %p, %back : !fsm.ptr<i32>, i32
    %x = fsm.load %q : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  }
  fsm.return
}
