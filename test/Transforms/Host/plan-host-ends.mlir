// Which loops fsm-plan-host-loops lets end with the mask of their rows, and which stores then begin at a line of memory.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s

!ints = tensor<200xi32>
!mask = tensor<200xi1>
!row = tensor<200xf32>

// Behind the mask all elements are minus infinity or zero, and what is kept is read by nobody who stores there.
// CHECK-LABEL: @softmax
// CHECK:         fsm.reduce <max> {{.*}}fsm.host_ends
// CHECK:         math.exp {{.*}}fsm.host_ends
// CHECK:         fsm.reduce <sum> {{.*}}fsm.host_ends
// CHECK:         fsm.store {{.*}}fsm.host_ends
fsm.kernel @softmax(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %other = arith.constant 0xFF800000 : f32
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<f32>, !ints -> !row
  %max = fsm.reduce <max> %x axis 0 : !row -> f32
  %most = fsm.splat %max : !row
  %apart = arith.subf %x, %most : !row
  %power = math.exp %apart : !row
  %sum = fsm.reduce <sum> %power axis 0 : !row -> f32
  %sums = fsm.splat %sum : !row
  %y = arith.divf %power, %sums : !row
  fsm.store %y, %out[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

// The powers are stored everywhere: only the maximum ends.
// CHECK-LABEL: @stored_everywhere
// CHECK:         fsm.reduce <max> {{.*}}fsm.host_ends
// CHECK-NOT:     fsm.host_ends
// CHECK:         fsm.return
fsm.kernel @stored_everywhere(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %x = fsm.load %in[%r], %mask : !fsm.ptr<f32>, !ints -> !row
  %max = fsm.reduce <max> %x axis 0 : !row -> f32
  %most = fsm.splat %max : !row
  %apart = arith.subf %x, %most : !row
  %power = math.exp %apart : !row
  %sum = fsm.reduce <sum> %power axis 0 : !row -> f32
  %sums = fsm.splat %sum : !row
  %y = arith.divf %power, %sums : !row
  fsm.store %y, %out[%r] : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

// What is summed up is the mask itself, or chosen by it, or the same in all elements.
// CHECK-LABEL: @alike
// CHECK-COUNT-2: fsm.reduce <sum> {{.*}}fsm.host_ends
fsm.kernel @alike(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  %count = arith.extui %mask : !mask to !ints
  %both = arith.addi %x, %count : !ints
  %sum = fsm.reduce <sum> %both axis 0 : !ints -> i32
  %five = arith.constant dense<5> : !ints
  %chosen = arith.select %mask, %r, %ns : !mask, !ints
  %more = arith.addi %chosen, %five : !ints
  %sum2 = fsm.reduce <sum> %more axis 0 : !ints -> i32
  %all = arith.addi %sum, %sum2 : i32
  fsm.store %all, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// What one of several reductions adds differs: the numbers of elements, or what another load has there.
// CHECK-LABEL: @numbered
// CHECK-NOT:     fsm.host_ends
// CHECK-LABEL: @other_block
// CHECK-NOT:     fsm.host_ends
// CHECK-LABEL: @without_mask
// CHECK-NOT:     fsm.host_ends
// CHECK:         fsm.return
fsm.kernel @numbered(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  %both = arith.addi %x, %r : !ints
  %sum = fsm.reduce <sum> %both axis 0 : !ints -> i32
  %most = fsm.reduce <max> %x axis 0 : !ints -> i32
  %all = arith.addi %sum, %most : i32
  fsm.store %all, %out : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @other_block(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %x = fsm.load %in[%r], %mask, %r : !fsm.ptr<i32>, !ints, other !ints -> !ints
  %sum = fsm.reduce <sum> %x axis 0 : !ints -> i32
  fsm.store %sum, %out : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @without_mask(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  %y = fsm.load %in[%r] : !fsm.ptr<i32>, !ints -> !ints
  %both = arith.addi %x, %y : !ints
  %sum = fsm.reduce <sum> %both axis 0 : !ints -> i32
  fsm.store %sum, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// Two masks have no common end, and a loop without one has none; what a loop carries is carried to the last element.
// CHECK-LABEL: @two_masks
// CHECK-NOT:     fsm.host_ends
// CHECK-LABEL: @carried
// CHECK-NOT:     fsm.host_ends
// CHECK:         fsm.return
fsm.kernel @two_masks(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32>, %n: i32, %m: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %ms = fsm.splat %m : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %mask2 = arith.cmpi slt, %r, %ms : !ints
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  fsm.store %x, %out[%r], %mask2 : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

fsm.kernel @carried(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = scf.for %i = %zero to %n step %one iter_args(%sum = %r) -> !ints : i32 {
    %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
    %next = arith.addi %sum, %x : !ints
    scf.yield %next : !ints
  }
  fsm.store %sums, %out[%r] : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

// Rows that begin anywhere in a large buffer: a loop that only stores begins at a line, one that reduces as well does not, nor
// do short rows, or rows in a small buffer. Rows that begin at lines pass the caches by as they are.
// CHECK-LABEL: @large
// CHECK:         fsm.store {{.*}}fsm.host_ends, fsm.host_from_line
// CHECK-LABEL: @with_sum
// CHECK-NOT:     fsm.host_from_line
// CHECK-LABEL: @short
// CHECK-NOT:     fsm.host_from_line
// CHECK-LABEL: @small
// CHECK-NOT:     fsm.host_from_line
// CHECK-LABEL: @lines
// CHECK:         fsm.store {{.*}}fsm.host_stream
// CHECK-NOT:     fsm.host_from_line
// CHECK:         fsm.return
fsm.kernel @large(%out: !fsm.ptr<f32> {fsm.large, fsm.align = 64 : i32}, %v: f32, %first: i32, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %vs = fsm.splat %v : !row
  fsm.store %vs, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @with_sum(%out: !fsm.ptr<f32> {fsm.large, fsm.noalias, fsm.align = 64 : i32}, %in: !fsm.ptr<f32>, %first: i32, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %x = fsm.load %in[%r], %mask : !fsm.ptr<f32>, !ints -> !row
  fsm.store %x, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  %sum = fsm.reduce <sum> %x axis 0 : !row -> f32
  fsm.store %sum, %out : f32, !fsm.ptr<f32>
  fsm.return
}

fsm.kernel @short(%out: !fsm.ptr<f32> {fsm.large, fsm.align = 64 : i32}, %v: f32, %first: i32, %n: i32) {
  %r = fsm.range 0, 100 : tensor<100xi32>
  %ns = fsm.splat %n : tensor<100xi32>
  %mask = arith.cmpi slt, %r, %ns : tensor<100xi32>
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %vs = fsm.splat %v : tensor<100xf32>
  fsm.store %vs, %to[%r], %mask : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>
  fsm.return
}

fsm.kernel @small(%out: !fsm.ptr<f32> {fsm.align = 64 : i32}, %v: f32, %first: i32, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %vs = fsm.splat %v : !row
  fsm.store %vs, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @lines(%out: !fsm.ptr<f32> {fsm.large, fsm.align = 64 : i32}, %v: f32, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %vs = fsm.splat %v : !row
  fsm.store %vs, %out[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

// A page that is stored to around the caches is touched in front of the first loop from which on no control flow comes; what computes
// the address is moved there, unless a loop or memory says where the row is. Nothing is without a loop in front, or of many pages. A
// row without a mask begins at a line, too, unless elements of it are found by their numbers in another block.
// CHECK-LABEL: @scaled
// CHECK:         fsm.reduce <max> {{.*}}fsm.host_loop = 0
// CHECK:         scf.if
// CHECK:         fsm.offset
// CHECK-NEXT:    fsm.reduce <sum> {{.*}}fsm.host_loop = 1 : i32
// CHECK:         fsm.reduce <min>
// CHECK:         fsm.store {{.*}}fsm.host_from_line, {{.*}}fsm.host_touch_pages = 1 : i32
// CHECK-LABEL: @placed
// CHECK:         fsm.reduce <sum> {{.*}}fsm.host_loop = 0
// CHECK-NEXT:    fsm.offset
// CHECK-NOT:     fsm.host_touch_pages
// CHECK:         fsm.host_from_line
// CHECK-LABEL: @pointed
// CHECK-NOT:     fsm.host_touch_pages
// CHECK:         fsm.host_from_line
// CHECK-LABEL: @first
// CHECK-NOT:     fsm.host_touch_pages
// CHECK:         fsm.host_from_line
// CHECK-LABEL: @at_lines
// CHECK:         fsm.host_stream, {{.*}}fsm.host_touch_pages = 0 : i32
// CHECK-LABEL: @many
// CHECK-NOT:     fsm.host_touch_pages
// CHECK:         fsm.host_from_line
// CHECK-LABEL: @in_other_rows
// CHECK-NOT:     fsm.host_from_line
// CHECK:         fsm.return
fsm.kernel @scaled(%out: !fsm.ptr<f32> {fsm.large, fsm.align = 64 : i32}, %in: !fsm.ptr<f32>, %first: i32) {
  %r = fsm.range 0, 200 : !ints
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, !ints -> !row
  %max = fsm.reduce <max> %x axis 0 : !row -> f32
  %zero = arith.constant 0.0 : f32
  %isPositive = arith.cmpf ogt, %max, %zero : f32
  scf.if %isPositive {
    fsm.store %x, %in[%r] : !row, !fsm.ptr<f32>, !ints
  }
  %maxes = fsm.splat %max : !row
  %y = arith.divf %x, %maxes : !row
  %sum = fsm.reduce <sum> %y axis 0 : !row -> f32
  %sums = fsm.splat %sum : !row
  %z = arith.divf %y, %sums : !row
  %min = fsm.reduce <min> %z axis 0 : !row -> f32
  %mins = fsm.splat %min : !row
  %all = arith.subf %z, %mins : !row
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  fsm.store %all, %to[%r] : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @placed(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}) {
  %r = fsm.range 0, 200 : !ints
  %sum = fsm.reduce <sum> %r axis 0 : !ints -> i32
  %to = fsm.offset %out, %sum : !fsm.ptr<i32>, i32
  fsm.store %r, %to[%r] : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

fsm.kernel @pointed(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}, %in: !fsm.ptr<i32>) {
  %r = fsm.range 0, 200 : !ints
  %sum = fsm.reduce <sum> %r axis 0 : !ints -> i32
  %first = fsm.load %in : !fsm.ptr<i32> -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  %sums = fsm.splat %sum : !ints
  fsm.store %sums, %to[%r] : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

fsm.kernel @first(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}, %first: i32) {
  %r = fsm.range 0, 200 : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %r, %to[%r] : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

fsm.kernel @at_lines(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}) {
  %r = fsm.range 0, 208 : tensor<208xi32>
  %sum = fsm.reduce <sum> %r axis 0 : tensor<208xi32> -> i32
  %sums = fsm.splat %sum : tensor<208xi32>
  fsm.store %sums, %out[%r] : tensor<208xi32>, !fsm.ptr<i32>, tensor<208xi32>
  fsm.return
}

fsm.kernel @many(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}) {
  %one = fsm.range 0, 200 : !ints
  %sum = fsm.reduce <sum> %one axis 0 : !ints -> i32
  %v = fsm.splat %sum : tensor<65x200xi32>
  %rows = fsm.range 0, 65 : tensor<65xi32>
  %length = arith.constant dense<200> : tensor<65xi32>
  %firsts = arith.muli %rows, %length overflow<nsw> : tensor<65xi32>
  %firsts1 = fsm.expand_dims %firsts axis 1 : tensor<65xi32> -> tensor<65x1xi32>
  %begins = fsm.broadcast %firsts1 : tensor<65x1xi32> -> tensor<65x200xi32>
  %c = fsm.range 0, 200 : !ints
  %c1 = fsm.expand_dims %c axis 0 : !ints -> tensor<1x200xi32>
  %columns = fsm.broadcast %c1 : tensor<1x200xi32> -> tensor<65x200xi32>
  %o = arith.addi %begins, %columns overflow<nsw> : tensor<65x200xi32>
  fsm.store %v, %out[%o] : tensor<65x200xi32>, !fsm.ptr<i32>, tensor<65x200xi32>
  fsm.return
}

fsm.kernel @in_other_rows(%out: !fsm.ptr<f32> {fsm.large, fsm.align = 64 : i32}, %in: !fsm.ptr<f32>, %first: i32, %n: i32) {
  %r = fsm.range 0, 256 : tensor<256xi32>
  %ns = fsm.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %r, %ns : tensor<256xi32>
  %o = fsm.reshape %r : tensor<256xi32> -> tensor<16x16xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %turned = fsm.transpose %x order [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  %y = fsm.reshape %turned : tensor<16x16xf32> -> tensor<256xf32>
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  fsm.store %y, %to[%r], %mask : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}
