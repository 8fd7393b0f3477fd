// Views of blocks on the host, and rows shorter than a vector.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s

// What is loaded or computed is kept once, and views of it read where it lies: of the pairs of a
// block the lesser and the greater, put back as pairs. Their rows of two are shorter than a vector.
// CHECK-LABEL: @views
// CHECK:         fsm.load {{.*}}fsm.host_buffer
// CHECK-NOT:     fsm.host_buffer
// CHECK:         fsm.join {{.*}}fsm.host_across_rows, fsm.host_buffer
// CHECK-NOT:     fsm.host_buffer
// CHECK:         fsm.return
fsm.kernel @views(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<8x2x4xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<8x2x4xf32> -> tensor<8x4x2xf32>
  %a, %b = fsm.split %turned : tensor<8x4x2xf32> -> tensor<8x4xf32>
  %less = arith.minimumf %a, %b : tensor<8x4xf32>
  %more = arith.maximumf %a, %b : tensor<8x4xf32>
  %joined = fsm.join %less, %more : tensor<8x4xf32> -> tensor<8x4x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<8x4x2xf32> -> tensor<8x2x4xf32>
  %y = fsm.reshape %back : tensor<8x2x4xf32> -> tensor<64xf32>
  fsm.store %y, %out[%i] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// A view that two loops read is kept as what it shows is.
// CHECK-LABEL: @twice
// CHECK:         math.exp {{.*}}fsm.host_buffer
// CHECK:         fsm.transpose {{.*}}fsm.host_buffer
fsm.kernel @twice(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 4096 : tensor<4096xi32>
  %o = fsm.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<64x64xi32> -> tensor<64x64xf32>
  %e = math.exp %x : tensor<64x64xf32>
  %t = fsm.transpose %e order [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %sums = fsm.reduce <sum> %t axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %column = fsm.expand_dims %sums axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %all = fsm.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
  %y = arith.divf %t, %all : tensor<64x64xf32>
  fsm.store %y, %out[%o] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

// What the terminator replaces is not read through a view: its loop would read new elements.
// CHECK-LABEL: @carried_view
// CHECK:         fsm.transpose {{.*}}fsm.host_buffer
// CHECK:         scf.yield
fsm.kernel @carried_view(%out: !fsm.ptr<f32>, %n: i32) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %o = fsm.reshape %i : tensor<64xi32> -> tensor<8x8xi32>
  %x = arith.sitofp %o : tensor<8x8xi32> to tensor<8x8xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = scf.for %k = %zero to %n step %one iter_args(%a = %x) -> (tensor<8x8xf32>) : i32 {
    %t = fsm.transpose %a order [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    %e = arith.negf %t : tensor<8x8xf32>
    scf.yield %e : tensor<8x8xf32>
  }
  fsm.store %y, %out[%o] : tensor<8x8xf32>, !fsm.ptr<f32>, tensor<8x8xi32>
  fsm.return
}

// Rows of four in memory: one behind the other, or a hundred apart.
// CHECK-LABEL: @short_rows
// CHECK:         fsm.load {{.*}}{fsm.host_dense, fsm.host_stride = 1 : i64}
// CHECK:         fsm.store {{.*}}{fsm.host_across_rows, fsm.host_loop = 0 : i32, fsm.host_stride = 1 : i64
// CHECK:         fsm.store {{.*}}{fsm.host_dense, fsm.host_loop = 1 : i32, fsm.host_stride = 1 : i64
fsm.kernel @short_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %row = fsm.range 0, 64 : tensor<64xi32>
  %four = arith.constant dense<4> : tensor<64xi32>
  %hundred = arith.constant dense<100> : tensor<64xi32>
  %c = fsm.range 0, 4 : tensor<4xi32>
  %near = arith.muli %row, %four overflow<nsw> : tensor<64xi32>
  %far = arith.muli %row, %hundred overflow<nsw> : tensor<64xi32>
  %near2 = fsm.expand_dims %near axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %far2 = fsm.expand_dims %far axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c2 = fsm.expand_dims %c axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %cs = fsm.broadcast %c2 : tensor<1x4xi32> -> tensor<64x4xi32>
  %nears = fsm.broadcast %near2 : tensor<64x1xi32> -> tensor<64x4xi32>
  %fars = fsm.broadcast %far2 : tensor<64x1xi32> -> tensor<64x4xi32>
  %from = arith.addi %nears, %cs overflow<nsw> : tensor<64x4xi32>
  %to = arith.addi %fars, %cs overflow<nsw> : tensor<64x4xi32>
  %x = fsm.load %in[%from] : !fsm.ptr<f32>, tensor<64x4xi32> -> tensor<64x4xf32>
  fsm.store %x, %out[%to] : tensor<64x4xf32>, !fsm.ptr<f32>, tensor<64x4xi32>
  // Extents that are no powers of two have vectors of one row each.
  %i = fsm.range 0, 24 : tensor<24xi32>
  %o = fsm.reshape %i : tensor<24xi32> -> tensor<3x8xi32>
  %z = arith.constant dense<0.0> : tensor<3x8xf32>
  fsm.store %z, %out[%o] : tensor<3x8xf32>, !fsm.ptr<f32>, tensor<3x8xi32>
  fsm.return
}

// A vector of several short rows does not end with the mask of one.
// CHECK-LABEL: @short_masks
// CHECK:         fsm.store
// CHECK-SAME:    fsm.host_across_rows
// CHECK-NOT:     fsm.host_ends
// CHECK-SAME:    fsm.host_loop
fsm.kernel @short_masks(%out: !fsm.ptr<i32> {fsm.noalias}, %n: i32) {
  %column = fsm.range 0, 4 : tensor<4xi32>
  %n4 = fsm.splat %n : tensor<4xi32>
  %inside = arith.cmpi slt, %column, %n4 : tensor<4xi32>
  %row = fsm.expand_dims %inside axis 0 : tensor<4xi1> -> tensor<1x4xi1>
  %mask = fsm.broadcast %row : tensor<1x4xi1> -> tensor<64x4xi1>
  %i = fsm.range 0, 256 : tensor<256xi32>
  %o = fsm.reshape %i : tensor<256xi32> -> tensor<64x4xi32>
  fsm.store %o, %out[%o], %mask : tensor<64x4xi32>, !fsm.ptr<i32>, tensor<64x4xi32>
  fsm.return
}
