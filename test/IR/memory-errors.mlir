// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-note@+1 {{the pointer is this argument}}
fsm.kernel @element(%p: !fsm.ptr<f32>) {
  // expected-error @below {{expected a result of type 'f32' for '!fsm.ptr<f32>' without offsets, got 'f16'}}
  %a = fsm.load %p : !fsm.ptr<f32> -> f16
  fsm.return
}

// -----

// expected-note@+1 {{the pointer is this argument}}
fsm.kernel @shape(%p: !fsm.ptr<f32>, %b: f32) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-note@+1 {{the value is made here}}
  %s = fsm.splat %b : tensor<9xf32>
  // expected-error @below {{expected a value of type 'tensor<8xf32>' for '!fsm.ptr<f32>' and the given offsets, got 'tensor<9xf32>'}}
  fsm.store %s, %p[%o] : tensor<9xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @pointers(%p: !fsm.ptr<!fsm.ptr<f32>>) {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{accesses a block of pointers; pointers are loaded and stored one at a time, without offsets}}
  %s = fsm.load %p[%o] : !fsm.ptr<!fsm.ptr<f32>>, tensor<8xi32> -> tensor<8xf32>
  fsm.return
}

// -----

fsm.kernel @cache(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error @below {{expected one of the cache hints 'wb', 'cg', 'cs', 'wt', got 'cv'}}
  fsm.store %x, %p cache = cv : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @scalar_offset(%p: !fsm.ptr<f32>, %n: i32) {
  // expected-error @below {{expected a block of offsets, got 'i32'; move a pointer by a scalar with 'fsm.offset'}}
  %a = fsm.load %p[%n] : !fsm.ptr<f32>, i32 -> f32
  fsm.return
}

// -----

// expected-note@+1 {{'other' is this argument}}
fsm.kernel @scalar_other(%p: !fsm.ptr<f32>, %c: i1, %n: i32) {
  // expected-error @below {{expected 'other' of type 'f32', got 'i32'}}
  %a = fsm.load %p, %c, %n : !fsm.ptr<f32>, other i32 -> f32
  fsm.return
}

// -----

fsm.kernel @mask(%p: !fsm.ptr<f32>, %m: i1) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-note@+1 {{the mask is made here}}
  %four = fsm.splat %m : tensor<4xi1>
  // expected-error @below {{expected the mask to be i1 or to have the shape of the access, 'tensor<8xf32>', got 'tensor<4xi1>'}}
  %a = fsm.load %p[%o], %four : !fsm.ptr<f32>, tensor<8xi32>, mask tensor<4xi1> -> tensor<8xf32>
  fsm.return
}
