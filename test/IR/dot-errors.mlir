// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @vectors(%s: f16) {
  // expected-note@+2 {{the left matrix is made here}}
  // expected-note@+1 {{the right matrix is made here}}
  %v = fsm.splat %s : tensor<4xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<4xf32>
  // expected-error @below {{expected three matrices, or three batches of them, got 'tensor<4xf16>', 'tensor<4xf16>' and 'tensor<4xf32>'}}
  %d = fsm.dot %v, %v, %c : tensor<4xf16>, tensor<4xf16> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @ranks() {
  // expected-note@+1 {{the left matrix is made here}}
  %a = ub.poison : tensor<2x4x4xf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<4x4xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<2x4x4xf32>
  // expected-error @below {{expected three matrices, or three batches of them, got 'tensor<2x4x4xf16>', 'tensor<4x4xf16>' and 'tensor<2x4x4xf32>'}}
  %d = fsm.dot %a, %b, %c : tensor<2x4x4xf16>, tensor<4x4xf16> -> tensor<2x4x4xf32>
  fsm.return
}

// -----

fsm.kernel @four() {
  // expected-note@+2 {{the left matrix is made here}}
  // expected-note@+1 {{the right matrix is made here}}
  %a = ub.poison : tensor<2x2x4x4xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<2x2x4x4xf32>
  // expected-error @below {{expected three matrices, or three batches of them, got 'tensor<2x2x4x4xf16>'}}
  %d = fsm.dot %a, %a, %c : tensor<2x2x4x4xf16>, tensor<2x2x4x4xf16> -> tensor<2x2x4x4xf32>
  fsm.return
}

// -----

fsm.kernel @inner() {
  // expected-note@+1 {{the left matrix is made here}}
  %a = ub.poison : tensor<4x5xf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<4x6xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<4x6xf32>
  // expected-error @below {{expected as many columns of the left matrix as rows of the right one, in batches of one extent, got 'tensor<4x5xf16>' and 'tensor<4x6xf16>'}}
  %d = fsm.dot %a, %b, %c : tensor<4x5xf16>, tensor<4x6xf16> -> tensor<4x6xf32>
  fsm.return
}

// -----

fsm.kernel @batches() {
  // expected-note@+1 {{the left matrix is made here}}
  %a = ub.poison : tensor<2x4x4xf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<3x4x4xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<2x4x4xf32>
  // expected-error @below {{in batches of one extent, got 'tensor<2x4x4xf16>' and 'tensor<3x4x4xf16>'}}
  %d = fsm.dot %a, %b, %c : tensor<2x4x4xf16>, tensor<3x4x4xf16> -> tensor<2x4x4xf32>
  fsm.return
}

// -----

fsm.kernel @result() {
  // expected-note@+1 {{the left matrix is made here}}
  %a = ub.poison : tensor<4x5xf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<5x6xf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<6x4xf32>
  // expected-error @below {{expected a result of the extents 4, 6 for 'tensor<4x5xf16>' and 'tensor<5x6xf16>', got 'tensor<6x4xf32>'}}
  %d = fsm.dot %a, %b, %c : tensor<4x5xf16>, tensor<5x6xf16> -> tensor<6x4xf32>
  fsm.return
}

// -----

fsm.kernel @halves() {
  // expected-note@+2 {{the left matrix is made here}}
  // expected-note@+1 {{the third matrix is made here}}
  %a = ub.poison : tensor<4x4xbf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<4x4xbf16>
  // expected-error @below {{expected two matrices of one type, or of f8: f16, bf16, f8 or f32 adding up in f32, f16 in f16, i8 in i32, or f64 in f64, got 'bf16' and 'bf16' adding up in 'bf16'}}
  %d = fsm.dot %a, %b, %a : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xbf16>
  fsm.return
}

// -----

fsm.kernel @mixed() {
  // expected-note@+1 {{the left matrix is made here}}
  %a = ub.poison : tensor<4x4xf16>
  // expected-note@+1 {{the right matrix is made here}}
  %b = ub.poison : tensor<4x4xbf16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<4x4xf32>
  // expected-error @below {{got 'f16' and 'bf16' adding up in 'f32'}}
  %d = fsm.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  fsm.return
}

// -----

fsm.kernel @integers() {
  // expected-note@+2 {{the left matrix is made here}}
  // expected-note@+1 {{the right matrix is made here}}
  %a = ub.poison : tensor<4x4xi16>
  // expected-note@+1 {{the third matrix is made here}}
  %c = ub.poison : tensor<4x4xi32>
  // expected-error @below {{got 'i16' and 'i16' adding up in 'i32'}}
  %d = fsm.dot %a, %a, %c : tensor<4x4xi16>, tensor<4x4xi16> -> tensor<4x4xi32>
  fsm.return
}

// -----

fsm.kernel @no_precision() {
  %a = ub.poison : tensor<4x4xf32>
  // expected-error @below {{expected 'precision = ieee|tf32|tf32x3|bf16x3|bf16x6' for 'f32'}}
  %d = fsm.dot %a, %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  fsm.return
}

// -----

fsm.kernel @exact_sums() {
  %a = ub.poison : tensor<4x4xf16>
  %c = ub.poison : tensor<4x4xf32>
  // expected-error @below {{expected 'accumulate' of f8 alone, got 'f16'}}
  %d = fsm.dot %a, %a, %c accumulate = 32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  fsm.return
}

// -----

fsm.kernel @saturated_floats() {
  %a = ub.poison : tensor<4x4xf16>
  %c = ub.poison : tensor<4x4xf32>
  // expected-error @below {{expected 'saturate' of i8 alone, got 'f16'}}
  %d = fsm.dot %a, %a, %c saturate : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  fsm.return
}

// -----

fsm.kernel @needless_precision() {
  %a = ub.poison : tensor<4x4xf64>
  // expected-error @below {{expected no 'precision' for 'f64'}}
  %d = fsm.dot %a, %a, %a precision = ieee : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  fsm.return
}
