// How many ctas a multiprocessor is to hold, where the code generator is told.

// RUN: %fsm_opt %s --fsm-plan-residency | FileCheck %s
// RUN: %fsm_opt %s --fsm-plan-residency=target=sm_120 | FileCheck %s --check-prefix=SMALL

#w8 = #fsm.layout<register = [[256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]], cta = []>
#pairs = #fsm.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512], [1024]], cta = []>
#w16 = #fsm.layout<register = [[512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256]], cta = []>

// Three blocks of 32 registers a thread, around a loop: with 24 for all else two ctas of 256 threads have 128 each.
// CHECK-LABEL: fsm.kernel @carried
// CHECK-SAME:    fsm.resident_ctas = 2 : i32
fsm.kernel @carried(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #w8>
  %r = fsm.range 0, 8192 : tensor<8192xi32, #w8>
  %sums:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (tensor<8192xf32, #w8>, tensor<8192xf32, #w8>, tensor<8192xf32, #w8>) : i32 {
    %a1 = arith.addf %a, %b : tensor<8192xf32, #w8>
    %b1 = arith.mulf %b, %c : tensor<8192xf32, #w8>
    %c1_ = arith.subf %c, %a : tensor<8192xf32, #w8>
    scf.yield %a1, %b1, %c1_ : tensor<8192xf32, #w8>, tensor<8192xf32, #w8>, tensor<8192xf32, #w8>
  }
  %ab = arith.addf %sums#0, %sums#1 : tensor<8192xf32, #w8>
  %abc = arith.addf %ab, %sums#2 : tensor<8192xf32, #w8>
  fsm.store %abc, %p[%r] : tensor<8192xf32, #w8>, !fsm.ptr<f32>, tensor<8192xi32, #w8>
  fsm.return
}

// A scan's thread has four words of its own, and reads 32 of other warps: four ctas, not eight.
// CHECK-LABEL: fsm.kernel @parts
// CHECK-SAME:    fsm.resident_ctas = 4 : i32
#line = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]], cta = []>
#columns = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]], cta = []>
#own = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 0]], warp = [[1, 0], [2, 0], [4, 0]], cta = []>
#all = #fsm.layout<register = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 0]], warp = [[0, 0], [0, 0], [0, 0]], cta = []>
#memory = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]]>
fsm.kernel @parts(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %q: !fsm.ptr<f32>) attributes {num_warps = 8 : i32} {
  %r = fsm.range 0, 1024 : tensor<1024xi32, #line>
  %o = fsm.reshape %r : tensor<1024xi32, #line> -> tensor<16x64xi32, #columns>
  %x = fsm.load %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x64xi32, #columns> -> tensor<16x64xf32, #columns>
  %s = fsm.scan <sum> %x axis 0 : tensor<16x64xf32, #columns> exchange {
  ^bb0(%mine: tensor<8x64xf32, #own>):
    %shared = fsm.shared_alloc : !fsm.shared<8x64xf32, #memory>
    fsm.shared_store %mine, %shared : tensor<8x64xf32, #own>, !fsm.shared<8x64xf32, #memory>
    fsm.shared_barrier <program>
    %others = fsm.shared_load %shared : !fsm.shared<8x64xf32, #memory> -> tensor<8x64xf32, #all>
    fsm.yield %others : tensor<8x64xf32, #all>
  }
  %y = fsm.load %q[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<16x64xi32, #columns> -> tensor<16x64xf32, #columns>
  %z = arith.addf %s, %y : tensor<16x64xf32, #columns>
  fsm.store %z, %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : tensor<16x64xf32, #columns>, !fsm.ptr<f32>, tensor<16x64xi32, #columns>
  fsm.return
}

// Two blocks leave so much room that nothing need be said.
// CHECK-LABEL: fsm.kernel @roomy
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @roomy(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #w8>
  %r = fsm.range 0, 8192 : tensor<8192xi32, #w8>
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<8192xf32, #w8>, tensor<8192xf32, #w8>) : i32 {
    %a1 = arith.addf %a, %b : tensor<8192xf32, #w8>
    %b1 = arith.mulf %b, %a : tensor<8192xf32, #w8>
    scf.yield %a1, %b1 : tensor<8192xf32, #w8>, tensor<8192xf32, #w8>
  }
  %ab = arith.addf %sums#0, %sums#1 : tensor<8192xf32, #w8>
  fsm.store %ab, %p[%r] : tensor<8192xf32, #w8>, !fsm.ptr<f32>, tensor<8192xi32, #w8>
  fsm.return
}

// Two blocks of 32 elements that are loaded one by one: 16 warps have 128 registers a thread where one cta is alone, 64 where
// there are two, and the 32 words of blocks have room in these.
// CHECK-LABEL: fsm.kernel @alone
// CHECK-SAME:    fsm.resident_ctas = 2 : i32
fsm.kernel @alone(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>) attributes {num_warps = 16 : i32} {
  %r = fsm.range 0, 16384 : tensor<16384xi32, #w16>
  %x = fsm.load %p[%r] {fsm.access_width = 1 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #w16> -> tensor<16384xf16, #w16>
  %y = fsm.load %q[%r] {fsm.access_width = 1 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #w16> -> tensor<16384xf16, #w16>
  fsm.store %y, %p[%r] : tensor<16384xf16, #w16>, !fsm.ptr<f16>, tensor<16384xi32, #w16>
  fsm.store %x, %q[%r] : tensor<16384xf16, #w16>, !fsm.ptr<f16>, tensor<16384xi32, #w16>
  fsm.return
}

// By words they need half as many registers, and there is nothing to say.
// CHECK-LABEL: fsm.kernel @by_words
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @by_words(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>) attributes {num_warps = 16 : i32} {
  %r = fsm.range 0, 16384 : tensor<16384xi32, #w16>
  %x = fsm.load %p[%r] {fsm.access_width = 2 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #w16> -> tensor<16384xf16, #w16>
  %y = fsm.load %q[%r] {fsm.access_width = 2 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #w16> -> tensor<16384xf16, #w16>
  fsm.store %y, %p[%r] : tensor<16384xf16, #w16>, !fsm.ptr<f16>, tensor<16384xi32, #w16>
  fsm.store %x, %q[%r] : tensor<16384xf16, #w16>, !fsm.ptr<f16>, tensor<16384xi32, #w16>
  fsm.return
}

// Shared memory has room for two, so that each may take all registers of a half; of an sm_120 for one.
// CHECK-LABEL: fsm.kernel @shared_decides
// CHECK-SAME:    fsm.resident_ctas = 2 : i32
// SMALL-LABEL: fsm.kernel @shared_decides
// SMALL-SAME:    fsm.resident_ctas = 1 : i32
fsm.kernel @shared_decides(%p: !fsm.ptr<f32>) attributes {num_warps = 8 : i32, fsm.shared_bytes = 81920 : i32} {
  %r = fsm.range 0, 8192 : tensor<8192xi32, #w8>
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #w8>
  fsm.store %zero, %p[%r] : tensor<8192xf32, #w8>, !fsm.ptr<f32>, tensor<8192xi32, #w8>
  fsm.return
}

// For three there is room, with 80 registers a thread: of these ptxas may need more, and have two.
// CHECK-LABEL: fsm.kernel @not_forced
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @not_forced(%p: !fsm.ptr<f32>) attributes {num_warps = 8 : i32, fsm.shared_bytes = 65536 : i32} {
  %r = fsm.range 0, 8192 : tensor<8192xi32, #w8>
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #w8>
  fsm.store %zero, %p[%r] : tensor<8192xf32, #w8>, !fsm.ptr<f32>, tensor<8192xi32, #w8>
  fsm.return
}

// The author has said how many registers there are.
// CHECK-LABEL: fsm.kernel @limited
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @limited(%p: !fsm.ptr<f32>) attributes {num_warps = 8 : i32, max_registers = 64 : i32, fsm.shared_bytes = 81920 : i32} {
  fsm.return
}

// Iterations that ptxas may write out load 16 bytes of a thread: two such loads have room in 40 registers a thread, of which six ctas have as many.
// CHECK-LABEL: fsm.kernel @loads_ahead
// CHECK-SAME:    fsm.resident_ctas = 6 : i32
fsm.kernel @loads_ahead(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #pairs>
  %r = fsm.range 0, 2048 : tensor<2048xi32, #pairs>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2048xf32, #pairs>) : i32 {
    %x = fsm.load %q[%r] {fsm.access_width = 8 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #pairs> -> tensor<2048xf16, #pairs>
    %w = arith.extf %x : tensor<2048xf16, #pairs> to tensor<2048xf32, #pairs>
    %more = arith.addf %s, %w : tensor<2048xf32, #pairs>
    scf.yield %more : tensor<2048xf32, #pairs>
  } {fsm.may_unroll}
  fsm.store %sum, %p[%r] : tensor<2048xf32, #pairs>, !fsm.ptr<f32>, tensor<2048xi32, #pairs>
  fsm.return
}

// A loop whose first iteration stands in front of it often does not run.
// CHECK-LABEL: fsm.kernel @peeled
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @peeled(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #pairs>
  %r = fsm.range 0, 2048 : tensor<2048xi32, #pairs>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2048xf32, #pairs>) : i32 {
    %x = fsm.load %q[%r] {fsm.access_width = 8 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #pairs> -> tensor<2048xf16, #pairs>
    %w = arith.extf %x : tensor<2048xf16, #pairs> to tensor<2048xf32, #pairs>
    %more = arith.addf %s, %w : tensor<2048xf32, #pairs>
    scf.yield %more : tensor<2048xf32, #pairs>
  } {fsm.may_unroll, fsm.peeled}
  fsm.store %sum, %p[%r] : tensor<2048xf32, #pairs>, !fsm.ptr<f32>, tensor<2048xi32, #pairs>
  fsm.return
}

// Those of a loop that is not written out are one after the other.
// CHECK-LABEL: fsm.kernel @not_written_out
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @not_written_out(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #pairs>
  %r = fsm.range 0, 2048 : tensor<2048xi32, #pairs>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2048xf32, #pairs>) : i32 {
    %x = fsm.load %q[%r] {fsm.access_width = 8 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #pairs> -> tensor<2048xf16, #pairs>
    %w = arith.extf %x : tensor<2048xf16, #pairs> to tensor<2048xf32, #pairs>
    %more = arith.addf %s, %w : tensor<2048xf32, #pairs>
    scf.yield %more : tensor<2048xf32, #pairs>
  }
  fsm.store %sum, %p[%r] : tensor<2048xf32, #pairs>, !fsm.ptr<f32>, tensor<2048xi32, #pairs>
  fsm.return
}

// Words are computed with in the registers that they come in.
// CHECK-LABEL: fsm.kernel @of_words
// CHECK-NOT:     fsm.resident_ctas
fsm.kernel @of_words(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #pairs>
  %r = fsm.range 0, 2048 : tensor<2048xi32, #pairs>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<2048xf32, #pairs>) : i32 {
    %x = fsm.load %q[%r] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<2048xi32, #pairs> -> tensor<2048xf32, #pairs>
    %more = arith.addf %s, %x : tensor<2048xf32, #pairs>
    scf.yield %more : tensor<2048xf32, #pairs>
  } {fsm.may_unroll}
  fsm.store %sum, %p[%r] : tensor<2048xf32, #pairs>, !fsm.ptr<f32>, tensor<2048xi32, #pairs>
  fsm.return
}

// A thread waits with 32 registers of pairs, from which it computes again: with 44 for that and a store, three ctas.
// CHECK-LABEL: fsm.kernel @again
// CHECK-SAME:    fsm.resident_ctas = 3 : i32
#waiting = #fsm.layout<register = [[1], [2], [4], [2048], [4096], [8192]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512], [1024]], cta = []>
fsm.kernel @again(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>) attributes {num_warps = 8 : i32} {
  %r = fsm.range 0, 16384 : tensor<16384xi32, #waiting>
  %x = fsm.load %p[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #waiting> -> tensor<16384xf16, #waiting>
  %same = fsm.renew %x : tensor<16384xf16, #waiting>
  fsm.store %same, %q[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32} : tensor<16384xf16, #waiting>, !fsm.ptr<f16>, tensor<16384xi32, #waiting>
  fsm.return
}

// The assembler keeps nothing of what is computed from hidden words: 32 and 32 are 64 registers.
// CHECK-LABEL: fsm.kernel @hidden
// CHECK-SAME:    fsm.resident_ctas = 4 : i32
fsm.kernel @hidden(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>) attributes {num_warps = 8 : i32} {
  %r = fsm.range 0, 16384 : tensor<16384xi32, #waiting>
  %x = fsm.load %p[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32} : !fsm.ptr<f16>, tensor<16384xi32, #waiting> -> tensor<16384xf16, #waiting>
  %same = fsm.renew %x hidden : tensor<16384xf16, #waiting>
  fsm.store %same, %q[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32} : tensor<16384xf16, #waiting>, !fsm.ptr<f16>, tensor<16384xi32, #waiting>
  fsm.return
}

// The same three blocks of each of two groups of warps, which one cta has registers for, and two have not.
// CHECK-LABEL: fsm.kernel @groups
// CHECK-NOT:     fsm.resident_ctas
// CHECK:         fsm.return
fsm.kernel @groups(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32, fsm.parts = 2 : i32, fsm.parts_in_cta} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #w8>
  %r = fsm.range 0, 8192 : tensor<8192xi32, #w8>
  %sums:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (tensor<8192xf32, #w8>, tensor<8192xf32, #w8>, tensor<8192xf32, #w8>) : i32 {
    %a1 = arith.addf %a, %b : tensor<8192xf32, #w8>
    %b1 = arith.mulf %b, %c : tensor<8192xf32, #w8>
    %c1_ = arith.subf %c, %a : tensor<8192xf32, #w8>
    scf.yield %a1, %b1, %c1_ : tensor<8192xf32, #w8>, tensor<8192xf32, #w8>, tensor<8192xf32, #w8>
  }
  fsm.store %sums#0, %p[%r] : tensor<8192xf32, #w8>, !fsm.ptr<f32>, tensor<8192xi32, #w8>
  fsm.return
}
