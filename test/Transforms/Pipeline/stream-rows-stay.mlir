// Kernels whose accesses keep to what the cache does by itself: all of a kernel's accesses pass through, or none. Those that would
// pass but for what is said of them reduce their rows, for vectors alone stay whatever else is so.

// RUN: %fsm_opt %s --fsm-stream-rows | FileCheck %s --implicit-check-not="evict = first"

#quad = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#one = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Two rows of one array may be the same.
// CHECK-LABEL: @twice
fsm.kernel @twice(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %c1 = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %next = fsm.offset %src, %c1 : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %y = fsm.load %next[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %z = arith.addf %x, %y : tensor<128xf32, #quad>
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %z, %dst[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// Narrow accesses: a line of the cache is read by several.
// CHECK-LABEL: @narrow_load
fsm.kernel @narrow_load(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 2 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  fsm.store %x, %out[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}
// CHECK-LABEL: @narrow_store
fsm.kernel @narrow_store(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #quad> -> f32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %x, %dst[%o] : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// A store to the same place by all programs.
// CHECK-LABEL: @shared_store
fsm.kernel @shared_store(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #quad> -> f32
  fsm.store %x, %out[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// The author says what is to be kept.
// CHECK-LABEL: @hinted
fsm.kernel @hinted(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] evict = last {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #quad> -> f32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %x, %dst[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// A loop may come to the row again.
// CHECK-LABEL: @loop
fsm.kernel @loop(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = fsm.load %src[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
    %sum = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #quad> -> f32
    fsm.store %x, %dst[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  }
  fsm.return
}

// Parts and edges of a row on a cluster, which stores it.
// CHECK-LABEL: @parts_of_cluster
fsm.kernel @parts_of_cluster(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_ctas = 2 : i32, num_warps = 1 : i32} {
  %row = fsm.program_id x : i32
  %o = fsm.range 0, 256 : tensor<256xi32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>>
  %src = fsm.offset %in, %row : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] {fsm.access_width = 4 : i32, fsm.row_part = 0 : i32} : !fsm.ptr<f32>, tensor<256xi32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>> -> tensor<256xf32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<256xf32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>> -> f32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %x, %dst[%o] {fsm.access_width = 4 : i32, fsm.row_part = 1 : i32} : tensor<256xf32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>>, !fsm.ptr<f32>, tensor<256xi32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[128]]>>
  fsm.return
}
