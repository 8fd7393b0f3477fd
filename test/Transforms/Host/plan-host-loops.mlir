// Which block ops share a loop on the host, and which blocks are kept in buffers.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops,fsm-plan-host-loops))' | FileCheck %s

// Three loops: the sum needs the complete maximum, the quotient the complete sum.
// Only the exponential is worth keeping.
// CHECK-LABEL: @softmax
// CHECK:         fsm.load
// CHECK-NOT:     fsm.host_buffer
// CHECK:         fsm.reduce <max> {{.*}}fsm.host_loop = 0
// CHECK:         arith.subf
// CHECK-NOT:     fsm.host_buffer
// CHECK:         math.exp {{.*}}fsm.host_buffer = array<i64: 0>, fsm.host_loop = 1
// CHECK:         fsm.reduce <sum> {{.*}}fsm.host_loop = 1
// CHECK:         fsm.store {{.*}}fsm.host_loop = 2
fsm.kernel @softmax(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  %maxes = fsm.splat %max : tensor<1024xf32>
  %shifted = arith.subf %x, %maxes : tensor<1024xf32>
  %num = math.exp %shifted : tensor<1024xf32>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<1024xf32> -> f32
  %den = fsm.splat %sum : tensor<1024xf32>
  %y = arith.divf %num, %den : tensor<1024xf32>
  fsm.store %y, %out[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// CHECK-LABEL: @independent_reductions_share
// CHECK-SAME:    fsm.host_scratch = 0 : i64
// CHECK:         fsm.reduce <max> {{.*}}fsm.host_loop = 0
// CHECK:         fsm.reduce <sum> {{.*}}fsm.host_loop = 0
fsm.kernel @independent_reductions_share(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  %sum = fsm.reduce <sum> %x axis 0 : tensor<1024xf32> -> f32
  %y = arith.divf %max, %sum : f32
  fsm.store %y, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// Another shape is another loop.
// CHECK-LABEL: @shapes_do_not_share
// CHECK:         fsm.store {{.*}}fsm.host_loop = 0
// CHECK:         fsm.store {{.*}}fsm.host_loop = 1
fsm.kernel @shapes_do_not_share(%p: !fsm.ptr<i32> {fsm.noalias}, %q: !fsm.ptr<i32>) {
  %a = fsm.range 0, 64 : tensor<64xi32>
  %b = fsm.range 0, 65 : tensor<65xi32>
  fsm.store %a, %p[%a] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %b, %q[%b] : tensor<65xi32>, !fsm.ptr<i32>, tensor<65xi32>
  fsm.return
}

// The first store may change what was loaded before it: the load is kept.
// CHECK-LABEL: @may_alias
// CHECK:         fsm.load {{.*}}fsm.host_buffer
// CHECK:         fsm.store %{{.*}}, %q{{.*}}fsm.host_loop = 0
// CHECK:         fsm.store %{{.*}}, %p{{.*}}fsm.host_loop = 1
fsm.kernel @may_alias(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %y = arith.mulf %x, %two : tensor<64xf32>
  fsm.store %two, %q[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.store %y, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// CHECK-LABEL: @noalias
// CHECK-SAME:    fsm.host_scratch = 0 : i64
// CHECK:         fsm.store %{{.*}}, %q{{.*}}fsm.host_loop = 0
// CHECK:         fsm.store %{{.*}}, %p{{.*}}fsm.host_loop = 0
fsm.kernel @noalias(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %y = arith.mulf %x, %two : tensor<64xf32>
  fsm.store %two, %q[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.store %y, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// In place, each element is read before it is written.
// CHECK-LABEL: @in_place
// CHECK-SAME:    fsm.host_scratch = 0 : i64
// CHECK:         fsm.store {{.*}}fsm.host_loop = 0
fsm.kernel @in_place(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %y = arith.mulf %x, %x : tensor<64xf32>
  fsm.store %y, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// Shifted by one element, the store would change what the loop has yet to read.
// CHECK-LABEL: @shifted_in_place
// CHECK:         fsm.load {{.*}}fsm.host_buffer
fsm.kernel @shifted_in_place(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %next = fsm.range 1, 65 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %x, %p[%next] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// What a loop's body reads is computed once; cheap numbers again in each
// iteration.
// CHECK-LABEL: @crossing
// CHECK:         fsm.load %p
// CHECK-NOT:     fsm.host_buffer
// CHECK:         math.exp {{.*}}fsm.host_buffer = array<i64: 0>, fsm.host_loop = 0
// CHECK:         arith.addi
// CHECK-NOT:     fsm.host_buffer
// CHECK:         scf.for
// CHECK:           fsm.store {{.*}}fsm.host_loop = 1
fsm.kernel @crossing(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32, %m: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %cheap = arith.addi %o, %two : tensor<64xi32>
  scf.for %i = %n to %m step %n : i32 {
    fsm.store %e, %q[%cheap] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  }
  fsm.return
}

// A loaded block that crosses into a loop is kept: memory may change in there.
// CHECK-LABEL: @load_crossing
// CHECK:         fsm.load {{.*}}fsm.host_buffer
fsm.kernel @load_crossing(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32, %m: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  scf.for %i = %n to %m step %n : i32 {
    fsm.store %x, %q[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  }
  fsm.return
}

// Carried blocks live in buffers; setting out and going on are loops.
// CHECK-LABEL: @carried
// CHECK:         scf.for
// CHECK:           scf.yield {{.*}}fsm.host_loop
// CHECK:         } {fsm.host_buffer = array<i64: 0, -1>, fsm.host_loop = 0
fsm.kernel @carried(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r:2 = scf.for %i = %n to %m step %n iter_args(%a = %zero, %k = %n) -> (tensor<64xf32>, i32) : i32 {
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %s = arith.addf %a, %x : tensor<64xf32>
    scf.yield %s, %m : tensor<64xf32>, i32
  }
  fsm.store %r#0, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// A volatile load is performed once, where it stands.
// CHECK-LABEL: @volatile
// CHECK:         fsm.load {{.*}}fsm.host_buffer
fsm.kernel @volatile(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] volatile : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %x, %q[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// Rows of another length: the block is kept, and read as it lies.
// CHECK-LABEL: @reshaped
// CHECK:         fsm.load {{.*}}fsm.host_buffer
// CHECK:         fsm.reduce <sum> {{.*}} axis 1 {fsm.host_buffer
// CHECK:         fsm.reduce <max> {{.*}} axis 0 {fsm.host_buffer
fsm.kernel @reshaped(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %o4 = fsm.range 0, 4 : tensor<4xi32>
  %o16 = fsm.range 0, 16 : tensor<16xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %t = fsm.reshape %x : tensor<64xf32> -> tensor<4x16xf32>
  %rows = fsm.reduce <sum> %t axis 1 : tensor<4x16xf32> -> tensor<4xf32>
  %columns = fsm.reduce <max> %t axis 0 : tensor<4x16xf32> -> tensor<16xf32>
  fsm.store %rows, %q[%o4] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.store %columns, %q[%o16] : tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>
  fsm.return
}

// A range needs no buffer to be cut into rows: it is one row, of which any piece can be made. Of several rows
// of other lengths the numbers have to be there.
// CHECK-LABEL: @reshaped_range
// CHECK:         fsm.range 0, 64 :
// CHECK:         fsm.range 0, 48 :
// CHECK:         fsm.range 0, 24 :
// CHECK:         arith.addi {{.*}}fsm.host_buffer
fsm.kernel @reshaped_range(%p: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %t = fsm.reshape %r : tensor<64xi32> -> tensor<8x8xi32>
  fsm.store %t, %p[%t] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  %q = fsm.range 0, 48 : tensor<48xi32>
  %u = fsm.reshape %q : tensor<48xi32> -> tensor<6x8xi32>
  %s = fsm.splat %n : tensor<6x8xi32>
  fsm.store %s, %p[%u] : tensor<6x8xi32>, !fsm.ptr<i32>, tensor<6x8xi32>
  %v = fsm.range 0, 24 : tensor<24xi32>
  %w = fsm.reshape %v : tensor<24xi32> -> tensor<3x8xi32>
  fsm.store %w, %p[%w] : tensor<3x8xi32>, !fsm.ptr<i32>, tensor<3x8xi32>
  %x = arith.addi %w, %w : tensor<3x8xi32>
  %y = fsm.reshape %x : tensor<3x8xi32> -> tensor<4x6xi32>
  fsm.store %y, %p[%y] : tensor<4x6xi32>, !fsm.ptr<i32>, tensor<4x6xi32>
  fsm.return
}

// A plan that stands in the text is not believed.
// CHECK-LABEL: @foreign_plan
// CHECK-SAME:    fsm.host_scratch = 0 : i64
// CHECK-NOT:     fsm.host_buffer
// CHECK-NOT:     fsm.host_stride
// CHECK:         fsm.store {{.*}}{fsm.host_loop = 0 : i32, fsm.host_unroll = 2 : i32}
fsm.kernel @foreign_plan(%p: !fsm.ptr<f32>, %x: f32) attributes {fsm.host_scratch = 5 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %x {fsm.host_buffer = array<i64: 123456789>} : tensor<64xf32>
  %t = arith.addf %s, %s {fsm.host_buffer = array<i64: 1234567>, fsm.host_loop = 7 : i32} : tensor<64xf32>
  %m = arith.muli %o, %o : tensor<64xi32>
  fsm.store %t, %p[%m] {fsm.host_stride = 5 : i64} : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// The second store may share the loop of the first only behind the load that stands between
// them, whose block a later loop reads.
// CHECK-LABEL: @read_between
// CHECK:         fsm.store %{{.*}}, %p{{.*}}fsm.host_loop = 0
// CHECK:         fsm.load %p{{.*}}fsm.host_buffer
// CHECK:         fsm.store %{{.*}}, %p{{.*}}fsm.host_loop = 1
fsm.kernel @read_between(%p: !fsm.ptr<f32> {fsm.noalias}, %q: !fsm.ptr<f32> {fsm.noalias}) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  fsm.store %one, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %two, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  %e = fsm.expand_dims %x axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %f = fsm.expand_dims %o axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  fsm.store %e, %q[%f] : tensor<1x64xf32>, !fsm.ptr<f32>, tensor<1x64xi32>
  fsm.return
}

// A transpose and a split read other elements of their source than those that a loop is
// at: all of it is in a buffer before, also where the rows are only exchanged.
// CHECK-LABEL: @read_elsewhere
// CHECK:         fsm.load %p{{.*}}fsm.host_buffer = array<i64: {{[0-9]+}}>, {{.*}}fsm.host_loop = {{[0-9]+}}
// CHECK:         fsm.store %{{.*}}, %p{{.*}}fsm.host_loop = {{[0-9]+}}
// CHECK:         fsm.load %p{{.*}}fsm.host_buffer
// CHECK:         fsm.split
// CHECK-NOT:     fsm.host_buffer
// CHECK:         fsm.return
fsm.kernel @read_elsewhere(%p: !fsm.ptr<f32>) {
  %i = fsm.range 0, 128 : tensor<128xi32>
  %o = fsm.reshape %i : tensor<128xi32> -> tensor<4x4x8xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<4x4x8xi32> -> tensor<4x4x8xf32>
  %t = fsm.transpose %x order [1, 0, 2] : tensor<4x4x8xf32> -> tensor<4x4x8xf32>
  fsm.store %t, %p[%o] : tensor<4x4x8xf32>, !fsm.ptr<f32>, tensor<4x4x8xi32>
  %j = fsm.range 0, 64 : tensor<64xi32>
  %pairs = fsm.reshape %i : tensor<128xi32> -> tensor<64x2xi32>
  %y = fsm.load %p[%pairs] : !fsm.ptr<f32>, tensor<64x2xi32> -> tensor<64x2xf32>
  %l, %r = fsm.split %y : tensor<64x2xf32> -> tensor<64xf32>
  %s = arith.addf %l, %r : tensor<64xf32>
  fsm.store %s, %p[%j] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
