// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @foreign(%x: f32) {
  // expected-error @below {{'math.isinf' is not part of the block language}}
  %a = math.isinf %x : f32
  fsm.return
}

// -----

fsm.kernel @index() {
  // expected-error @below {{result 0 of 'arith.constant' has type 'index': 'index' is not a type of the block language; use i32 or i64}}
  %a = arith.constant 0 : index
  fsm.return
}

// -----

fsm.kernel @region_argument() {
  %c = arith.constant true
  // expected-error @below {{result 0 of 'scf.while' has type 'vector<4xf32>': expected i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, a pointer, or a block (ranked tensor)}}
  %a = scf.while : () -> vector<4xf32> {
    %v = ub.poison : vector<4xf32>
    scf.condition(%c) %v : vector<4xf32>
  } do {
  ^bb0(%v: vector<4xf32>):
    scf.yield
  }
  fsm.return
}

// -----

fsm.kernel @size() {
  // expected-error @below {{result 0 of 'ub.poison' has type 'tensor<1025x1024xi8>': expected at most 1048576 elements in a block; loop over smaller blocks}}
  %a = ub.poison : tensor<1025x1024xi8>
  fsm.return
}

// -----

// expected-note@+1 {{the operand is this argument}}
fsm.kernel @f8(%x: f8E5M2) {
  // expected-error @below {{'arith.addf' does not compute on f8; f8 is a storage format}}
  %a = arith.addf %x, %x : f8E5M2
  fsm.return
}

// -----

fsm.kernel @attribute(%c: i1) {
  // expected-error @below {{'fsm.num_stages' belongs on 'scf.for', not on 'scf.if'}}
  scf.if %c {
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
