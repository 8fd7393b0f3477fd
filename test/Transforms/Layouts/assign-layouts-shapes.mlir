// Which layouts the blocks around transposes, joins and splits get. They are worked out by hand.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts),cse)' \
// RUN:   --mlir-print-local-scope > %t
// RUN: FileCheck %s < %t
// Whoever assigns twice gets the same again.
// RUN: %fsm_opt %t --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts),cse)' --mlir-print-local-scope | diff %t -

!t = tensor<64x64xf32>
!ti = tensor<64x64xi32>

// A tile is read along the rows of one matrix and written along those of the other, 16 bytes
// at once; one conversion on the way, and the transpose itself moves nothing.
// CHECK-LABEL: fsm.kernel @tile(
// CHECK:         %[[X:.*]] = fsm.load {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32
// CHECK-SAME{LITERAL}:      -> tensor<64x64xf32, #fsm.layout<register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], cta = []>>
// CHECK:         %[[C:.*]] = fsm.convert_layout %[[X]]
// CHECK-SAME{LITERAL}:      -> tensor<64x64xf32, #fsm.layout<register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]], cta = []>>
// CHECK:         %[[T:.*]] = fsm.transpose %[[C]] order [1, 0]
// CHECK-SAME{LITERAL}:      -> tensor<64x64xf32, #fsm.layout<register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], cta = []>>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store %[[T]], {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32
fsm.kernel @tile(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %i = fsm.range 0, 4096 : tensor<4096xi32>
  %o = fsm.reshape %i : tensor<4096xi32> -> !ti
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !ti -> !t
  %y = fsm.transpose %x order [1, 0] : !t -> !t
  fsm.store %y, %q[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// The offsets are transposed as well: columns are read along their own addresses.
// CHECK-LABEL: fsm.kernel @transposed_access(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32
fsm.kernel @transposed_access(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %i = fsm.range 0, 4096 : tensor<4096xi32>
  %o = fsm.reshape %i : tensor<4096xi32> -> !ti
  %c = fsm.transpose %o order [1, 0] : !ti -> !ti
  %x = fsm.load %p[%c] : !fsm.ptr<f32>, !ti -> !t
  %y = fsm.transpose %x order [1, 0] : !t -> !t
  fsm.store %y, %q[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// There and back, with work in between: it is done where the rows are.
// CHECK-LABEL: fsm.kernel @there_and_back(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @there_and_back(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %i = fsm.range 0, 4096 : tensor<4096xi32>
  %o = fsm.reshape %i : tensor<4096xi32> -> !ti
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !ti -> !t
  %y = fsm.transpose %x order [1, 0] : !t -> !t
  %z = math.exp %y : !t
  %w = fsm.transpose %z order [1, 0] : !t -> !t
  fsm.store %w, %p[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}

// The two of a pair are in neighbouring registers.
// CHECK-LABEL: fsm.kernel @join(
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.join
// CHECK-SAME{LITERAL}: tensor<256xf32, #fsm.layout<register = [[1], [64], [128]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>> -> tensor<256x2xf32, #fsm.layout<register = [[0, 1], [1, 0], [64, 0], [128, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [], cta = []>>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_width = 4 : i32
fsm.kernel @join(%p: !fsm.ptr<f32> {fsm.align = 8 : i32}, %q: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 256 : tensor<256xi32>
  %j = fsm.range 0, 512 : tensor<512xi32>
  %x = fsm.load %p[%i] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %y = arith.negf %x : tensor<256xf32>
  %z = fsm.join %x, %y : tensor<256xf32> -> tensor<256x2xf32>
  %w = fsm.reshape %z : tensor<256x2xf32> -> tensor<512xf32>
  fsm.store %w, %q[%j] : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
  fsm.return
}

// Pairs in neighbouring lanes, because nothing is aligned: their elements change places
// with those of another register before.
// CHECK-LABEL: fsm.kernel @split_lanes(
// CHECK:         %[[X:.*]] = fsm.load
// CHECK-SAME{LITERAL}:      lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]]
// CHECK:         %[[C:.*]] = fsm.convert_layout %[[X]]
// CHECK-SAME{LITERAL}:      -> tensor<256x2xf32, #fsm.layout<register = [[0, 1], [32, 0], [64, 0], [128, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>>
// CHECK:         fsm.split %[[C]]
// CHECK-SAME{LITERAL}:      -> tensor<256xf32, #fsm.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @split_lanes(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 256 : tensor<256xi32>
  %j = fsm.range 0, 512 : tensor<512xi32>
  %o = fsm.reshape %j : tensor<512xi32> -> tensor<256x2xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<256x2xi32> -> tensor<256x2xf32>
  %l, %r = fsm.split %x : tensor<256x2xf32> -> tensor<256xf32>
  %s = arith.addf %l, %r : tensor<256xf32>
  fsm.store %x, %p[%o] : tensor<256x2xf32>, !fsm.ptr<f32>, tensor<256x2xi32>
  fsm.store %s, %q[%i] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}

// A block that a loop turns over each time is brought back where the loop carries it.
// CHECK-LABEL: fsm.kernel @carried(
// CHECK:         scf.for
// CHECK:           fsm.transpose
// CHECK:           scf.yield
// CHECK:         fsm.return
fsm.kernel @carried(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = fsm.range 0, 4096 : tensor<4096xi32>
  %o = fsm.reshape %i : tensor<4096xi32> -> !ti
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, !ti -> !t
  %y = scf.for %k = %zero to %n step %one iter_args(%b = %x) -> (!t) : i32 {
    %t = fsm.transpose %b order [1, 0] : !t -> !t
    scf.yield %t : !t
  }
  fsm.store %y, %p[%o] : !t, !fsm.ptr<f32>, !ti
  fsm.return
}
