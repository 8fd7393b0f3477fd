// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @bits(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error @below {{expected i32 or i64 for 'and', got 'f32'}}
  %a = fsm.atomic_rmw <and> %x, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @narrow(%p: !fsm.ptr<i8>, %x: i8) {
  // expected-error @below {{expected i32, i64, f32 or f64, or f16 or bf16, for 'add', got 'i8'}}
  %a = fsm.atomic_rmw <add> %x, %p : i8, !fsm.ptr<i8>
  fsm.return
}

// -----

fsm.kernel @half(%p: !fsm.ptr<f16>, %x: f16) {
  // expected-error @below {{expected i32, i64, f32 or f64 for 'max', got 'f16'}}
  %a = fsm.atomic_rmw <max> %x, %p : f16, !fsm.ptr<f16>
  fsm.return
}

// -----

fsm.kernel @compare(%p: !fsm.ptr<i8>, %x: i8) {
  // expected-error @below {{expected an element of 16, 32 or 64 bits to compare and replace, got 'i8'}}
  %a = fsm.atomic_cas %x, %x, %p : i8, !fsm.ptr<i8>
  fsm.return
}

// -----

// expected-note@+2 {{the pointer is this argument}}
// expected-note@+1 {{the value is this argument}}
fsm.kernel @scalar(%p: !fsm.ptr<f32>, %x: f64) {
  // expected-error @below {{expected a value of type 'f32' for '!fsm.ptr<f32>' without offsets, got 'f64'}}
  %a = fsm.atomic_rmw <add> %x, %p : f64, !fsm.ptr<f32>
  fsm.return
}

// -----

// expected-note@+2 {{the pointer is this argument}}
// expected-note@+1 {{the value is this argument}}
fsm.kernel @block(%p: !fsm.ptr<i32>, %x: i32) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{expected a value of type 'tensor<8xi32>' for '!fsm.ptr<i32>' and the given offsets, got 'i32'}}
  %a = fsm.atomic_rmw <add> %x, %p[%o] : i32, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @mask(%p: !fsm.ptr<i32>, %x: i32) {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-note@+1 {{the value is made here}}
  %v = fsm.splat %x : tensor<8xi32>
  // expected-note@+1 {{the mask is made here}}
  %m = arith.constant dense<true> : tensor<4xi1>
  // expected-error @below {{expected the mask to be i1 or to have the shape of the access, 'tensor<8xi32>', got 'tensor<4xi1>'}}
  %a = "fsm.atomic_rmw"(%v, %p, %o, %m) <{kind = #fsm.atomic_kind<add>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>, tensor<4xi1>) -> tensor<8xi32>
  fsm.return
}

// -----

fsm.kernel @pointer(%p: !fsm.ptr<!fsm.ptr<i32>>, %q: !fsm.ptr<i32>) {
  // expected-error @below {{operand #0 must be scalar or block, but got '!fsm.ptr<i32>'}}
  %a = "fsm.atomic_rmw"(%q, %p) <{kind = #fsm.atomic_kind<exch>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<i32>>) -> !fsm.ptr<i32>
  fsm.return
}
