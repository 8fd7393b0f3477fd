// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @range() {
  // expected-error @below {{expected a result of type 'tensor<8xi32>' for 8 to 16, got 'tensor<16xi32>'}}
  %a = fsm.range 8, 16 : tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @expand() {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a result of type 'tensor<1x16xi32>' for source 'tensor<16xi32>' and axis 0, got 'tensor<16x1xi32>'}}
  %b = fsm.expand_dims %a axis 0 : tensor<16xi32> -> tensor<16x1xi32>
  fsm.return
}

// -----

fsm.kernel @broadcast() {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected extent 0 of the source to be 1 or as in the result, 32, got 16}}
  %b = fsm.broadcast %a : tensor<16xi32> -> tensor<32xi32>
  fsm.return
}

// -----

fsm.kernel @rank() {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result of equal rank, got 'tensor<16xi32>' and 'tensor<16x16xi32>'; say with 'dims' which dimensions the source's are}}
  %b = fsm.broadcast %a : tensor<16xi32> -> tensor<16x16xi32>
  fsm.return
}

// -----

fsm.kernel @reshape() {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result with the same number of elements, got 'tensor<16xi32>' and 'tensor<3x5xi32>'}}
  %b = fsm.reshape %a : tensor<16xi32> -> tensor<3x5xi32>
  fsm.return
}

// -----

fsm.kernel @element() {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected source and result to have the same element type, got 'i32' and 'f32'}}
  %b = fsm.reshape %a : tensor<16xi32> -> tensor<16xf32>
  fsm.return
}

// -----

fsm.kernel @order_twice(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected 'order' to list the dimensions 0 to 1 of 'tensor<4x6xf32>', each once, got [1, 1]}}
  %b = fsm.transpose %a order [1, 1] : tensor<4x6xf32> -> tensor<6x6xf32>
  fsm.return
}

// -----

fsm.kernel @order_short(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected 'order' to list the dimensions 0 to 1 of 'tensor<4x6xf32>', each once, got [0]}}
  %b = fsm.transpose %a order [0] : tensor<4x6xf32> -> tensor<4x6xf32>
  fsm.return
}

// -----

fsm.kernel @order_outside(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected 'order' to list the dimensions 0 to 1 of 'tensor<4x6xf32>', each once, got [-1, 2]}}
  %b = fsm.transpose %a order [-1, 2] : tensor<4x6xf32> -> tensor<6x4xf32>
  fsm.return
}

// -----

fsm.kernel @transposed_shape(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected a result of type 'tensor<6x4xf32>' for source 'tensor<4x6xf32>' and order [1, 0], got 'tensor<4x6xf32>'}}
  %b = fsm.transpose %a order [1, 0] : tensor<4x6xf32> -> tensor<4x6xf32>
  fsm.return
}

// -----

fsm.kernel @transposed_element(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected source and result to have the same element type, got 'f32' and 'i32'}}
  %b = fsm.transpose %a order [1, 0] : tensor<4x6xf32> -> tensor<6x4xi32>
  fsm.return
}

// -----

fsm.kernel @join_in_front(%x: f32) {
  // expected-note@+1 {{the left block is made here}}
  %a = fsm.splat %x : tensor<4x6xf32>
  // expected-error @below {{expected 'tensor<4x6x2xf32>' to belong to two of 'tensor<4x6xf32>', got 'tensor<2x4x6xf32>'}}
  %b = fsm.join %a, %a : tensor<4x6xf32> -> tensor<2x4x6xf32>
  fsm.return
}

// -----

fsm.kernel @join_element(%x: f32) {
  // expected-note@+1 {{the left block is made here}}
  %a = fsm.splat %x : tensor<4xf32>
  // expected-error @below {{expected source and result to have the same element type, got 'f32' and 'f64'}}
  %b = fsm.join %a, %a : tensor<4xf32> -> tensor<4x2xf64>
  fsm.return
}

// -----

fsm.kernel @join_of_rank_24(%x: f32) {
  %a = fsm.splat %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>
  // expected-error @below {{result #0 must be block of elements (static shape, rank 1 to 24, positive extents, no foreign encoding), but got 'tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4x2xf32>'}}
  %b = fsm.join %a, %a : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32> -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4x2xf32>
  fsm.return
}

// -----

fsm.kernel @split_of_three(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x3xf32>
  // expected-error @below {{expected 'tensor<4x2xf32>' to belong to two of 'tensor<4xf32>', got 'tensor<4x3xf32>'}}
  %b, %c = fsm.split %a : tensor<4x3xf32> -> tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @split_element(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %a = fsm.splat %x : tensor<4x2xf32>
  // expected-error @below {{expected source and result to have the same element type, got 'i32' and 'f32'}}
  %b, %c = fsm.split %a : tensor<4x2xf32> -> tensor<4xi32>
  fsm.return
}
