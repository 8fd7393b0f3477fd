// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-note@+1 {{the source is this argument}}
fsm.kernel @same(%x: f32) {
  // expected-error @below {{expected source and result of different element types, got 'f32' and 'f32'}}
  %a = fsm.convert %x rounding = nearest_even : f32 -> f32
  fsm.return
}

// -----

fsm.kernel @integer(%x: f32) {
  // expected-error @below {{result #0 must be float or block of floats, but got 'i32'}}
  %a = fsm.convert %x rounding = nearest_even : f32 -> i32
  fsm.return
}

// -----

fsm.kernel @shapes(%x: f32) {
  %b = fsm.splat %x : tensor<4xf32>
  // expected-error @below {{all non-scalar operands/results must have the same shape and base type}}
  %a = fsm.convert %b rounding = nearest_even : tensor<4xf32> -> tensor<5xf16>
  fsm.return
}

// -----

fsm.kernel @scalar_to_block(%x: f32) {
  // expected-error @below {{if a result is non-scalar, then at least one operand must be non-scalar}}
  %a = fsm.convert %x rounding = nearest_even : f32 -> tensor<5xf16>
  fsm.return
}

// -----

fsm.kernel @rounding(%x: f32) {
  // expected-error @below {{expected}}
  %a = fsm.convert %x rounding = upward : f32 -> f16
  fsm.return
}

// -----

fsm.kernel @f8(%x: f8E5M2) {
  // expected-error @below {{operand #0 must be f16, bf16, f32, f64 or a block of these, but got 'f8E5M2'}}
  %a = fsm.sqrt_rn %x : f8E5M2
  fsm.return
}

// -----

fsm.kernel @words(%x: i64) {
  // expected-error @below {{operand #0 must be i32 or block of i32, but got 'i64'}}
  %a:4 = fsm.philox counter %x, %x, %x, %x key %x, %x : i64
  fsm.return
}
