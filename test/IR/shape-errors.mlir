// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @range() {
  // expected-error @below {{expected a result of type 'tensor<8xi32>' for 8 to 16, got 'tensor<16xi32>'}}
  %a = fsm.range 8, 16 : tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @expand() {
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a result of type 'tensor<1x16xi32>' for source 'tensor<16xi32>' and axis 0, got 'tensor<16x1xi32>'}}
  %b = fsm.expand_dims %a axis 0 : tensor<16xi32> -> tensor<16x1xi32>
  fsm.return
}

// -----

fsm.kernel @broadcast() {
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected extent 0 of the source to be 1 or as in the result, 32, got 16}}
  %b = fsm.broadcast %a : tensor<16xi32> -> tensor<32xi32>
  fsm.return
}

// -----

fsm.kernel @rank() {
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result of equal rank, got 'tensor<16xi32>' and 'tensor<16x16xi32>'; insert dimensions with 'fsm.expand_dims'}}
  %b = fsm.broadcast %a : tensor<16xi32> -> tensor<16x16xi32>
  fsm.return
}

// -----

fsm.kernel @reshape() {
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result with the same number of elements, got 'tensor<16xi32>' and 'tensor<3x5xi32>'}}
  %b = fsm.reshape %a : tensor<16xi32> -> tensor<3x5xi32>
  fsm.return
}

// -----

fsm.kernel @element() {
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result to have the same element type, got 'i32' and 'f32'}}
  %b = fsm.reshape %a : tensor<16xi32> -> tensor<16xf32>
  fsm.return
}
