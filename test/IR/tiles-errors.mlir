// Descriptors and tiles that are refused.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected a descriptor of 1 to 5 dimensions, got 6}}
func.func private @helper(!fsm.descriptor<6 x f16>)

// -----

// expected-error @below {{expected a descriptor of 1 to 5 dimensions, got -2}}
func.func private @helper(!fsm.descriptor<-2 x f32>)

// -----

// expected-error @below {{expected a descriptor of i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, got 'i24'}}
func.func private @helper(!fsm.descriptor<2 x i24>)

// -----

// expected-note @below {{the pointer is this argument}}
fsm.kernel @elements(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected a descriptor of the pointer's elements, 'f16', got '!fsm.descriptor<1 x f32>'}}
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f32>
  fsm.return
}

// -----

fsm.kernel @sizes(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected 2 sizes for '!fsm.descriptor<2 x f16>', got 1}}
  %d = fsm.descriptor %p sizes [4] strides [1, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  fsm.return
}

// -----

fsm.kernel @strides(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected 2 strides for '!fsm.descriptor<2 x f16>', got 3}}
  %d = fsm.descriptor %p sizes [4, 4] strides [1, 1, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  fsm.return
}

// -----

fsm.kernel @wide(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected strides that fit an i32, got 2147483648}}
  %d = fsm.descriptor %p sizes [4] strides [2147483648] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

fsm.kernel @negative(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected sizes of 0 or more, got -4}}
  %d = fsm.descriptor %p sizes [-4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

fsm.kernel @type_of_nothing(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected sizes and strides of type i32 or i64, got 'f32'}}
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16>, f32 -> !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

fsm.kernel @boolean(%p: !fsm.ptr<f16>) {
  // expected-error @below {{expected a number or an operand}}
  %d = fsm.descriptor %p sizes [4, true] strides [4, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  fsm.return
}

// -----

fsm.kernel @scalable(%p: !fsm.ptr<f16>) {
  %d = fsm.descriptor %p sizes [4, 8] strides [8, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  // expected-error @below {{expected a number or an operand}}
  %x = fsm.load_tile %d[[8], 8] : !fsm.descriptor<2 x f16> -> tensor<4x4xf16>
  fsm.return
}

// -----

fsm.kernel @number_for_an_operand(%p: !fsm.ptr<f16>) {
  %d = fsm.descriptor %p sizes [4, 8] strides [8, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  // expected-error @below {{expected a number that fits an i32, got -9223372036854775808}}
  %x = fsm.load_tile %d[-9223372036854775808, 0] : !fsm.descriptor<2 x f16> -> tensor<4x4xf16>
  fsm.return
}

// -----

fsm.kernel @mixed(%p: !fsm.ptr<f16>, %m: i32, %n: i64) {
  // expected-error @below {{expected sizes and strides of one type, i32 or i64}}
  %d = "fsm.descriptor"(%p, %m, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: -9223372036854775808>}> : (!fsm.ptr<f16>, i32, i64) -> !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

fsm.kernel @rank(%p: !fsm.ptr<f16>) {
  // expected-note @below {{the descriptor is made here}}
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  // expected-error @below {{expected a block of 'f16' with at most as many dimensions as the descriptor has, 1, got 'tensor<4x4xf16>'}}
  %x = fsm.load_tile %d[0] : !fsm.descriptor<1 x f16> -> tensor<4x4xf16>
  fsm.return
}

// -----

fsm.kernel @coordinates(%p: !fsm.ptr<f16>, %x: f16) {
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  %y = fsm.splat %x : tensor<4xf16>
  // expected-error @below {{expected 1 coordinates for '!fsm.descriptor<1 x f16>', got 2}}
  fsm.store_tile %y, %d[0, 0] : tensor<4xf16>, !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

fsm.kernel @padding(%p: !fsm.ptr<i8>) {
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<i8> -> !fsm.descriptor<1 x i8>
  // expected-error @below {{expected a block of floats where 'pad' is 'nan', got 'tensor<4xi8>'}}
  %x = fsm.load_tile %d[0] pad = nan : !fsm.descriptor<1 x i8> -> tensor<4xi8>
  fsm.return
}

// -----

fsm.kernel @chosen(%p: !fsm.ptr<f16>, %c: i1) {
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  %e = fsm.descriptor %p sizes [5] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  // expected-error @below {{result 0 of 'arith.select' has type '!fsm.descriptor<1 x f16>': a descriptor is used where 'fsm.descriptor' makes it, or handed to a helper or by one}}
  %f = arith.select %c, %d, %e : !fsm.descriptor<1 x f16>
  fsm.return
}

// -----

// expected-note @below {{the argument is here}}
fsm.kernel @promised(%p: !fsm.ptr<f16> {fsm.readonly}, %x: f16) {
  %d = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  %y = fsm.splat %x : tensor<4xf16>
  // expected-error @below {{expected a pointer that may be written through, got one that may come from argument 0, which promises 'fsm.readonly'}}
  fsm.store_tile %y, %d[0] : tensor<4xf16>, !fsm.descriptor<1 x f16>
  fsm.return
}
