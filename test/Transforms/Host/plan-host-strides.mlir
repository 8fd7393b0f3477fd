// The distance between neighbours that fsm-plan-host-loops writes on accesses. An
// i32 sum that may wrap has one only if it cannot wrap inside an aligned group.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops{vector-bytes=0}))' 2>&1 | FileCheck %s --check-prefix=BYTES

// BYTES: plan-host-strides.mlir:[[#@LINE+7]]:1: error: expected 'vector-bytes' to be 8, 16, 32 or 64, got 0

// CHECK-LABEL: @simple
// CHECK:         fsm.load %p[%[[R:.*]]] {{.*}}fsm.host_stride = 1 : i64
// CHECK:         fsm.load %p[%[[S:.*]]] {{.*}}fsm.host_stride = 0 : i64
// CHECK:         fsm.store {{.*}}fsm.host_stride = 1 : i64
// CHECK:         fsm.store {{.*}}fsm.host_stride = 0 : i64
fsm.kernel @simple(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}, %n: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %n : tensor<64xi32>
  %a = fsm.load %p[%r] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%s] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %a, %q[%r] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.store %b, %q[%s] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// CHECK-LABEL: @factors
// CHECK:         fsm.load %p[%{{.*}}] volatile {{.*}}fsm.host_stride = 3 : i64
// CHECK:         fsm.load %p[%{{.*}}] volatile {{.*}}fsm.host_stride = -2 : i64
// CHECK:         fsm.load %p[%{{.*}}] volatile {{.*}}fsm.host_stride = -1 : i64
// CHECK:         fsm.load %p[%{{.*}}] volatile {{.*}}fsm.host_stride = 0 : i64
fsm.kernel @factors(%p: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %minus_two = arith.constant dense<-2> : tensor<64xi32>
  %s = fsm.splat %n : tensor<64xi32>
  %0 = arith.muli %r, %three overflow<nsw> : tensor<64xi32>
  %1 = arith.muli %minus_two, %r overflow<nsw> : tensor<64xi32>
  %2 = arith.subi %s, %r overflow<nsw> : tensor<64xi32>
  %3 = arith.subi %r, %r overflow<nsw> : tensor<64xi32>
  %a = fsm.load %p[%0] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%1] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %c = fsm.load %p[%2] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %d = fsm.load %p[%3] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.return
}

// CHECK-LABEL: @unknown
// CHECK-NOT:     fsm.host_stride
// CHECK:         fsm.return
fsm.kernel @unknown(%p: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %n : tensor<64xi32>
  %scaled = arith.muli %r, %s overflow<nsw> : tensor<64xi32>
  %square = arith.muli %r, %r overflow<nsw> : tensor<64xi32>
  %shifted = arith.shli %r, %r : tensor<64xi32>
  %listed = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %a = fsm.load %p[%scaled] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%square] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %c = fsm.load %p[%shifted] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %d = fsm.load %p[%listed] volatile : !fsm.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
  fsm.return
}

// Indices that were loaded are a gather.
// CHECK-LABEL: @gather
// CHECK:         fsm.load %ip[%{{.*}}] {{.*}}fsm.host_stride = 1
// CHECK:         fsm.load %p
// CHECK-NOT:     fsm.host_stride
// CHECK-SAME:    !fsm.ptr<f32>
fsm.kernel @gather(%p: !fsm.ptr<f32>, %ip: !fsm.ptr<i32>, %q: !fsm.ptr<f32> {fsm.noalias}) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %i = fsm.load %ip[%r] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %x = fsm.load %p[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %x, %q[%r] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// Without nsw the sum has a stride only where whole groups start at multiples of
// their length: divisible by 64, not by 32.
// CHECK-LABEL: @may_wrap
// CHECK:         fsm.load %{{.*}} volatile {fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = {{[0-9]+}} : i32, fsm.host_unroll
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1
// CHECK:         fsm.load %{{.*}} volatile {fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = {{[0-9]+}} : i32, fsm.host_unroll
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1
fsm.kernel @may_wrap(%p: !fsm.ptr<f32>, %n: i32, %d32: i32 {fsm.divisible = 32 : i32},
                     %d64: i32 {fsm.divisible = 64 : i32}) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %n : tensor<64xi32>
  %s32 = fsm.splat %d32 : tensor<64xi32>
  %s64 = fsm.splat %d64 : tensor<64xi32>
  %0 = arith.addi %r, %s : tensor<64xi32>
  %1 = arith.addi %r, %s overflow<nsw> : tensor<64xi32>
  %2 = arith.addi %r, %s32 : tensor<64xi32>
  %3 = arith.addi %r, %s64 : tensor<64xi32>
  %a = fsm.load %p[%0] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%1] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %c = fsm.load %p[%2] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %d = fsm.load %p[%3] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.return
}

// A product with the block's size is divisible; 64-bit sums do not wrap at all,
// but the 32-bit sum that is extended does.
// CHECK-LABEL: @wide
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1
// CHECK:         fsm.load %{{.*}} volatile {fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = {{[0-9]+}} : i32, fsm.host_unroll
fsm.kernel @wide(%p: !fsm.ptr<f32>, %n: i32, %m: i64) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %size = arith.constant 64 : i32
  %start = arith.muli %n, %size : i32
  %starts = fsm.splat %start : tensor<64xi32>
  %0 = arith.addi %starts, %r : tensor<64xi32>
  %long = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %s = fsm.splat %m : tensor<64xi64>
  %1 = arith.addi %long, %s : tensor<64xi64>
  %short = fsm.splat %n : tensor<64xi32>
  %sum = arith.addi %r, %short : tensor<64xi32>
  %2 = arith.extsi %sum : tensor<64xi32> to tensor<64xi64>
  %a = fsm.load %p[%0] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%1] volatile : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  %c = fsm.load %p[%2] volatile : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  fsm.return
}

// Rows and columns of a tile; a reshape keeps the stride where rows are whole
// groups or nothing wraps.
// CHECK-LABEL: @tiles
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1 {{.*}} tensor<4x64xf32>
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 0 {{.*}} tensor<4x64xf32>
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1 {{.*}} tensor<3x64xf32>
// CHECK:         fsm.load %{{.*}} volatile {fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = {{[0-9]+}} : i32, fsm.host_unroll {{.*}} tensor<8x24xf32>
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1 {{.*}} tensor<8x24xf32>
fsm.kernel @tiles(%p: !fsm.ptr<f32>, %d64: i32 {fsm.divisible = 64 : i32}) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %row = fsm.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %0 = fsm.broadcast %row : tensor<1x64xi32> -> tensor<4x64xi32>
  %r4 = fsm.range 0, 4 : tensor<4xi32>
  %column = fsm.expand_dims %r4 axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %1 = fsm.broadcast %column : tensor<4x1xi32> -> tensor<4x64xi32>
  %flat = fsm.range 0, 192 : tensor<192xi32>
  %s = fsm.splat %d64 : tensor<192xi32>
  %sum = arith.addi %flat, %s : tensor<192xi32>
  %2 = fsm.reshape %sum : tensor<192xi32> -> tensor<3x64xi32>
  %3 = fsm.reshape %sum : tensor<192xi32> -> tensor<8x24xi32>
  %a = fsm.load %p[%0] volatile : !fsm.ptr<f32>, tensor<4x64xi32> -> tensor<4x64xf32>
  %b = fsm.load %p[%1] volatile : !fsm.ptr<f32>, tensor<4x64xi32> -> tensor<4x64xf32>
  %c = fsm.load %p[%2] volatile : !fsm.ptr<f32>, tensor<3x64xi32> -> tensor<3x64xf32>
  %4 = fsm.reshape %flat : tensor<192xi32> -> tensor<8x24xi32>
  %d = fsm.load %p[%3] volatile : !fsm.ptr<f32>, tensor<8x24xi32> -> tensor<8x24xf32>
  %e = fsm.load %p[%4] volatile : !fsm.ptr<f32>, tensor<8x24xi32> -> tensor<8x24xf32>
  fsm.return
}

// Carried offsets keep their stride when the step does.
// CHECK-LABEL: @carried
// CHECK:           fsm.load %p[%[[A:.*]]] volatile {{.*}}fsm.host_stride = 1
// CHECK:           fsm.load %p[%[[B:.*]]] volatile {fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = {{[0-9]+}} : i32, fsm.host_unroll
fsm.kernel @carried(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %step = fsm.splat %n : tensor<64xi32>
  %z:2 = scf.for %i = %n to %m step %n iter_args(%a = %r, %b = %r) -> (tensor<64xi32>, tensor<64xi32>) : i32 {
    %x = fsm.load %p[%a] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %y = fsm.load %p[%b] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %next = arith.addi %a, %step overflow<nsw> : tensor<64xi32>
    %doubled = arith.addi %b, %b overflow<nsw> : tensor<64xi32>
    scf.yield %next, %doubled : tensor<64xi32>, tensor<64xi32>
  }
  fsm.return
}

// Offsets that are carried into one another end the search, not the stack.
// CHECK-LABEL: @exchanged
// CHECK-NOT:     fsm.host_stride
// CHECK:         fsm.return
fsm.kernel @exchanged(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.range 64, 128 : tensor<64xi32>
  %z:2 = scf.for %i = %n to %m step %n iter_args(%a = %r, %b = %s) -> (tensor<64xi32>, tensor<64xi32>) : i32 {
    %x = fsm.load %p[%a] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    scf.yield %b, %a : tensor<64xi32>, tensor<64xi32>
  }
  fsm.return
}

// CHECK-LABEL: @hints
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 1
// CHECK:         fsm.load %{{.*}} volatile {{.*}}fsm.host_stride = 0
fsm.kernel @hints(%p: !fsm.ptr<f32>, %ip: !fsm.ptr<i32>) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %i = fsm.load %ip[%r] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %0 = fsm.hint %i {max_contiguous = array<i64: 64>} : tensor<64xi32>
  %1 = fsm.hint %i {max_constancy = array<i64: 64>} : tensor<64xi32>
  %a = fsm.load %p[%0] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%1] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.return
}

// Transposed rows that stay rows keep their distance; columns have none that is known.
// CHECK-LABEL: @transposed
// CHECK:         fsm.load %p[%{{.*}}] volatile {{.*}}fsm.host_stride = 3 : i64
// CHECK:         fsm.load %p[%{{.*}}] volatile
// CHECK-NOT:     fsm.host_stride
// CHECK:         fsm.return
fsm.kernel @transposed(%p: !fsm.ptr<f32>) {
  %r = fsm.range 0, 512 : tensor<512xi32>
  %three = arith.constant dense<3> : tensor<512xi32>
  %o = arith.muli %r, %three overflow<nsw> : tensor<512xi32>
  %b = fsm.reshape %o : tensor<512xi32> -> tensor<2x4x64xi32>
  %rows = fsm.transpose %b order [1, 0, 2] : tensor<2x4x64xi32> -> tensor<4x2x64xi32>
  %columns = fsm.transpose %b order [2, 0, 1] : tensor<2x4x64xi32> -> tensor<64x2x4xi32>
  %x = fsm.load %p[%rows] volatile : !fsm.ptr<f32>, tensor<4x2x64xi32> -> tensor<4x2x64xf32>
  %y = fsm.load %p[%columns] volatile : !fsm.ptr<f32>, tensor<64x2x4xi32> -> tensor<64x2x4xf32>
  fsm.return
}
