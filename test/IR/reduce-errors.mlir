// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @axis(%x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  // expected-error @below {{expected an axis between 0 and 1 for 'tensor<4x8xf32>', got 2}}
  %a = fsm.reduce <sum> %b axis 2 : tensor<4x8xf32> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @result(%x: f32) {
  %b = fsm.splat %x : tensor<4x8xf32>
  // expected-error @below {{expected a result of type 'tensor<8xf32>' for 'tensor<4x8xf32>' reduced along axis 0, got 'tensor<4xf32>'}}
  %a = fsm.reduce <sum> %b axis 0 : tensor<4x8xf32> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @kind(%x: f32) {
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
  %b = fsm.splat %x : tensor<8xf8E5M2>
  // expected-error @below {{does not compute on 'f8E5M2'; f8 is a storage format}}
  %a = fsm.reduce <max> %b axis 0 : tensor<8xf8E5M2> -> f8E5M2
  fsm.return
}
