// What a warp cannot do by itself is written out as accesses to shared memory, and nothing else is.

// RUN: %fsm_opt %s --fsm-stage-exchanges | FileCheck %s
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s --check-prefix=WAITS

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>
#a = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#b = #fsm.layout<register = [[1]], lane = [[32], [2], [4], [8], [16]], warp = [], cta = []>

// Elements go from warp to warp: offset 2 e is element e, and 2 e + 1 is element e + 32.
// CHECK-DAG: #[[SWAPPED:layout[0-9]*]] = #fsm.layout<offset = [
// CHECK-DAG: #[[OWN:layout[0-9]*]] = #fsm.layout<register = [], lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}1]], cta = []>
// CHECK-DAG: #[[LANES:layout[0-9]*]] = #fsm.layout<register = [], lane = {{\[\[}}1], [0], [0], [0], [0]], warp = {{\[\[}}0]], cta = []>
// CHECK-DAG: #[[ROWPARTS:layout[0-9]*]] = #fsm.layout<register = [], lane = {{\[\[}}0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 1], [0, 2]], cta = []>
// CHECK-DAG: #[[ROWALL:layout[0-9]*]] = #fsm.layout<register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 0], [0, 0]], cta = []>
// CHECK-DAG: #[[COLUMNS:layout[0-9]*]] = #fsm.layout<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]
// CHECK-LABEL: fsm.kernel @warps
// CHECK:         %[[O:.*]] = fsm.range
// CHECK-NEXT:    %[[A:.*]] = fsm.shared_alloc : !fsm.shared<64xi32, #[[SWAPPED]]>
// CHECK-NEXT:    fsm.shared_store %[[O]], %[[A]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    %[[X:.*]] = fsm.shared_load %[[A]] {{.*}} -> tensor<64xi32, #{{.*}}>
// CHECK-NEXT:    fsm.store %[[X]]
fsm.kernel @warps(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %x = fsm.convert_layout %o : tensor<64xi32, #w> -> tensor<64xi32, #v>
  fsm.store %x, %out[%x] : tensor<64xi32, #v>, !fsm.ptr<i32>, tensor<64xi32, #v>
  fsm.return
}

// One butterfly is enough.
// CHECK-LABEL: fsm.kernel @shuffles
// CHECK-NOT:     fsm.shared
// CHECK:         fsm.convert_layout
// CHECK-NOT:     fsm.shared
fsm.kernel @shuffles() attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #a>
  %x = fsm.convert_layout %o : tensor<64xi32, #a> -> tensor<64xi32, #b>
  fsm.return
}

// 16 registers of each lane change places with the other lanes' by shared memory, but no warp needs another's.
// CHECK-LABEL: fsm.kernel @within_warps
// CHECK:         fsm.shared_store
// CHECK-NEXT:    fsm.shared_barrier <warp>
// CHECK-NEXT:    fsm.shared_load
// WAITS-LABEL: fsm.kernel @within_warps
// WAITS-NOT:     fsm.barrier
// WAITS:         fsm.return
#rows = #fsm.layout<register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512]], warp = [[1024]], cta = []>
#columns = #fsm.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [[1024]], cta = []>
fsm.kernel @within_warps() attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 2048 : tensor<2048xi32, #rows>
  %x = fsm.convert_layout %o : tensor<2048xi32, #rows> -> tensor<2048xi32, #columns>
  fsm.return
}

// A reshape between powers of two first brings elements to the threads that need them; then they have other names.
// CHECK-LABEL: fsm.kernel @power_of_two
// CHECK:         fsm.shared_store %{{.*}}, %{{.*}} : tensor<64xi32, #[[W:layout[0-9]*]]>, !fsm.shared<64xi32, #
// CHECK:         %[[MOVED:.*]] = fsm.shared_load %{{.*}} -> tensor<64xi32, #[[V:layout[0-9]*]]>
// CHECK-NEXT:    fsm.reshape %[[MOVED]] : tensor<64xi32, #[[V]]> -> tensor<2x32xi32, #
#halves = #fsm.layout<register = [], lane = [[1, 0], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 1]], cta = []>
fsm.kernel @power_of_two() attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %x = fsm.reshape %o : tensor<64xi32, #w> -> tensor<2x32xi32, #halves>
  fsm.return
}

// Where extents are not, the elements lie row by row.
// CHECK-LABEL: fsm.kernel @row_by_row
// CHECK:         %[[A:.*]] = fsm.shared_alloc : !fsm.shared<60xi1>
// CHECK-NEXT:    fsm.shared_store %{{.*}}, %[[A]] : tensor<60xi1, #{{.*}}>, !fsm.shared<60xi1>
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_load %[[A]] : !fsm.shared<60xi1> -> tensor<20x3xi1, #
// CHECK-NOT:     fsm.reshape
#more = #fsm.layout<register = [[16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>
fsm.kernel @row_by_row() attributes {num_warps = 2 : i32} {
  %y = arith.constant dense<true> : tensor<60xi1, #w>
  %x = fsm.reshape %y : tensor<60xi1, #w> -> tensor<20x3xi1, #more>
  fsm.return
}

// A second iteration writes what slower threads may still read for the first.
// WAITS-LABEL: fsm.kernel @loop
// WAITS:         scf.for
// WAITS-NEXT:      fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// WAITS-NEXT:      fsm.barrier
// WAITS-NEXT:      fsm.shared_store
// WAITS-NEXT:      fsm.shared_barrier
// WAITS-NEXT:      fsm.shared_load
// WAITS-NEXT:    }
fsm.kernel @loop(%n: i32) attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  scf.for %i = %n to %n step %n : i32 {
    %x = fsm.convert_layout %o : tensor<64xi32, #w> -> tensor<64xi32, #v>
  }
  fsm.return
}

// What one thread has found all are told; within one warp a shuffle does that, and where nobody asks, nothing.
// CHECK-LABEL: fsm.kernel @handed_on
// CHECK:         %[[OLD:.*]] = fsm.atomic_rmw <add>
// CHECK-NEXT:    %[[A:.*]] = fsm.shared_alloc : !fsm.shared<1xi32>
// CHECK-NEXT:    fsm.shared_store %[[OLD]], %[[A]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    %[[HANDED:.*]] = fsm.shared_load %[[A]]
// CHECK-NEXT:    %[[P:.*]] = fsm.load %{{.*}} volatile : !fsm.ptr<!fsm.ptr<i32>> -> !fsm.ptr<i32>
// CHECK-NEXT:    %[[B:.*]] = fsm.shared_alloc : !fsm.shared<1x!fsm.ptr<i32>>
// CHECK-NEXT:    fsm.shared_store %[[P]], %[[B]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    %[[Q:.*]] = fsm.shared_load %[[B]]
// CHECK-NEXT:    fsm.store %[[HANDED]], %[[Q]]
// CHECK-NEXT:    fsm.atomic_rmw <max>
// CHECK-NEXT:    fsm.return
fsm.kernel @handed_on(%p: !fsm.ptr<i32>, %to: !fsm.ptr<!fsm.ptr<i32>>, %x: i32) attributes {num_warps = 2 : i32} {
  %old = fsm.atomic_rmw <add> %x, %p : i32, !fsm.ptr<i32>
  %q = fsm.load %to volatile : !fsm.ptr<!fsm.ptr<i32>> -> !fsm.ptr<i32>
  fsm.store %old, %q : i32, !fsm.ptr<i32>
  %unasked = fsm.atomic_rmw <max> %x, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @handed_on_in_a_warp
// CHECK-NOT:     fsm.shared
// CHECK:         fsm.return
fsm.kernel @handed_on_in_a_warp(%p: !fsm.ptr<i32>, %x: i32) attributes {num_warps = 1 : i32} {
  %old = fsm.atomic_rmw <add> %x, %p : i32, !fsm.ptr<i32>
  fsm.store %old, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// What each of two warps has of a scalar's 64 elements lane i of both fetches from place i mod 2. Halves are added up as f32.
// CHECK-LABEL: fsm.kernel @scalar
// CHECK:         fsm.reduce <sum> %{{.*}} axis 0 : tensor<64xf16, #{{.*}}> -> f16 exchange {
// CHECK-NEXT:    ^bb0(%[[PART:.*]]: tensor<2xf32, #[[OWN]]>):
// CHECK-NEXT:      %[[A:.*]] = fsm.shared_alloc : !fsm.shared<2xf32, #
// CHECK-NEXT:      fsm.shared_store %[[PART]], %[[A]]
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      %[[PARTS:.*]] = fsm.shared_load %[[A]] {{.*}} -> tensor<2xf32, #[[LANES]]>
// CHECK-NEXT:      fsm.yield %[[PARTS]]
fsm.kernel @scalar(%out: !fsm.ptr<f16>, %x: f16) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<64xf16, #w>
  %s = fsm.reduce <sum> %v axis 0 : tensor<64xf16, #w> -> f16
  fsm.store %s, %out : f16, !fsm.ptr<f16>
  fsm.return
}

// A row of 12 lies in four columns of lanes and four warps, of which the last has none: two elements and whether they are
// there go from warp to warp, and each thread takes those of all four to registers.
// CHECK-LABEL: fsm.kernel @rows
// CHECK:         } exchange {
// CHECK-NEXT:    ^bb0(%[[V:.*]]: tensor<8x4xi32, #[[ROWPARTS]]>, %[[W:.*]]: tensor<8x4xi16, #[[ROWPARTS]]>, %[[THERE:.*]]: tensor<8x4xi1, #[[ROWPARTS]]>):
// CHECK-COUNT-3:   fsm.shared_store
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      %[[VS:.*]] = fsm.shared_load {{.*}} -> tensor<8x4xi32, #[[ROWALL]]>
// CHECK-NEXT:      %[[WS:.*]] = fsm.shared_load {{.*}} -> tensor<8x4xi16, #[[ROWALL]]>
// CHECK-NEXT:      %[[THERES:.*]] = fsm.shared_load {{.*}} -> tensor<8x4xi1, #[[ROWALL]]>
// CHECK-NEXT:      fsm.yield %[[VS]], %[[WS]], %[[THERES]]
#twelve = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[0, 4], [0, 8]], cta = []>
#eight = #fsm.layout<register = [], lane = [[0], [0], [1], [2], [4]], warp = [[0], [0]], cta = []>
fsm.kernel @rows(%x: i32, %y: i16) attributes {num_warps = 4 : i32} {
  %v = fsm.splat %x : tensor<8x12xi32, #twelve>
  %w = fsm.splat %y : tensor<8x12xi16, #twelve>
  %s, %t = fsm.reduce_with %v, %w axis 1 : tensor<8x12xi32, #twelve>, tensor<8x12xi16, #twelve> -> tensor<8xi32, #eight>, tensor<8xi16, #eight> {
  ^bb0(%v0: i32, %w0: i16, %v1: i32, %w1: i16):
    %sum = arith.addi %v0, %v1 : i32
    %xor = arith.xori %w0, %w1 : i16
    fsm.yield %sum, %xor : i32, i16
  }
  fsm.return
}

// Eight warps have two rows each of 64 columns, and a lane four columns: with parts of a column side by side all lanes of a
// phase would meet in four banks. As they lie, four columns are one access, to banks of their own.
// CHECK-LABEL: fsm.kernel @columns
// CHECK:         exchange {
// CHECK:           fsm.shared_alloc : !fsm.shared<8x64xf32, #[[COLUMNS]]>
#eight_columns = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]], cta = []>
fsm.kernel @columns(%x: f32) attributes {num_warps = 8 : i32} {
  %v = fsm.splat %x : tensor<16x64xf32, #eight_columns>
  %s = fsm.scan <sum> %v axis 0 : tensor<16x64xf32, #eight_columns>
  fsm.return
}

// A line within one warp needs nothing.
// CHECK-LABEL: fsm.kernel @lines_in_warps
// CHECK-NOT:     exchange
// CHECK:         fsm.return
#inner = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0]], cta = []>
fsm.kernel @lines_in_warps(%x: f32) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<2x32xf32, #inner>
  %s = fsm.scan <sum> %v axis 1 : tensor<2x32xf32, #inner>
  fsm.return
}

// The factors of a product lie row by row, an odd number of 16 bytes apart: 8 columns of f16 are one, 24 are three.
// CHECK-LABEL: fsm.kernel @product
// CHECK:         %[[L:.*]] = fsm.shared_alloc : !fsm.shared<16x8xf16 pitch 8>
// CHECK-NEXT:    %[[R:.*]] = fsm.shared_alloc : !fsm.shared<8x24xf16 pitch 24>
// CHECK-NEXT:    fsm.shared_store %{{.*}}, %[[L]]
// CHECK-NEXT:    fsm.shared_store %{{.*}}, %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_dot %[[L]], %[[R]], %{{.*}} inner 8
// CHECK-NEXT:    fsm.return
#l = #fsm.layout<register = [[8, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0]], cta = []>
#rr = #fsm.layout<register = [[4, 0], [0, 16]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0]], cta = []>
#sum = #fsm.layout<register = [[4, 0], [8, 0], [0, 16]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0]], cta = []>
fsm.kernel @product(%x: f16, %y: f32) attributes {num_warps = 2 : i32} {
  %left = fsm.splat %x : tensor<16x8xf16, #l>
  %right = fsm.splat %x : tensor<8x24xf16, #rr>
  %acc = fsm.splat %y : tensor<16x24xf32, #sum>
  %d = fsm.dot %left, %right, %acc : tensor<16x8xf16, #l>, tensor<8x24xf16, #rr> -> tensor<16x24xf32, #sum>
  fsm.return
}

// 512 rows of 112 bytes and 12 of 1040 are more than 64 KiB; a slab of 8 steps has 512 rows of 80 bytes and 8 of 1040, the
// second one the 4 steps that are left. Before it overwrites the first, all meet.
// CHECK-LABEL: fsm.kernel @slabs
// CHECK:         %[[L:.*]] = fsm.shared_alloc : !fsm.shared<512x8xf64 pitch 10>
// CHECK-NEXT:    %[[R:.*]] = fsm.shared_alloc : !fsm.shared<8x128xf64 pitch 130>
// CHECK-NEXT:    fsm.shared_store %{{.*}} at [0, 0], %[[L]]
// CHECK-NEXT:    fsm.shared_store %{{.*}} at [0, 0], %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    %[[FIRST:.*]] = fsm.shared_dot %[[L]], %[[R]], %{{.*}} inner 8
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_store %{{.*}} at [0, 8], %[[L]]
// CHECK-NEXT:    fsm.shared_store %{{.*}} at [8, 0], %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_dot %[[L]], %[[R]], %[[FIRST]] inner 4
// CHECK-NEXT:    fsm.return
#tall = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0]], cta = []>
#wide = #fsm.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32], [0, 64]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0]], cta = []>
#product = #fsm.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 64]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], cta = []>
fsm.kernel @slabs(%x: f64) attributes {num_warps = 2 : i32} {
  %left = fsm.splat %x : tensor<512x12xf64, #tall>
  %right = fsm.splat %x : tensor<12x128xf64, #wide>
  %acc = fsm.splat %x : tensor<512x128xf64, #product>
  %d = fsm.dot %left, %right, %acc : tensor<512x12xf64, #tall>, tensor<12x128xf64, #wide> -> tensor<512x128xf64, #product>
  fsm.return
}

// Tensor cores read factors of 16 bits either way round: the right one, of which threads hold neighbours in a column, lies as
// 24 x 8. Left factors lie by columns where these are whole eights.
// CHECK-LABEL: fsm.kernel @by_columns
// CHECK:         %[[L:.*]] = fsm.shared_alloc : !fsm.shared<8x16xf16 pitch 24>
// CHECK-NEXT:    %[[LT:.*]] = fsm.transpose %{{.*}} order [1, 0] : tensor<16x8xf16, #{{.*}}> -> tensor<8x16xf16, #{{.*}}>
// CHECK-NEXT:    %[[R:.*]] = fsm.shared_alloc : !fsm.shared<24x8xf16 pitch 8>
// CHECK-NEXT:    %[[RT:.*]] = fsm.transpose %{{.*}} order [1, 0] : tensor<8x24xf16, #{{.*}}> -> tensor<24x8xf16, #{{.*}}>
// CHECK-NEXT:    fsm.shared_store %[[LT]], %[[L]]
// CHECK-NEXT:    fsm.shared_store %[[RT]], %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_dot %[[L]], %[[R]], %{{.*}} inner 8 {fsm.mma = array<i64: 16, 8, 8>, left_transposed, right_transposed}
#ld = #fsm.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = [[0, 0]], cta = []>
#rd = #fsm.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0]], cta = []>
#mma = #fsm.layout<register = [[0, 1], [8, 0], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8]], cta = []>
fsm.kernel @by_columns(%x: f16, %y: f32) attributes {num_warps = 2 : i32} {
  %left = fsm.splat %x : tensor<16x8xf16, #ld>
  %right = fsm.splat %x : tensor<8x24xf16, #rd>
  %acc = fsm.splat %y : tensor<16x24xf32, #mma>
  %d = fsm.dot %left, %right, %acc {fsm.mma = array<i64: 16, 8, 8>}
    : tensor<16x8xf16, #ld>, tensor<8x24xf16, #rd> -> tensor<16x24xf32, #mma>
  fsm.return
}

// A factor that is the transposition of a matrix lies as that one does, and is not transposed twice.
// CHECK-LABEL: fsm.kernel @of_transposed
// CHECK:         %[[ROWS:.*]] = fsm.splat %{{.*}} : tensor<24x8xf16, #{{.*}}>
// CHECK-NOT:     fsm.transpose
// CHECK:         %[[R:.*]] = fsm.shared_alloc : !fsm.shared<24x8xf16 pitch 8>
// CHECK-NOT:     fsm.transpose
// CHECK:         fsm.shared_store %[[ROWS]], %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_dot %{{.*}}, %[[R]], %{{.*}} inner 8 {fsm.mma = array<i64: 16, 8, 8>, right_transposed}
#lr = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0]], cta = []>
#nk = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0]], cta = []>
fsm.kernel @of_transposed(%x: f16, %y: f32) attributes {num_warps = 2 : i32} {
  %left = fsm.splat %x : tensor<16x8xf16, #lr>
  %rows = fsm.splat %x : tensor<24x8xf16, #nk>
  %right = fsm.transpose %rows order [1, 0] : tensor<24x8xf16, #nk> -> tensor<8x24xf16, #rd>
  %acc = fsm.splat %y : tensor<16x24xf32, #mma>
  %d = fsm.dot %left, %right, %acc {fsm.mma = array<i64: 16, 8, 8>}
    : tensor<16x8xf16, #lr>, tensor<8x24xf16, #rd> -> tensor<16x24xf32, #mma>
  fsm.return
}

// Of 12 products the second step of 8 multiplies zeros behind the last; f8 becomes f16, and goes to shared memory so.
// CHECK-LABEL: fsm.kernel @padded
// CHECK:         %[[X:.*]] = fsm.convert %{{.*}} rounding = nearest_even : tensor<16x12xf8E5M2, #{{.*}}> -> tensor<16x12xf16, #{{.*}}>
// CHECK-NEXT:    %[[Y:.*]] = fsm.convert %{{.*}} rounding = nearest_even : tensor<12x24xf8E4M3FN, #{{.*}}> -> tensor<12x24xf16, #{{.*}}>
// CHECK-NEXT:    %[[L:.*]] = fsm.shared_alloc : !fsm.shared<16x16xf16 pitch 24>
// CHECK-NEXT:    %[[R:.*]] = fsm.shared_alloc : !fsm.shared<16x24xf16 pitch 24>
// CHECK-NEXT:    %[[LZ:.*]] = arith.constant dense<0.000000e+00> : tensor<16x16xf16, #{{.*}}>
// CHECK-NEXT:    fsm.shared_store %[[LZ]], %[[L]]
// CHECK-NEXT:    %[[RZ:.*]] = arith.constant dense<0.000000e+00> : tensor<16x24xf16, #{{.*}}>
// CHECK-NEXT:    fsm.shared_store %[[RZ]], %[[R]]
// CHECK-NEXT:    fsm.shared_store %[[X]], %[[L]]
// CHECK-NEXT:    fsm.shared_store %[[Y]], %[[R]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_dot %[[L]], %[[R]], %{{.*}} inner 16 {fsm.mma = array<i64: 16, 8, 8>}
#l12 = #fsm.layout<register = [[8, 0], [0, 8]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0]], cta = []>
#r12 = #fsm.layout<register = [[4, 0], [8, 0], [0, 16]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0]], cta = []>
fsm.kernel @padded(%x: f8E5M2, %z: f8E4M3FN, %y: f32) attributes {num_warps = 2 : i32} {
  %left = fsm.splat %x : tensor<16x12xf8E5M2, #l12>
  %right = fsm.splat %z : tensor<12x24xf8E4M3FN, #r12>
  %acc = fsm.splat %y : tensor<16x24xf32, #mma>
  %d = fsm.dot %left, %right, %acc {fsm.mma = array<i64: 16, 8, 8>}
    : tensor<16x12xf8E5M2, #l12>, tensor<12x24xf8E4M3FN, #r12> -> tensor<16x24xf32, #mma>
  fsm.return
}

// What a loop gathers from and does not compute is stored in front of it, once for all; what it computes, and what a CTA would have less
// room for others for, where it is gathered from.
// CHECK-LABEL: fsm.kernel @gathers
// CHECK:         %[[SHARED:.*]] = fsm.shared_alloc : !fsm.shared<4x32xf32>
// CHECK-NEXT:    fsm.shared_store %{{.*}}, %[[SHARED]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK:         scf.for
// CHECK-NEXT:      %[[AT:.*]] = fsm.splat
// CHECK-NEXT:      fsm.shared_gather %[[SHARED]][%[[AT]]]
// CHECK-NEXT:      fsm.shared_gather %[[SHARED]][%[[AT]]]
// CHECK:           %[[SUM:.*]] = arith.addf
// CHECK-NEXT:      %[[OWN:.*]] = fsm.shared_alloc : !fsm.shared<4x32xf32>
// CHECK-NEXT:      fsm.shared_store %[[SUM]], %[[OWN]]
// CHECK:           %[[LARGE:.*]] = fsm.shared_alloc : !fsm.shared<32x32xf32>
// CHECK-NEXT:      fsm.shared_store %{{.*}}, %[[LARGE]]
#tile = #fsm.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>
#line = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>
#large = #fsm.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>
fsm.kernel @gathers(%a: f32, %b: f32, %n: i32) attributes {num_warps = 1 : i32} {
  %x = fsm.splat %a : tensor<4x32xf32, #tile>
  %y = fsm.splat %b : tensor<32x32xf32, #large>
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %none to %n step %one : i32 {
    %at = fsm.splat %i : tensor<1x32xi32, #line>
    %row = fsm.gather %x[%at] axis 0 : tensor<4x32xf32, #tile>, tensor<1x32xi32, #line> -> tensor<1x32xf32, #line>
    %again = fsm.gather %x[%at] axis 0 : tensor<4x32xf32, #tile>, tensor<1x32xi32, #line> -> tensor<1x32xf32, #line>
    %sum = arith.addf %x, %x : tensor<4x32xf32, #tile>
    %own = fsm.gather %sum[%at] axis 0 : tensor<4x32xf32, #tile>, tensor<1x32xi32, #line> -> tensor<1x32xf32, #line>
    %far = fsm.gather %y[%at] axis 0 : tensor<32x32xf32, #large>, tensor<1x32xi32, #line> -> tensor<1x32xf32, #line>
  }
  fsm.return
}

// Threads count in memory that all of them see, and that begins with zeros.
// CHECK-LABEL: fsm.kernel @counts
// CHECK:         %[[SHARED:.*]] = fsm.shared_alloc : !fsm.shared<7xi32>
// CHECK-NEXT:    %[[ZEROS:.*]] = arith.constant dense<0> : tensor<7xi32, #[[LINE:.*]]>
// CHECK-NEXT:    fsm.shared_store %[[ZEROS]], %[[SHARED]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_count %{{.*}}, %[[SHARED]] : tensor<4x32xi8, #{{.*}}>, !fsm.shared<7xi32>
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    fsm.shared_load %[[SHARED]] : !fsm.shared<7xi32> -> tensor<7xi32, #[[LINE]]>
// WAITS-LABEL: fsm.kernel @counts
#seven = #fsm.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [], cta = []>
fsm.kernel @counts(%x: i8) attributes {num_warps = 1 : i32} {
  %i = fsm.splat %x : tensor<4x32xi8, #tile>
  %n = fsm.histogram %i : tensor<4x32xi8, #tile> -> tensor<7xi32, #seven>
  fsm.return
}
