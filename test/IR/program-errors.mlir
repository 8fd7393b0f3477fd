// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected argument 1 to be i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, or a pointer, got 'tensor<4xf32>'}}
fsm.kernel @block_argument(%n: i32, %b: tensor<4xf32>) {
  fsm.return
}

// -----

// expected-error @below {{expected 'num_warps' to be a power of two between 1 and 32, got 6}}
fsm.kernel @warps() attributes {num_warps = 6 : i32} {
  fsm.return
}

// -----

fsm.kernel @terminator() {
  // expected-error @below {{expected the kernel to end with 'fsm.return', got 'llvm.unreachable'}}
  llvm.unreachable
}

// -----

// expected-error @below {{expected a body that ends with 'fsm.return'}}
fsm.kernel @empty() {
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{'fsm.align' promises something of a pointer, but argument 1 is 'i32'}}
fsm.kernel @align(%p: !fsm.ptr<f32>, %n: i32 {fsm.align = 16 : i32}) {
  fsm.return
}

// -----

// expected-error @below {{expected 'fsm.align' of argument 0 to be a power of two, got 24}}
fsm.kernel @align(%p: !fsm.ptr<f32> {fsm.align = 24 : i32}) {
  fsm.return
}

// -----

// expected-error @below {{expected 'fsm.noalias' of argument 0 to carry no value, got 1 : i32}}
fsm.kernel @noalias(%p: !fsm.ptr<f32> {fsm.noalias = 1 : i32}) {
  fsm.return
}

// -----

// expected-note@+1 {{the value is this argument}}
fsm.kernel @hint(%n: i32) {
  // expected-error @below {{expected 'multiple_of' to have 1 number for 'i32', got 2}}
  %a = fsm.hint %n {multiple_of = array<i64: 4, 4>} : i32
  fsm.return
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{'fsm.divisible' promises something of an integer, but argument 0 is '!fsm.ptr<f32>'}}
fsm.kernel @divisible(%p: !fsm.ptr<f32> {fsm.divisible = 16 : i32}) {
  fsm.return
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{expected promises of argument 0 in words of fsm, 'fsm.align = 16', got 'tt.divisibility'}}
fsm.kernel @triton_pointer(%p: !fsm.ptr<f32> {tt.divisibility = 16 : i32}) {
  fsm.return
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{expected promises of argument 1 in words of fsm, 'fsm.divisible = 16', got 'tt.divisibility'}}
fsm.kernel @triton_number(%p: !fsm.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) {
  fsm.return
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{expected promises of argument 0 in words of fsm, 'fsm.noalias', got 'llvm.noalias'}}
fsm.kernel @llvm(%p: !fsm.ptr<f32> {llvm.noalias}) {
  fsm.return
}

// -----

// expected-note@+2 {{the argument is here}}
// expected-error @below {{expected promises of argument 0 in words of fsm, one of 'fsm.align', 'fsm.divisible', 'fsm.equal_to', 'fsm.at_least', 'fsm.at_most', 'fsm.noalias', 'fsm.readonly', 'fsm.large', got 'my.own'}}
fsm.kernel @unknown(%p: !fsm.ptr<f32> {my.own}) {
  fsm.return
}
