// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @too_few_strides(%n: i32) {
  // expected-error @below {{expected 2 strides for 'tensor<4x8xi32>', got 1}}
  %a = fsm.places strides [%n] : tensor<4x8xi32>
  fsm.return
}

// -----

fsm.kernel @no_strides() {
  // expected-error @below {{expected 2 strides for 'tensor<4x8xi32>', got 0}}
  %a = fsm.places : tensor<4x8xi32>
  fsm.return
}

// -----

fsm.kernel @too_many_coordinates(%n: i32) {
  // expected-error @below {{expected 1 coordinates of the origin for 'tensor<8xi32>', got 2}}
  %a = fsm.places origin [%n, 0] : tensor<8xi32>
  fsm.return
}

// -----

// In the generic form, whose lists and operands nothing else holds together: they would not be printed.
fsm.kernel @origin_without_a_list(%n: i32) {
  // expected-error @below {{expected 1 coordinates of the origin for 'tensor<8xi32>', got 0}}
  %a = "fsm.places"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_origin = array<i64>, static_strides = array<i64>, static_bounds = array<i64>}> : (i32) -> tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @stride_without_a_list(%n: i32) {
  // expected-error @below {{expected 1 strides for 'tensor<8xi32>', got 0}}
  %a = "fsm.places"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>, static_origin = array<i64>, static_strides = array<i64>, static_bounds = array<i64>}> : (i32) -> tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @bound_without_a_list(%n: i32) {
  // expected-error @below {{expected 1 bounds for 'tensor<8xi32>', got 0}}
  %a = "fsm.places"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1>, static_origin = array<i64>, static_strides = array<i64>, static_bounds = array<i64>}> : (i32) -> tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @large_bound() {
  // expected-error @below {{expected bounds that fit an i32, got 2147483648}}
  %a, %b = fsm.places bounds [2147483648] : tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @number_for_an_operand(%n: i32) {
  // expected-error @below {{expected a number that fits an i32, got -9223372036854775808}}
  %a, %b = fsm.places bounds [-9223372036854775808] : tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @no_operand_for_its_number(%n: i32) {
  // expected-error @below {{expected 1 operands among the bounds, got 0}}
  %a:2 = "fsm.places"() <{operandSegmentSizes = array<i32: 0, 0, 0>, static_origin = array<i64>, static_strides = array<i64>, static_bounds = array<i64: -9223372036854775808>}> : () -> (tensor<8xi32>, tensor<8xi1>)
  fsm.return
}

// -----

fsm.kernel @mask_without_bounds() {
  // expected-error @below {{expected a second result of type 'tensor<8xi1>' where there are bounds, and nowhere else}}
  %a:2 = "fsm.places"() <{operandSegmentSizes = array<i32: 0, 0, 0>, static_origin = array<i64>, static_strides = array<i64>, static_bounds = array<i64>}> : () -> (tensor<8xi32>, tensor<8xi1>)
  fsm.return
}

// -----

fsm.kernel @axis() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xf32>
  %i = ub.poison : tensor<16x64xi32>
  // expected-error @below {{expected an axis between 0 and 1, got 2}}
  %a = fsm.gather %x[%i] axis 2 : tensor<16x64xf32>, tensor<16x64xi32> -> tensor<16x64xf32>
  fsm.return
}

// -----

fsm.kernel @indices() {
  %x = ub.poison : tensor<16x64xf32>
  // expected-note@+1 {{the block of indices is made here}}
  %i = ub.poison : tensor<8x64xi32>
  // expected-error @below {{expected indices with the extents of 'tensor<16x64xf32>' but for dimension 1, got 'tensor<8x64xi32>'}}
  %a = fsm.gather %x[%i] axis 1 : tensor<16x64xf32>, tensor<8x64xi32> -> tensor<8x64xf32>
  fsm.return
}

// -----

fsm.kernel @gathered() {
  %x = ub.poison : tensor<16x64xf32>
  %i = ub.poison : tensor<8x64xi32>
  // expected-error @below {{expected a result of type 'tensor<8x64xf32>', got 'tensor<16x64xf32>'}}
  %a = fsm.gather %x[%i] axis 0 : tensor<16x64xf32>, tensor<8x64xi32> -> tensor<16x64xf32>
  fsm.return
}

// -----

fsm.kernel @part() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected a part of 'tensor<16x64xf32>', got 'tensor<32x64xf32>'}}
  %a = fsm.slice %x[0, 0] : tensor<16x64xf32> -> tensor<32x64xf32>
  fsm.return
}

// -----

fsm.kernel @outside() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected an offset between 0 and 8 in dimension 0 of 'tensor<16x64xf32>', got 9}}
  %a = fsm.slice %x[9, 0] : tensor<16x64xf32> -> tensor<8x64xf32>
  fsm.return
}

// -----

fsm.kernel @offsets(%i: i32) {
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected 2 offsets for 'tensor<16x64xf32>', got 1}}
  %a = fsm.slice %x[%i] : tensor<16x64xf32> -> tensor<8x64xf32>
  fsm.return
}

// -----

fsm.kernel @coordinates(%i: i32) {
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected 2 coordinates for 'tensor<16x64xf32>', got 1}}
  %a = fsm.extract %x[%i] : tensor<16x64xf32>
  fsm.return
}

// -----

fsm.kernel @extract_outside(%i: i32) {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected an offset between 0 and 63 in dimension 1 of 'tensor<16x64xf32>', got -1}}
  %a = fsm.extract %x[%i, -1] : tensor<16x64xf32>
  fsm.return
}

// -----

fsm.kernel @cat() {
  // expected-note@+1 {{the first block is made here}}
  %x = ub.poison : tensor<16x64xf32>
  // expected-note@+1 {{the other is made here}}
  %y = ub.poison : tensor<8x32xf32>
  // expected-error @below {{expected blocks that differ in dimension 0 alone, got 'tensor<16x64xf32>' and 'tensor<8x32xf32>'}}
  %a = fsm.cat %x, %y axis 0 : tensor<16x64xf32>, tensor<8x32xf32> -> tensor<24x64xf32>
  fsm.return
}

// -----

fsm.kernel @cat_result() {
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected a result of type 'tensor<32x64xf32>', got 'tensor<16x128xf32>'}}
  %a = fsm.cat %x, %x axis 0 : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x128xf32>
  fsm.return
}

// -----

fsm.kernel @cat_nothing() {
  // expected-error @below {{expected at least one block}}
  %a = "fsm.cat"() <{axis = 0 : i32}> : () -> tensor<16xf32>
  fsm.return
}

// -----

fsm.kernel @topk() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xf32>
  // expected-error @below {{expected values as in 'tensor<16x64xf32>', as many or fewer along dimension 1, got 'tensor<16x65xf32>'}}
  %v, %i = fsm.topk %x axis 1 : tensor<16x64xf32> -> tensor<16x65xf32>
  fsm.return
}

// -----

fsm.kernel @histogram() {
  %x = ub.poison : tensor<16x64xi32>
  // expected-error @below {{expected counts of rank 1, got 'tensor<8x8xi32>'}}
  %h = fsm.histogram %x : tensor<16x64xi32> -> tensor<8x8xi32>
  fsm.return
}

// -----

fsm.kernel @sort() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16xi32>
  // expected-error @below {{expected an axis between 0 and 0, got -1}}
  %h = fsm.sort %x axis -1 : tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @dims() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16x64xi32>
  // expected-error @below {{expected 'dims' to list 2 of the dimensions 0 to 2 of the result, ascending, got [1, 0]}}
  %y = fsm.broadcast %x dims [1, 0] : tensor<16x64xi32> -> tensor<64x16x2xi32>
  fsm.return
}

// -----

fsm.kernel @extent_of_dims() {
  // expected-note@+1 {{the source is made here}}
  %x = ub.poison : tensor<16xi32>
  // expected-error @below {{expected extent 0 of the source to be 1 or as in the result, 64, got 16}}
  %y = fsm.broadcast %x dims [1] : tensor<16xi32> -> tensor<16x64xi32>
  fsm.return
}

// -----

fsm.kernel @shared() {
  %shared = fsm.shared_alloc : !fsm.shared<16x8xf32 pitch 12>
  %i = ub.poison : tensor<16x8xi32>
  // expected-error @below {{expected memory in which a block lies row by row, got '!fsm.shared<16x8xf32 pitch 12>'}}
  %y = fsm.shared_gather %shared[%i] axis 0 : !fsm.shared<16x8xf32 pitch 12>, tensor<16x8xi32> -> tensor<16x8xf32>
  fsm.return
}

// -----

#l = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @layouts() {
  %shared = fsm.shared_alloc : !fsm.shared<32xf32>
  %i = ub.poison : tensor<32xi32>
  // expected-error @below {{expected a result in the layout of the indices}}
  %y = fsm.shared_gather %shared[%i] axis 0 : !fsm.shared<32xf32>, tensor<32xi32> -> tensor<32xf32, #l>
  fsm.return
}

// -----

fsm.kernel @counts_of_rows() {
  %shared = fsm.shared_alloc : !fsm.shared<2x8xi32>
  %i = ub.poison : tensor<16xi32>
  // expected-error @below {{expected memory in which a line of i32 lies, got '!fsm.shared<2x8xi32>'}}
  fsm.shared_count %i, %shared : tensor<16xi32>, !fsm.shared<2x8xi32>
  fsm.return
}

// -----

fsm.kernel @counts_of_floats() {
  %shared = fsm.shared_alloc : !fsm.shared<8xf32>
  %i = ub.poison : tensor<16xi32>
  // expected-error @below {{expected memory in which a line of i32 lies, got '!fsm.shared<8xf32>'}}
  fsm.shared_count %i, %shared : tensor<16xi32>, !fsm.shared<8xf32>
  fsm.return
}
