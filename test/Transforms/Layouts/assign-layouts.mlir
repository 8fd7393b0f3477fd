// Which thread holds which element. The layouts in the comments are worked out by hand.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps,fsm-assign-layouts),cse)' \
// RUN:   --mlir-print-local-scope > %t
// RUN: FileCheck %s < %t
// Every conversion has a remark; there are four in this file.
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps,fsm-assign-layouts{remarks=true}))' \
// RUN:   -o %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// Whoever assigns twice gets the same again.
// RUN: %fsm_opt %t --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts),cse)' --mlir-print-local-scope | diff %t -

!v = tensor<1024xf32>
!vi = tensor<1024xi32>

// An aligned pointer: 16 bytes an access, and 32 lanes have 128 consecutive elements.
// CHECK-LABEL: fsm.kernel @wide(
// CHECK:         fsm.load {{.*}}access_dim = 0 : i32, fsm.access_width = 4 : i32
// CHECK-SAME{LITERAL}:      -> tensor<1024xf32, #fsm.layout<register = [[1], [2], [128], [256], [512]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>>
fsm.kernel @wide(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %p[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// Of the other pointer nothing is known: single elements, consecutive lanes.
// CHECK-LABEL: fsm.kernel @narrow(
// CHECK:         fsm.load {{.*}}fsm.access_width = 1 : i32
// CHECK-SAME{LITERAL}:      -> tensor<1024xf32, #fsm.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>
fsm.kernel @narrow(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %p[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// 8 bytes of alignment: two elements. Warps follow the lanes.
// CHECK-LABEL: fsm.kernel @half_wide(
// CHECK:         fsm.load {{.*}}fsm.access_width = 2 : i32
// CHECK-SAME{LITERAL}:      register = [[1], [256], [512]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]
fsm.kernel @half_wide(%p: !fsm.ptr<f32> {fsm.align = 8 : i32}) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %p[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// A mask up to a multiple of 16 admits vectors.
// CHECK-LABEL: fsm.kernel @masked(
// CHECK:         fsm.load {{.*}}fsm.access_width = 4 : i32
// CHECK:         fsm.store {{.*}}fsm.access_width = 4 : i32
fsm.kernel @masked(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %m: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %ms = fsm.splat %m : !vi
  %below = arith.cmpi slt, %o, %ms : !vi
  %x = fsm.load %p[%o], %below : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %p[%o], %below : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// A mask up to a number that nobody knows admits none. The load follows: were a thread's
// four elements neighbours, the store would touch each line four times.
// CHECK-LABEL: fsm.kernel @masked_unknown(
// CHECK:         fsm.load {{.*}}fsm.access_width = 1 : i32
// CHECK:         fsm.store {{.*}}fsm.access_width = 1 : i32
fsm.kernel @masked_unknown(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %ns = fsm.splat %n : !vi
  %below = arith.cmpi slt, %o, %ns : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %p[%o], %below : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// 64 elements are two for each lane, though the pointer would allow four: none is idle.
// CHECK-LABEL: fsm.kernel @nobody_idle(
// CHECK:         fsm.load {{.*}}fsm.access_width = 2 : i32
// CHECK-SAME{LITERAL}:      register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []
fsm.kernel @nobody_idle(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %x, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// 781 is odd: a vector of two would reach beyond the block. 780 is a multiple of 4.
// CHECK-LABEL: fsm.kernel @odd(
// CHECK:         fsm.load {{.*}}fsm.access_width = 1 : i32{{.*}} -> tensor<781xf32
// CHECK:         fsm.load {{.*}}fsm.access_width = 4 : i32{{.*}} -> tensor<780xf32
fsm.kernel @odd(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 781 : tensor<781xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<781xi32> -> tensor<781xf32>
  fsm.store %x, %p[%o] : tensor<781xf32>, !fsm.ptr<f32>, tensor<781xi32>
  %o2 = fsm.range 0, 780 : tensor<780xi32>
  %x2 = fsm.load %p[%o2] : !fsm.ptr<f32>, tensor<780xi32> -> tensor<780xf32>
  fsm.store %x2, %p[%o2] : tensor<780xf32>, !fsm.ptr<f32>, tensor<780xi32>
  fsm.return
}

// Two bytes and four bytes in one kernel: vectors of 4 are 8 bytes of the one and 16 of the
// other. Vectors of 8 would split each line of the wider one between two instructions.
// CHECK-LABEL: fsm.kernel @mixed(
// CHECK:         fsm.load {{.*}}fsm.access_width = 4 : i32
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_width = 4 : i32
fsm.kernel @mixed(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, !vi -> tensor<1024xf16>
  %y = arith.extf %x : tensor<1024xf16> to !v
  fsm.store %y, %q[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// Two bytes alone: 8 of them.
// CHECK-LABEL: fsm.kernel @halves(
// CHECK:         fsm.load {{.*}}fsm.access_width = 8 : i32
fsm.kernel @halves(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, !vi -> tensor<1024xf16>
  fsm.store %x, %p[%o] : tensor<1024xf16>, !fsm.ptr<f16>, !vi
  fsm.return
}

// Offsets of 64 bits; a mask and a hint are computed where they are wanted.
// CHECK-LABEL: fsm.kernel @long_offsets(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.load {{.*}}fsm.access_width = 4 : i32{{.*}} tensor<1024xi64, #fsm.layout<register = {{\[\[}}1], [2], [128]
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @long_offsets(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %row: i64 {fsm.divisible = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %w = arith.extsi %o : !vi to tensor<1024xi64>
  %r = fsm.splat %row : tensor<1024xi64>
  %a = arith.addi %w, %r : tensor<1024xi64>
  %x = fsm.load %p[%a] : !fsm.ptr<f32>, tensor<1024xi64> -> !v
  fsm.store %x, %p[%a] : !v, !fsm.ptr<f32>, tensor<1024xi64>
  fsm.return
}

// Loaded offsets have a home: what they lead to is read there, and nothing is moved.
// CHECK-LABEL: fsm.kernel @gather(
// CHECK:         fsm.load %p{{.*}} -> tensor<1024xi32, #[[HOME:.*]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.load %q{{.*}}fsm.access_width = 1 : i32{{.*}} -> tensor<1024xf32, #[[HOME]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_width = 4 : i32
fsm.kernel @gather(%p: !fsm.ptr<i32> {fsm.align = 16 : i32}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %i = fsm.load %p[%o] : !fsm.ptr<i32>, !vi -> !vi
  %x = fsm.load %q[%i] : !fsm.ptr<f32>, !vi -> !v
  fsm.store %x, %q[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

!t = tensor<64x64xf32>
!ti = tensor<64x64xi32>

// By rows and by columns: each load has whole lines, and one conversion brings them together
// in the layout of the store. Both kinds of offsets are computed where they are used.
// CHECK-LABEL: fsm.kernel @across(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         %[[A:.*]] = fsm.load %a{{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32
// CHECK-SAME{LITERAL}:      register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]
// CHECK:         %[[B:.*]] = fsm.load %b{{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32
// CHECK-SAME{LITERAL}:      register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]]
// CHECK-NEXT:    %[[C:.*]] = fsm.convert_layout %[[B]]
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[A]], %[[C]]
// CHECK-NEXT:    fsm.store %[[S]]{{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32
// REMARK-NOT:    remark:
// REMARK:        [[#@LINE+15]]:{{.*}} remark: moves to the layout in which 'arith.addf' takes it; shared memory: 16384 bytes
// REMARK:        :[[#@LINE+15]]:{{.*}} note: taken here
// REMARK-NOT:    remark:
fsm.kernel @across(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %b: !fsm.ptr<f32> {fsm.align = 16 : i32}, %s: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %c = fsm.splat %s : !ti
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %is = arith.muli %i, %c overflow<nsw> : !ti
  %js = arith.muli %j, %c overflow<nsw> : !ti
  %rows = arith.addi %is, %j overflow<nsw> : !ti
  %columns = arith.addi %js, %i overflow<nsw> : !ti
  %x = fsm.load %a[%rows] : !fsm.ptr<f32>, !ti -> !t
  %y = fsm.load %b[%columns] : !fsm.ptr<f32>, !ti -> !t
  %z = arith.addf %x, %y : !t
  fsm.store %z, %a[%rows] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// Columns with a stride of 1 along dimension 0 under a mask that nobody knows: no vectors,
// but the lanes still follow the addresses.
// CHECK-LABEL: fsm.kernel @masked_columns(
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32
// CHECK-SAME{LITERAL}:      lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]
fsm.kernel @masked_columns(%p: !fsm.ptr<f32>, %si: i32 {fsm.equal_to = 1 : i32}, %sj: i32, %n: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %cj = fsm.splat %sj : !ti
  %ci = fsm.splat %si : !ti
  %is = arith.muli %i, %ci overflow<nsw> : !ti
  %js = arith.muli %j, %cj overflow<nsw> : !ti
  %o = arith.addi %js, %is overflow<nsw> : !ti
  %ns = fsm.splat %n : !ti
  %m = arith.cmpi slt, %i, %ns : !ti
  %x = fsm.load %p[%o], %m : !fsm.ptr<f32>, !ti -> !t
  fsm.store %x, %p[%o], %m : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// The same where sums may wrap, so that nothing is certain: the lanes follow what the offsets
// look like.
// CHECK-LABEL: fsm.kernel @uncertain_columns(
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32
// CHECK-SAME{LITERAL}:      lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]
fsm.kernel @uncertain_columns(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %sj: i32, %at: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %ats = fsm.splat %at : tensor<64xi32>
  %ri = arith.addi %r, %ats : tensor<64xi32>
  %i1 = fsm.expand_dims %ri axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %cj = fsm.splat %sj : !ti
  %js = arith.muli %j, %cj : !ti
  %o = arith.addi %js, %i : !ti
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !ti -> !t
  fsm.store %x, %p[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

!w = tensor<16x256xf32>
!wi = tensor<16x256xi32>

// A row's maximum goes back to the row; the weights are read where they meet the rows. No
// conversion anywhere.
// CHECK-LABEL: fsm.kernel @rows(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.load %a{{.*}} -> tensor<16x256xf32, #[[ROWS:.*]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.load %w{{.*}} -> tensor<256xf32, #[[COLUMNS:.*]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store {{.*}}#[[ROWS]]>
fsm.kernel @rows(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w: !fsm.ptr<f32> {fsm.align = 16 : i32}, %s: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 16 : tensor<16xi32>
  %q = fsm.range 0, 256 : tensor<256xi32>
  %i1 = fsm.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = fsm.expand_dims %q axis 0 : tensor<256xi32> -> tensor<1x256xi32>
  %i = fsm.broadcast %i1 : tensor<16x1xi32> -> !wi
  %j = fsm.broadcast %j1 : tensor<1x256xi32> -> !wi
  %c = fsm.splat %s : !wi
  %is = arith.muli %i, %c overflow<nsw> : !wi
  %o = arith.addi %is, %j overflow<nsw> : !wi
  %x = fsm.load %a[%o] : !fsm.ptr<f32>, !wi -> !w
  %m = fsm.reduce <max> %x axis 1 : !w -> tensor<16xf32>
  %m1 = fsm.expand_dims %m axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %mb = fsm.broadcast %m1 : tensor<16x1xf32> -> !w
  %d = arith.subf %x, %mb : !w
  %k = fsm.load %w[%q] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %k1 = fsm.expand_dims %k axis 0 : tensor<256xf32> -> tensor<1x256xf32>
  %kb = fsm.broadcast %k1 : tensor<1x256xf32> -> !w
  %z = arith.mulf %d, %kb : !w
  fsm.store %z, %a[%o] : !w, !fsm.ptr<f32>, !wi
  fsm.return
}

// The weights in two bytes, widened before they meet the rows: the load moves through the
// extension.
// CHECK-LABEL: fsm.kernel @narrow_weights(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @narrow_weights(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 16 : tensor<16xi32>
  %q = fsm.range 0, 256 : tensor<256xi32>
  %i1 = fsm.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = fsm.expand_dims %q axis 0 : tensor<256xi32> -> tensor<1x256xi32>
  %i = fsm.broadcast %i1 : tensor<16x1xi32> -> !wi
  %j = fsm.broadcast %j1 : tensor<1x256xi32> -> !wi
  %c = arith.constant dense<256> : !wi
  %is = arith.muli %i, %c overflow<nsw> : !wi
  %o = arith.addi %is, %j overflow<nsw> : !wi
  %x = fsm.load %a[%o] : !fsm.ptr<f32>, !wi -> !w
  %h = fsm.load %w[%q] : !fsm.ptr<f16>, tensor<256xi32> -> tensor<256xf16>
  %k = arith.extf %h : tensor<256xf16> to tensor<256xf32>
  %k1 = fsm.expand_dims %k axis 0 : tensor<256xf32> -> tensor<1x256xf32>
  %kb = fsm.broadcast %k1 : tensor<1x256xf32> -> !w
  %z = arith.mulf %x, %kb : !w
  fsm.store %z, %a[%o] : !w, !fsm.ptr<f32>, !wi
  fsm.return
}

// A sum over blocks of columns: zeros have no layout of their own, so the carried block has
// that of the loads in the body, though the first access to such a block in the kernel is by
// columns. Scaling it first changes nothing.
// CHECK-LABEL: fsm.kernel @accumulate(
// CHECK:         %[[FIRST:.*]] = fsm.load %b{{.*}}fsm.access_dim = 0
// CHECK:         scf.for {{.*}} -> (tensor<64x64xf32, #fsm.layout<register = {{\[\[}}0, 1], [0, 2]
// CHECK-NOT:       fsm.convert_layout
// CHECK:           fsm.load %a{{.*}}fsm.access_dim = 1
// CHECK-NOT:       fsm.convert_layout
// CHECK:           scf.yield
// CHECK:         fsm.reduce
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @accumulate(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %b: !fsm.ptr<f32> {fsm.align = 16 : i32}, %s: i32 {fsm.divisible = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %c = fsm.splat %s : !ti
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %is = arith.muli %i, %c overflow<nsw> : !ti
  %js = arith.muli %j, %c overflow<nsw> : !ti
  %rows = arith.addi %is, %j overflow<nsw> : !ti
  %columns = arith.addi %js, %i overflow<nsw> : !ti
  %first = fsm.load %b[%columns] : !fsm.ptr<f32>, !ti -> !t
  fsm.store %first, %b[%columns] : !t, !fsm.ptr<f32>, !ti
  %zeros = arith.constant dense<0.0> : !t
  %half = arith.constant dense<0.5> : !t
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %sum = scf.for %k = %zero to %n step %step iter_args(%acc = %zeros) -> (!t) : i32 {
    %ks = fsm.splat %k : !ti
    %o = arith.addi %rows, %ks overflow<nsw> : !ti
    %x = fsm.load %a[%o] : !fsm.ptr<f32>, !ti -> !t
    %scaled = arith.mulf %acc, %half : !t
    %next = arith.addf %scaled, %x : !t
    scf.yield %next : !t
  }
  %row = fsm.reduce <sum> %sum axis 1 : !t -> tensor<64xf32>
  fsm.store %row, %b[%r] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// What comes into the loop is moved once, before it; the body moves nothing.
// REMARK:        remark: moves to the layout in which 'scf.for' takes it
// REMARK-NOT:    remark:
// CHECK-LABEL: fsm.kernel @moved_before(
// CHECK:         %[[B:.*]] = fsm.load %b
// CHECK-NEXT:    %[[C:.*]] = fsm.convert_layout %[[B]]
// CHECK:         scf.for {{.*}} = %[[C]])
// CHECK-NOT:       fsm.convert_layout
// CHECK:           scf.yield
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @moved_before(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %b: !fsm.ptr<f32> {fsm.align = 16 : i32}, %s: i32 {fsm.divisible = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %c = fsm.splat %s : !ti
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %is = arith.muli %i, %c overflow<nsw> : !ti
  %js = arith.muli %j, %c overflow<nsw> : !ti
  %rows = arith.addi %is, %j overflow<nsw> : !ti
  %columns = arith.addi %js, %i overflow<nsw> : !ti
  %y = fsm.load %b[%columns] : !fsm.ptr<f32>, !ti -> !t
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %sum = scf.for %k = %zero to %n step %step iter_args(%acc = %y) -> (!t) : i32 {
    %ks = fsm.splat %k : !ti
    %o = arith.addi %rows, %ks overflow<nsw> : !ti
    %x = fsm.load %a[%o] : !fsm.ptr<f32>, !ti -> !t
    %next = arith.addf %acc, %x : !t
    scf.yield %next : !t
  }
  fsm.store %sum, %a[%rows] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// Two carried blocks that change places get one layout: one conversion before the loop
// instead of two in each round.
// REMARK:        remark: moves to the layout in which 'scf.for' takes it
// REMARK-NOT:    remark:
// CHECK-LABEL: fsm.kernel @swapped(
// CHECK:         fsm.convert_layout
// CHECK:         scf.for
// CHECK-NOT:       fsm.convert_layout
// CHECK:           scf.yield
fsm.kernel @swapped(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %b: !fsm.ptr<f32> {fsm.align = 16 : i32}, %s: i32 {fsm.divisible = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %c = fsm.splat %s : !ti
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %is = arith.muli %i, %c overflow<nsw> : !ti
  %js = arith.muli %j, %c overflow<nsw> : !ti
  %rows = arith.addi %is, %j overflow<nsw> : !ti
  %columns = arith.addi %js, %i overflow<nsw> : !ti
  %x = fsm.load %a[%rows] : !fsm.ptr<f32>, !ti -> !t
  %y = fsm.load %b[%columns] : !fsm.ptr<f32>, !ti -> !t
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %both:2 = scf.for %k = %zero to %n step %one iter_args(%p = %x, %q = %y) -> (!t, !t) : i32 {
    scf.yield %q, %p : !t, !t
  }
  fsm.store %both#0, %a[%rows] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// Both ways of a choice arrive in one layout, that of the first way; zeros ask for none.
// CHECK-LABEL: fsm.kernel @choice(
// CHECK:         scf.if {{.*}} -> (tensor<1024xf32, #[[HOME:.*]]>, tensor<1024xf32, #[[HOME]]>)
// CHECK-NOT:       fsm.convert_layout
// CHECK:         fsm.store
fsm.kernel @choice(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %f: i1) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %zeros = arith.constant dense<0.0> : !v
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
  %y:2 = scf.if %f -> (!v, !v) {
    %e = math.exp %x : !v
    scf.yield %e, %zeros : !v, !v
  } else {
    scf.yield %zeros, %x : !v, !v
  }
  %z = arith.addf %y#0, %y#1 : !v
  fsm.store %z, %p[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// A loop with a condition: its blocks, before and after, have the layout of what is read.
// CHECK-LABEL: fsm.kernel @while(
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (tensor<1024xf32, #[[HOME:.*]]>) -> tensor<1024xf32, #[[HOME]]> {
// CHECK-NOT:       fsm.convert_layout
// CHECK:         } do {
// CHECK-NOT:       fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @while(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %limit: f32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 1024 : !vi
  %zeros = arith.constant dense<0.0> : !v
  %y = scf.while (%acc = %zeros) : (!v) -> !v {
    %sum = fsm.reduce <sum> %acc axis 0 : !v -> f32
    %more = arith.cmpf olt, %sum, %limit : f32
    scf.condition(%more) %acc : !v
  } do {
  ^bb0(%acc: !v):
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, !vi -> !v
    %next = arith.addf %acc, %x : !v
    scf.yield %next : !v
  }
  fsm.store %y, %p[%o] : !v, !fsm.ptr<f32>, !vi
  fsm.return
}

// Rank 3: the last dimension is the fastest, then the one before it.
// CHECK-LABEL: fsm.kernel @rank_three(
// CHECK:         fsm.load {{.*}}fsm.access_dim = 2 : i32, fsm.access_width = 4 : i32
// CHECK-SAME{LITERAL}:      register = [[0, 0, 1], [0, 0, 2], [2, 0, 0], [4, 0, 0]], lane = [[0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[1, 0, 0]]
fsm.kernel @rank_three(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 2 : i32} {
  %flat = fsm.range 0, 1024 : !vi
  %o = fsm.reshape %flat : !vi -> tensor<8x8x16xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8x8x16xi32> -> tensor<8x8x16xf32>
  fsm.store %x, %p[%o] : tensor<8x8x16xf32>, !fsm.ptr<f32>, tensor<8x8x16xi32>
  fsm.return
}

// Loads that are volatile stay where they touch each element once.
// REMARK:        remark: moves to the layout in which 'fsm.expand_dims' takes it
// CHECK-LABEL: fsm.kernel @volatile(
// CHECK:         fsm.load %w
// CHECK-NEXT:    fsm.convert_layout
fsm.kernel @volatile(%a: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %i1 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = fsm.broadcast %i1 : tensor<64x1xi32> -> !ti
  %j = fsm.broadcast %j1 : tensor<1x64xi32> -> !ti
  %c = arith.constant dense<64> : !ti
  %is = arith.muli %i, %c overflow<nsw> : !ti
  %o = arith.addi %is, %j overflow<nsw> : !ti
  %x = fsm.load %a[%o] : !fsm.ptr<f32>, !ti -> !t
  %k = fsm.load %w[%r] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %k1 = fsm.expand_dims %k axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %kb = fsm.broadcast %k1 : tensor<64x1xf32> -> !t
  %z = arith.mulf %x, %kb : !t
  fsm.store %z, %a[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// REMARK-NOT: remark:
