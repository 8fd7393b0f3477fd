// Masks that end in a row are compared from one number of the thread, where several blocks are loaded; products by wgmma whose sums are
// zero are sums by themselves; loops of multiply-adds read ahead where these take as long as reads; loops over blocks of a row count what is
// left, and make three addresses or more anew; so are those outside of loops; copies beside products by wgmma hold their offsets.

// RUN: %fsm_opt %s --fsm-plan-threads | FileCheck %s

#four = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#side = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#two = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#meet = #fsm.layout<register = [[33], [64]], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// CHECK-LABEL: @row
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.counts_left}
fsm.kernel @row(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Its indices begin at one number, and it is the other side that is larger.
// CHECK-LABEL: @further
// CHECK:         arith.cmpi sgt, %{{.*}}, %{{.*}} {fsm.counts_left}
fsm.kernel @further(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32, %first: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %begin = fsm.splat %first : tensor<128xi32, #four>
  %five = arith.constant dense<5> : tensor<128xi32, #four>
  %from = arith.addi %begin, %o overflow<nsw> : tensor<128xi32, #four>
  %at = arith.addi %from, %five overflow<nsw> : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi sgt, %ns, %at : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Two comparisons have little to keep.
// CHECK-LABEL: @short
// CHECK-NOT:     fsm.counts_left
fsm.kernel @short(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #two>
  %ns = fsm.splat %n : tensor<64xi32, #two>
  %mask = arith.cmpi slt, %o, %ns : tensor<64xi32, #two>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<64xi32, #two> -> tensor<64xf32, #two>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<64xi32, #two> -> tensor<64xf32, #two>
  %z = arith.addf %x, %y : tensor<64xf32, #two>
  fsm.store %z, %out[%o], %mask : tensor<64xf32, #two>, !fsm.ptr<f32>, tensor<64xi32, #two>
  fsm.return
}

// Neighbours that end alike are compared once, which leaves one comparison.
// CHECK-LABEL: @alike
// CHECK-NOT:     fsm.counts_left
fsm.kernel @alike(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #side>
  %c4 = arith.constant 4 : i32
  %m = arith.muli %n, %c4 overflow<nsw> : i32
  %ns = fsm.splat %m : tensor<128xi32, #side>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #side>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #side> -> tensor<128xf32, #side>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #side> -> tensor<128xf32, #side>
  %z = arith.addf %x, %y : tensor<128xf32, #side>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #side>, !fsm.ptr<f32>, tensor<128xi32, #side>
  fsm.return
}

// One block leaves registers for as many indices.
// CHECK-LABEL: @one_block
// CHECK-NOT:     fsm.counts_left
fsm.kernel @one_block(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.negf %x : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Numbers of 64 bits that were of 32 do not.
// CHECK-LABEL: @extended
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} {fsm.counts_left}
fsm.kernel @extended(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32, %first: i32) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #four>
  %wide = arith.extsi %r : tensor<128xi32, #four> to tensor<128xi64, #four>
  %begin = arith.extsi %first : i32 to i64
  %begins = fsm.splat %begin : tensor<128xi64, #four>
  %o = arith.addi %begins, %wide overflow<nsw> : tensor<128xi64, #four>
  %end = arith.extsi %n : i32 to i64
  %ns = fsm.splat %end : tensor<128xi64, #four>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi64, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi64, #four>
  fsm.return
}

// What is left in 64 bits may wrap.
// CHECK-LABEL: @long
// CHECK-NOT:     fsm.counts_left
fsm.kernel @long(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #four>
  %o = arith.extsi %r : tensor<128xi32, #four> to tensor<128xi64, #four>
  %ns = fsm.splat %n : tensor<128xi64, #four>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi64, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi64, #four>
  fsm.return
}

// A thread's index is no sum of its own and its register's part.
// CHECK-LABEL: @meeting
// CHECK-NOT:     fsm.counts_left
fsm.kernel @meeting(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #meet>
  %ns = fsm.splat %n : tensor<128xi32, #meet>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #meet>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #meet> -> tensor<128xf32, #meet>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #meet> -> tensor<128xf32, #meet>
  %z = arith.addf %x, %y : tensor<128xf32, #meet>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #meet>, !fsm.ptr<f32>, tensor<128xi32, #meet>
  fsm.return
}

#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// The second product adds to the first one's sums.
// CHECK-LABEL: @sums
// CHECK:         fsm.shared_dot %{{.*}} {fsm.from_zero, fsm.mma
// CHECK:         fsm.shared_dot %{{.*}} {fsm.mma
fsm.kernel @sums(%p: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %r = arith.constant dense<0> : tensor<64x16xi32, #sums>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %s = fsm.shared_alloc : !fsm.shared<64x32xf16, #x>
  %t = fsm.shared_alloc : !fsm.shared<32x16xf16, #y>
  %d = fsm.shared_dot %s, %t, %zeros inner 32 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x32xf16, #x>, !fsm.shared<32x16xf16, #y> -> tensor<64x16xf32, #sums>
  %e = fsm.shared_dot %s, %t, %d inner 32 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x32xf16, #x>, !fsm.shared<32x16xf16, #y> -> tensor<64x16xf32, #sums>
  fsm.store %e, %p[%r] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<64x16xf32, #sums>, !fsm.ptr<f32>, tensor<64x16xi32, #sums>
  fsm.return
}

// Copies beside products of groups of warps multiply no offsets; those in front of the loop may.
// CHECK-LABEL: @copies_beside_sums
// CHECK:         fsm.copy_async {{.*}} {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} :
// CHECK:         scf.for
// CHECK:           fsm.copy_async {{.*}} {{{.*}}fsm.offsets_held} :
#row512 = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>
#own512 = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256]]>
fsm.kernel @copies_beside_sums(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %r = arith.constant dense<0> : tensor<64x16xi32, #sums>
  %o = fsm.range 0, 512 : tensor<512xi32, #row512>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %s = fsm.shared_alloc : !fsm.shared<64x32xf16, #x>
  %t = fsm.shared_alloc : !fsm.shared<32x16xf16, #y>
  %slots = fsm.shared_alloc : !fsm.shared<512xf32 slots 4, #own512>
  fsm.copy_async %p[%o] into %slots[%c0] if %true {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<512xi32, #row512>, !fsm.shared<512xf32 slots 4, #own512>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<64x16xf32, #sums>) : i32 {
    %d = fsm.shared_dot %s, %t, %sum inner 32 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x32xf16, #x>, !fsm.shared<32x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.copy_async %p[%o] into %slots[%c0] if %true {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<512xi32, #row512>, !fsm.shared<512xf32 slots 4, #own512>
    scf.yield %d : tensor<64x16xf32, #sums>
  }
  fsm.store %sums, %out[%r] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<64x16xf32, #sums>, !fsm.ptr<f32>, tensor<64x16xi32, #sums>
  fsm.return
}

#many = #fsm.layout<register = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], lane = [[0, 4], [0, 8], [0, 16], [8, 0], [16, 0]], warp = [], cta = []>
#half = #fsm.layout<register = [[0, 1], [0, 2], [1, 0], [2, 0]], lane = [[0, 4], [0, 8], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>

// Four reads of vectors of the right factor, 32 multiply-adds behind each.
// CHECK-LABEL: @steps
// CHECK:         } {fsm.read_ahead}
fsm.kernel @steps(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = arith.constant dense<0> : tensor<32x32xi32, #many>
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32, #many>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<4x32xf32 pitch 36>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<32x32xf32, #many>) : i32 {
    %d = fsm.shared_dot %a, %b, %sum inner 4 : !fsm.shared<32x4xf32 pitch 4>, !fsm.shared<4x32xf32 pitch 36> -> tensor<32x32xf32, #many>
    scf.yield %d : tensor<32x32xf32, #many>
  }
  fsm.store %sums, %out[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<32x32xf32, #many>, !fsm.ptr<f32>, tensor<32x32xi32, #many>
  fsm.return
}

// Three of them.
// CHECK-LABEL: @three_steps
// CHECK-NOT:     fsm.read_ahead
fsm.kernel @three_steps(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = arith.constant dense<0> : tensor<32x32xi32, #many>
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32, #many>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<4x32xf32 pitch 36>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<32x32xf32, #many>) : i32 {
    %d = fsm.shared_dot %a, %b, %sum inner 3 : !fsm.shared<32x4xf32 pitch 4>, !fsm.shared<4x32xf32 pitch 36> -> tensor<32x32xf32, #many>
    scf.yield %d : tensor<32x32xf32, #many>
  }
  fsm.store %sums, %out[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<32x32xf32, #many>, !fsm.ptr<f32>, tensor<32x32xi32, #many>
  fsm.return
}

// Half as many multiply-adds.
// CHECK-LABEL: @few_sums
// CHECK-NOT:     fsm.read_ahead
fsm.kernel @few_sums(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = arith.constant dense<0> : tensor<32x16xi32, #half>
  %zeros = arith.constant dense<0.0> : tensor<32x16xf32, #half>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<4x16xf32 pitch 20>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<32x16xf32, #half>) : i32 {
    %d = fsm.shared_dot %a, %b, %sum inner 4 : !fsm.shared<32x4xf32 pitch 4>, !fsm.shared<4x16xf32 pitch 20> -> tensor<32x16xf32, #half>
    scf.yield %d : tensor<32x16xf32, #half>
  }
  fsm.store %sums, %out[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<32x16xf32, #half>, !fsm.ptr<f32>, tensor<32x16xi32, #half>
  fsm.return
}

// Of both factors vectors of steps: four lines of the right one, 32 multiply-adds with each.
// CHECK-LABEL: @lines
// CHECK:         } {fsm.read_ahead}
fsm.kernel @lines(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = arith.constant dense<0> : tensor<32x32xi32, #many>
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32, #many>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<32x32xf32, #many>) : i32 {
    %d = fsm.shared_dot %a, %b, %sum inner 4 {right_transposed} : !fsm.shared<32x4xf32 pitch 4>, !fsm.shared<32x4xf32 pitch 4> -> tensor<32x32xf32, #many>
    scf.yield %d : tensor<32x32xf32, #many>
  }
  fsm.store %sums, %out[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<32x32xf32, #many>, !fsm.ptr<f32>, tensor<32x32xi32, #many>
  fsm.return
}

// Half as many multiply-adds.
// CHECK-LABEL: @few_lines
// CHECK-NOT:     fsm.read_ahead
fsm.kernel @few_lines(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = arith.constant dense<0> : tensor<32x16xi32, #half>
  %zeros = arith.constant dense<0.0> : tensor<32x16xf32, #half>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = fsm.shared_alloc : !fsm.shared<32x4xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<16x4xf32 pitch 4>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<32x16xf32, #half>) : i32 {
    %d = fsm.shared_dot %a, %b, %sum inner 4 {right_transposed} : !fsm.shared<32x4xf32 pitch 4>, !fsm.shared<16x4xf32 pitch 4> -> tensor<32x16xf32, #half>
    scf.yield %d : tensor<32x16xf32, #half>
  }
  fsm.store %sums, %out[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<32x16xf32, #half>, !fsm.ptr<f32>, tensor<32x16xi32, #half>
  fsm.return
}

// Three accesses go with the counter.
// CHECK-LABEL: @blocks
// CHECK-COUNT-2:   fsm.load {{.*}} {fsm.offset_at_once}
// CHECK:           fsm.store {{.*}} {fsm.offset_at_once}
// CHECK-NEXT:    } {fsm.counts_left}
fsm.kernel @blocks(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %z = arith.addf %x, %y : tensor<128xf32, #four>
    fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  }
  fsm.return
}

// Two pointers are carried, and what is counted is no matter.
// CHECK-LABEL: @two
// CHECK-NOT:     fsm.offset_at_once
// CHECK-NOT:     fsm.counts_left
fsm.kernel @two(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    fsm.store %x, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  }
  fsm.return
}

// Pointers of a loop that ptxas may write out differ by immediates.
// CHECK-LABEL: fsm.kernel @written_out
// CHECK-NOT:     fsm.offset_at_once
// CHECK:         } {fsm.counts_left, fsm.may_unroll}
fsm.kernel @written_out(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %z = arith.addf %x, %y : tensor<128xf32, #four>
    fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  } {fsm.may_unroll}
  fsm.return
}

// A loop that stores at its counter's square goes over no blocks.
// CHECK-LABEL: @no_blocks
// CHECK-NOT:     fsm.counts_left
fsm.kernel @no_blocks(%out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %square = arith.muli %number, %number : i32
    %at = fsm.offset %out, %square : !fsm.ptr<i32>, i32
    fsm.store %number, %at : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// What begins elsewhere, goes by a step that is not known, or needs 64 bits in an iteration, is counted as it is.
// CHECK-LABEL: @from_five
// CHECK-NOT:     fsm.counts_left
fsm.kernel @from_five(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %five to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %z = arith.addf %x, %y : tensor<128xf32, #four>
    fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  }
  fsm.return
}

// CHECK-LABEL: @any_step
// CHECK-NOT:     fsm.counts_left
fsm.kernel @any_step(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %zero to %end step %wide : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %z = arith.addf %x, %y : tensor<128xf32, #four>
    fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  }
  fsm.return
}

// CHECK-LABEL: @long_counter
// CHECK-NOT:     fsm.counts_left
fsm.kernel @long_counter(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32, %wide: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    fsm.print "i" %i : i64
    %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
    %z = arith.addf %x, %y : tensor<128xf32, #four>
    fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  }
  fsm.return
}

// Words that are shifted are loaded around stores where nothing stores to them, unless the author says how they are cached.
// CHECK-LABEL: @weights
// CHECK:         fsm.load %w[{{.*}} {{{.*}}fsm.any_start, fsm.non_coherent} :
// CHECK:         fsm.load %w[{{.*}} cache = cg {{{.*}}fsm.any_start} :
// CHECK:         fsm.load %w[{{.*}} {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} :
// CHECK:         fsm.load %out[{{.*}} {{{.*}}fsm.any_start} :
fsm.kernel @weights(%out: !fsm.ptr<f16>, %w: !fsm.ptr<f16> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #four>
  %a = fsm.load %w[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.any_start} : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %b = fsm.load %w[%r] cache = cg {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.any_start} : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %c = fsm.load %w[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %d = fsm.load %out[%r] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.any_start} : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %ab = arith.addf %a, %b : tensor<128xf16, #four>
  %cd = arith.addf %c, %d : tensor<128xf16, #four>
  %sum = arith.addf %ab, %cd : tensor<128xf16, #four>
  fsm.store %sum, %out[%r] : tensor<128xf16, #four>, !fsm.ptr<f16>, tensor<128xi32, #four>
  fsm.return
}

// So are blocks of which a hint says what the L1 cache keeps.
// CHECK-LABEL: @hinted
// CHECK:         fsm.load %in[{{.*}} evict = first {{{.*}}fsm.non_coherent} :
// CHECK:         fsm.load %in[{{.*}} evict = unkept {{{.*}}fsm.non_coherent} :
// CHECK:         fsm.load %out[{{.*}} evict = first {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} :
fsm.kernel @hinted(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #side>
  %a = fsm.load %in[%r] evict = first {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #side> -> tensor<128xf32, #side>
  %b = fsm.load %in[%r] evict = unkept {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #side> -> tensor<128xf32, #side>
  %d = fsm.load %out[%r] evict = first {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #side> -> tensor<128xf32, #side>
  %ab = arith.addf %a, %b : tensor<128xf32, #side>
  %sum = arith.addf %ab, %d : tensor<128xf32, #side>
  fsm.store %sum, %out[%r] : tensor<128xf32, #side>, !fsm.ptr<f32>, tensor<128xi32, #side>
  fsm.return
}

// Maps that are made on one condition share the release of the last one; others have their own.
// CHECK-LABEL: @maps
// CHECK:         fsm.own_tensor_map %{{.*}} if %{{.*}} {fsm.released_later, slots = 3 : i32}
// CHECK:         fsm.own_tensor_map %{{.*}} if %{{.*}} {fsm.released_later, slots = 4 : i32}
// CHECK:         fsm.own_tensor_map %{{.*}} if %{{.*}} {slots = 5 : i32}
// CHECK:         fsm.own_tensor_map %{{.*}} if %{{.*}} {slots = 6 : i32}
// CHECK:         fsm.own_tensor_map %{{.*}} if %{{.*}} {slots = 7 : i32}
fsm.kernel @maps(%p: !fsm.ptr<f16>, %m: i32, %new: i1, %other: i1) attributes {num_warps = 1 : i32} {
  %a = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %new {slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %n = arith.muli %m, %m : i32
  %b = fsm.own_tensor_map %p sizes [%m, %n] strides [%n] if %new {slots = 4 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %c = fsm.own_tensor_map %p sizes [%n, %n] strides [%n] if %new {slots = 5 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %d = fsm.own_tensor_map %p sizes [%n, %n] strides [%n] if %other {slots = 6 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.barrier
  %e = fsm.own_tensor_map %p sizes [%n, %n] strides [%n] if %other {slots = 7 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// A block's own offsets and a scalar times a number, outside of loops: one sum for both.
// CHECK-LABEL: @blocks_alone
// CHECK-COUNT-2:   fsm.load {{.*}} {fsm.offset_at_once}
// CHECK:           fsm.store {{.*}} {fsm.offset_at_once}
fsm.kernel @blocks_alone(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  %extent = arith.constant 128 : i32
  %pid = fsm.program_id x : i32
  %first = arith.muli %pid, %extent overflow<nsw> : i32
  %starts = fsm.splat %first : tensor<128xi32, #four>
  %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
  %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = fsm.load %py[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%offs] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Where the sum may wrap, the numbers are added in 64 bits; indices alone are no sum.
// CHECK-LABEL: @blocks_that_may_wrap
// CHECK-NOT:     fsm.offset_at_once
fsm.kernel @blocks_that_may_wrap(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %first: i32) attributes {num_warps = 1 : i32} {
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  %starts = fsm.splat %first : tensor<128xi32, #four>
  %offs = arith.addi %starts, %range : tensor<128xi32, #four>
  %x = fsm.load %px[%offs] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  fsm.store %x, %out[%range] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Of neighbours that a thread has side by side, and whose row is a multiple of 16 long, one quotient is computed, and one remainder, which
// the others follow. Not of neighbours a warp apart, and not where the length is any.
// CHECK-LABEL: @rows_of_places
// CHECK:         arith.divsi {{.*}} {fsm.groups = array<i64: 16>}
// CHECK:         arith.remsi {{.*}} {fsm.groups = array<i64: -16>}
// CHECK-NOT:     fsm.groups
#side_by_side = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @rows_of_places(%out: !fsm.ptr<i32>, %length: i32 {fsm.divisible = 16 : i32}, %any: i32) attributes {num_warps = 1 : i32} {
  %place = fsm.range 0, 256 : tensor<256xi32, #side_by_side>
  %lengths = fsm.splat %length : tensor<256xi32, #side_by_side>
  %row = arith.divsi %place, %lengths : tensor<256xi32, #side_by_side>
  %column = arith.remsi %place, %lengths : tensor<256xi32, #side_by_side>
  fsm.store %row, %out[%column] : tensor<256xi32, #side_by_side>, !fsm.ptr<i32>, tensor<256xi32, #side_by_side>
  %anys = fsm.splat %any : tensor<256xi32, #side_by_side>
  %other = arith.divsi %place, %anys : tensor<256xi32, #side_by_side>
  fsm.store %other, %out[%place] : tensor<256xi32, #side_by_side>, !fsm.ptr<i32>, tensor<256xi32, #side_by_side>
  %apart = fsm.range 0, 128 : tensor<128xi32, #four>
  %more = fsm.splat %length : tensor<128xi32, #four>
  %far = arith.divsi %apart, %more : tensor<128xi32, #four>
  fsm.store %far, %out[%apart] : tensor<128xi32, #four>, !fsm.ptr<i32>, tensor<128xi32, #four>
  fsm.return
}

// A thread has its own positions in their order: what comparing them says, whichever is on the left, is known. Not of what
// does not increase, nor of what a region adds up.
// CHECK-LABEL: @positions
// CHECK:         arith.cmpi slt, {{.*}} {fsm.in_order = 1 : i32}
// CHECK:         arith.cmpi sle, {{.*}} {fsm.in_order = 0 : i32}
// CHECK:         arith.cmpi ne, {{.*}} {fsm.in_order = 1 : i32}
// CHECK-NOT:     fsm.in_order
fsm.kernel @positions(%out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %place = fsm.range 0, 128 : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %x = arith.remsi %place, %ns : tensor<128xi32, #four>
  %fall = arith.subi %ns, %place : tensor<128xi32, #four>
  %r:4 = fsm.reduce_with %x, %place, %place, %fall axis 0 : tensor<128xi32, #four>, tensor<128xi32, #four>, tensor<128xi32, #four>, tensor<128xi32, #four> -> i32, i32, i32, i32 {
  ^bb0(%a: i32, %i: i32, %s: i32, %k: i32, %b: i32, %j: i32, %t: i32, %l: i32):
    %earlier = arith.cmpi slt, %i, %j : i32
    %later = arith.cmpi sle, %j, %i : i32
    %other = arith.cmpi ne, %j, %i : i32
    %least = arith.cmpi slt, %a, %b : i32
    %summed = arith.cmpi slt, %s, %t : i32
    %falls = arith.cmpi slt, %k, %l : i32
    %mixed = arith.cmpi slt, %i, %b : i32
    %c0 = arith.ori %earlier, %later : i1
    %c1 = arith.andi %c0, %other : i1
    %c2 = arith.xori %c1, %least : i1
    %c3 = arith.xori %c2, %summed : i1
    %c4 = arith.xori %c3, %falls : i1
    %c5 = arith.xori %c4, %mixed : i1
    %v = arith.select %c5, %a, %b : i32
    %w = arith.select %c5, %i, %j : i32
    %sum = arith.addi %s, %t : i32
    %u = arith.select %c5, %k, %l : i32
    fsm.yield %v, %w, %sum, %u : i32, i32, i32, i32
  }
  fsm.store %r#1, %out : i32, !fsm.ptr<i32>
  fsm.return
}
