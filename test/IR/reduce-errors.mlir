// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @axis(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<4x8xf32>
  // expected-error @below {{expected an axis between 0 and 1 for 'tensor<4x8xf32>', got 2}}
  %a = fsm.reduce <sum> %b axis 2 : tensor<4x8xf32> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @result(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<4x8xf32>
  // expected-error @below {{expected a result of type 'tensor<8xf32>' for 'tensor<4x8xf32>' reduced along axis 0, got 'tensor<4xf32>'}}
  %a = fsm.reduce <sum> %b axis 0 : tensor<4x8xf32> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @kind(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<8xf32>
  // expected-error @below {{expected integers for 'xor', got 'f32'}}
  %a = fsm.reduce <xor> %b axis 0 : tensor<8xf32> -> f32
  fsm.return
}

// -----

fsm.kernel @nan(%x: f32) {
  %b = fsm.splat %x : tensor<8xf32>
  // expected-error @below {{expected 'propagate_nan' only with 'max' or 'min' of floats}}
  %a = fsm.reduce <sum> %b axis 0 propagate_nan : tensor<8xf32> -> f32
  fsm.return
}

// -----

fsm.kernel @f8(%x: f8E5M2) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<8xf8E5M2>
  // expected-error @below {{does not compute on 'f8E5M2'; f8 is a storage format}}
  %a = fsm.reduce <max> %b axis 0 : tensor<8xf8E5M2> -> f8E5M2
  fsm.return
}

// -----

fsm.kernel @scan_axis(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<4x8xf32>
  // expected-error @below {{expected an axis between 0 and 1 for 'tensor<4x8xf32>', got -1}}
  %a = fsm.scan <sum> %b axis -1 : tensor<4x8xf32>
  fsm.return
}

// -----

fsm.kernel @scan_kind(%x: f16) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<8xf16>
  // expected-error @below {{expected integers for 'umin', got 'f16'}}
  %a = fsm.scan <umin> %b axis 0 : tensor<8xf16>
  fsm.return
}

// -----

fsm.kernel @scan_nan(%x: i32) {
  %b = fsm.splat %x : tensor<8xi32>
  // expected-error @below {{expected 'propagate_nan' only with 'max' or 'min' of floats}}
  %a = fsm.scan <max> %b axis 0 propagate_nan : tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @no_blocks() {
  // expected-error @below {{expected at least one block}}
  "fsm.reduce_with"() <{axis = 0 : i32}> ({
    fsm.yield
  }) : () -> ()
  fsm.return
}

// -----

fsm.kernel @shapes(%x: f32) {
  // expected-note@+1 {{the first block is made here}}
  %b = fsm.splat %x : tensor<8xf32>
  // expected-note@+1 {{the other block is made here}}
  %c = fsm.splat %x : tensor<4xf32>
  // expected-error @below {{expected blocks of one shape, got 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %r:2 = fsm.reduce_with %b, %c axis 0 : tensor<8xf32>, tensor<4xf32> -> f32, f32 {
  ^bb0(%a0: f32, %c0: f32, %a1: f32, %c1: f32):
    fsm.yield %a0, %c0 : f32, f32
  }
  fsm.return
}

// -----

fsm.kernel @results(%x: f32) {
  %b = fsm.splat %x : tensor<8xf32>
  // expected-error @below {{expected a result for each of 1 operands, got 2}}
  %r:2 = fsm.reduce_with %b axis 0 : tensor<8xf32> -> f32, f32 {
  ^bb0(%a0: f32, %a1: f32):
    fsm.yield %a0 : f32
  }
  fsm.return
}

// -----

fsm.kernel @tuple_result(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<8x4xf32>
  // expected-error @below {{expected a result of type 'tensor<4xf32>' for 'tensor<8x4xf32>' reduced along axis 0, got 'tensor<8xf32>'}}
  %r = fsm.reduce_with %b axis 0 : tensor<8x4xf32> -> tensor<8xf32> {
  ^bb0(%a0: f32, %a1: f32):
    fsm.yield %a0 : f32
  }
  fsm.return
}

// -----

fsm.kernel @tuple_axis(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %b = fsm.splat %x : tensor<8xf32>
  // expected-error @below {{expected an axis between 0 and 0 for 'tensor<8xf32>', got 1}}
  %r = fsm.scan_with %b axis 1 : tensor<8xf32> {
  ^bb0(%a0: f32, %a1: f32):
    fsm.yield %a0 : f32
  }
  fsm.return
}

// -----

fsm.kernel @arguments(%x: f32) {
  %b = fsm.splat %x : tensor<8xf32>
  // expected-error @below {{expected the region to take two tuples of elements, ('f32', 'f32'), got ('f32', 'i32')}}
  %r = fsm.scan_with %b axis 0 : tensor<8xf32> {
  ^bb0(%a0: f32, %a1: i32):
    fsm.yield %a0 : f32
  }
  fsm.return
}

// -----

fsm.kernel @memory(%x: f32, %p: !fsm.ptr<f32>) {
  %b = fsm.splat %x : tensor<8xf32>
  %r = fsm.scan_with %b axis 0 : tensor<8xf32> {
  ^bb0(%a0: f32, %a1: f32):
    // expected-error @below {{expected element-wise ops on scalars in the region of 'fsm.scan_with', got 'fsm.barrier'}}
    fsm.barrier
    fsm.yield %a0 : f32
  }
  fsm.return
}

// -----

fsm.kernel @program(%x: i32) {
  %b = fsm.splat %x : tensor<8xi32>
  %r = fsm.scan_with %b axis 0 : tensor<8xi32> {
  ^bb0(%a0: i32, %a1: i32):
    // expected-error @below {{expected element-wise ops on scalars in the region of 'fsm.scan_with', got 'fsm.program_id'}}
    %id = fsm.program_id x : i32
    fsm.yield %id : i32
  }
  fsm.return
}

// -----

fsm.kernel @blocks(%x: i32) {
  %b = fsm.splat %x : tensor<8xi32>
  %r = fsm.reduce_with %b axis 0 : tensor<8xi32> -> i32 {
  ^bb0(%a0: i32, %a1: i32):
    // expected-error @below {{expected element-wise ops on scalars in the region of 'fsm.reduce_with', got 'fsm.splat'}}
    %c = fsm.splat %a0 : tensor<8xi32>
    fsm.yield %a0 : i32
  }
  fsm.return
}

// -----

fsm.kernel @yielded(%x: i32) {
  %b = fsm.splat %x : tensor<8xi32>
  // expected-error @below {{expected the region to end by 'fsm.yield' of ('i32')}}
  %r = fsm.reduce_with %b axis 0 : tensor<8xi32> -> i32 {
  ^bb0(%a0: i32, %a1: i32):
    // expected-note@+1 {{it ends here}}
    fsm.yield %a0, %a1 : i32, i32
  }
  fsm.return
}

// -----

fsm.kernel @outside(%x: f32) {
  %b = fsm.splat %x : tensor<8xf32>
  // expected-note @below {{required by region isolation constraints}}
  %r = fsm.scan_with %b axis 0 : tensor<8xf32> {
  ^bb0(%a0: f32, %a1: f32):
    // expected-error @below {{using value defined outside the region}}
    %s = arith.addf %a0, %x : f32
    fsm.yield %s : f32
  }
  fsm.return
}

// -----

// What is combined of f16 by a kind is f32 until it is rounded.
fsm.kernel @exchanged_elements(%x: f16) {
  %v = fsm.splat %x : tensor<4x16xf16>
  // expected-error @below {{expected the region 'exchange' to take and to yield blocks of ('f32'), in the shape of the operands but for axis 1, one for each warp there}}
  %sum = fsm.reduce <sum> %v axis 1 : tensor<4x16xf16> -> tensor<4xf16> exchange {
  ^bb0(%part: tensor<4x2xf16>):
    fsm.yield %part : tensor<4x2xf16>
  }
  fsm.return
}

// -----

fsm.kernel @exchanged_shape(%x: f32) {
  %v = fsm.splat %x : tensor<4x16xf32>
  // expected-error @below {{expected the region 'exchange' to take and to yield blocks of ('f32'), in the shape of the operands but for axis 0}}
  %sum = fsm.scan <sum> %v axis 0 : tensor<4x16xf32> exchange {
  ^bb0(%part: tensor<4x2xf32>):
    fsm.yield %part : tensor<4x2xf32>
  }
  fsm.return
}

// -----

fsm.kernel @exchanged_too_few(%x: f32) {
  %v = fsm.splat %x : tensor<16xf32>
  // expected-error @below {{expected the region 'exchange' to take and to yield blocks of ('f32', 'f32')}}
  %a, %b = fsm.reduce_with %v, %v axis 0 : tensor<16xf32>, tensor<16xf32> -> f32, f32 {
  ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
    fsm.yield %a0, %b1 : f32, f32
  } exchange {
  ^bb0(%part: tensor<2xf32>):
    fsm.yield %part : tensor<2xf32>
  }
  fsm.return
}

// -----

fsm.kernel @exchanged_twice(%x: f32) {
  %v = fsm.splat %x : tensor<16xf32>
  // expected-error @below {{expected one region 'exchange' of one block}}
  %sum = fsm.reduce <sum> %v axis 0 : tensor<16xf32> -> f32 exchange {
  ^bb0(%part: tensor<2xf32>):
    fsm.yield %part : tensor<2xf32>
  }, {
  ^bb0(%part: tensor<2xf32>):
    fsm.yield %part : tensor<2xf32>
  }
  fsm.return
}
