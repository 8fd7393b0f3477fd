// What FSM has nothing like is an error at the op.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-import-triton

// expected-error @below {{'func.func' cannot be imported: expected functions of Triton only}}
func.func private @other()

// -----

// expected-error @below {{'tt.func' cannot be imported: expected a body}}
tt.func private @declared(%x: i32)

// -----

// expected-error @below {{'tt.func' cannot be imported: expected pointers to i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, got '!tt.ptr<tensor<4xf32>>'}}
tt.func public @kinds(%x: !tt.ptr<tensor<4xf32>>) {
  tt.return
}

// -----

tt.func public @bits() {
  // expected-error @below {{expected integers of at most 64 bits, got 'i128'}}
  %x = arith.constant 0 : i128
  tt.return
}

// -----

tt.func public @rank() {
  // expected-error @below {{expected tensors of static shape and rank 1 or more, without an encoding, got 'tensor<f32>'}}
  %x = arith.constant dense<0.0> : tensor<f32>
  tt.return
}

// -----

tt.func public @instructions(%x: i64) {
  // expected-error @below {{'tt.elementwise_inline_asm' cannot be imported: expected instructions of PTX that only compute, and that are known, got 'ld.global.b32 $0, [$1]'}}
  %y = tt.elementwise_inline_asm "ld.global.b32 $0, [$1];" {constraints = "=r,l", packed_element = 1 : i32, pure = true} %x : i64 -> i32
  tt.return
}

// -----

tt.func public @special() {
  // expected-error @below {{expected instructions of PTX that only compute, and that are known, got 'mov.u64 $0, %globaltimer'}}
  %y = tt.elementwise_inline_asm "mov.u64 $0, %globaltimer;" {constraints = "=l", packed_element = 1 : i32, pure = false} -> i64
  tt.return
}

// -----

tt.func public @written(%x: i32) {
  // expected-error @below {{'tt.elementwise_inline_asm' cannot be imported: expected instructions that write each result}}
  %y:2 = tt.elementwise_inline_asm "mov.u32 $0, $2;" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32, i32
  tt.return
}

// -----

tt.func public @constraints(%x: i32) {
  // expected-error @below {{expected a constraint like '=r' for each register of a result, then one like 'r' for each of an operand, got '=r,h'}}
  %y = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,h", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @clobbers(%x: i32) {
  // expected-error @below {{expected a constraint like '=r' for each register of a result, then one like 'r' for each of an operand, got '=r,r,~{memory}'}}
  %y = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,r,~{memory}", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @bytes(%x: i8) {
  // expected-error @below {{expected a power of two that divides 1 elements to be taken at once, got 4}}
  %y = tt.elementwise_inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %x : i8 -> i8
  tt.return
}

// -----

tt.func public @pointer(%x: !tt.ptr<i8>) {
  // expected-error @below {{expected numbers of 8 bits or more for instructions of PTX, got '!tt.ptr<i8>'}}
  %y = tt.elementwise_inline_asm "mov.u64 $0, $1;" {constraints = "=l,l", packed_element = 1 : i32, pure = true} %x : !tt.ptr<i8> -> i64
  tt.return
}

// -----

tt.func public @packs() {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // expected-error @below {{'tt.map_elementwise' cannot be imported: expected a power of two that divides 4 elements to be taken at once, got 8}}
  %y = "tt.map_elementwise"(%x) <{pack = 8 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32):
    tt.map_elementwise.return %b, %a, %c, %d, %e, %f, %g, %h : i32, i32, i32, i32, i32, i32, i32, i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func public @map(%c: i32) {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // expected-error @below {{'tt.map_elementwise' cannot be imported: its region uses a value of outside}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %b = arith.addi %a, %c : i32
    tt.map_elementwise.return %b : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func public @effects(%p: !tt.ptr<i32>) {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    // expected-error @below {{'tt.get_program_id' cannot be imported: expected arithmetic in a region of scalars}}
    %b = tt.get_program_id x : i32
    tt.map_elementwise.return %b : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func public @three() {
  %x = tt.make_range {end = 6 : i32, start = 0 : i32} : tensor<6xi32>
  // expected-error @below {{expected a power of two that divides 6 elements to be taken at once, got 3}}
  %y = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32):
    tt.map_elementwise.return %b, %a, %c : i32, i32, i32
  }) : (tensor<6xi32>) -> tensor<6xi32>
  tt.return
}

// -----

tt.func public @operands() {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // expected-error @below {{'tt.map_elementwise' cannot be imported: expected a region of 1 elements that gives 1}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    tt.map_elementwise.return %b : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func public @nobody_has_set(%x: i32) {
  // expected-error @below {{'tt.elementwise_inline_asm' cannot be imported: expected instructions of PTX that only compute, and that are known, got '@!p mov.b32 $0, $1'}}
  %y = tt.elementwise_inline_asm "@!p mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @two_predicates(%x: i32) {
  // expected-error @below {{got 'setp.eq.s32 p|q, $1, 0'}}
  %y = tt.elementwise_inline_asm "setp.eq.s32 p|q, $1, 0; selp.b32 $0, 1, 2, p;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @function(%x: f32) {
  // expected-error @below {{'tt.extern_elementwise' cannot be imported: no op is the function '__nv_jnf' on}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_jnf"} : (f32) -> f32
  tt.return
}

// -----

tt.func public @nameless(%x: f32) {
  // expected-error @below {{'tt.extern_elementwise' cannot be imported: no op is the function '__nv__rn' on}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv__rn"} : (f32) -> f32
  tt.return
}

// -----

tt.func public @unsigned(%n: i32) {
  %zero = arith.constant 0 : i32
  // expected-error @below {{'scf.for' cannot be imported: expected a loop over signed numbers}}
  scf.for unsigned %i = %zero to %n step %n : i32 {
  }
  tt.return
}

// -----

tt.func public @padded(%p: !tt.ptr<f32>) {
  // expected-error @below {{'tt.load' cannot be imported: expected pointers to elements; Triton rewrites those to tensors}}
  %x = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @atomic(%p: !tt.ptr<f32>, %x: i32) {
  // expected-error @below {{'tt.atomic_rmw' cannot be imported: expected 'f32' as the pointers say, got 'i32'}}
  %y = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, i32) -> i32
  tt.return
}

// -----

tt.func public @captured(%y: i32) {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // expected-error @below {{'tt.reduce' cannot be imported: its region uses a value of outside}}
  %z = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %y : i32
    tt.reduce.return %c : i32
  }) : (tensor<4xi32>) -> i32
  tt.return
}

// -----

tt.func public @odd() {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // expected-error @below {{'tt.reduce' cannot be imported: expected a region of two tuples that ends with 'tt.reduce.return'}}
  %z = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32):
    tt.reduce.return %c : i32
  }) : (tensor<4xi32>) -> i32
  tt.return
}

// -----

// An assert that depends on a branch stays where it is, where it may not be.
tt.func public @branch(%p: !tt.ptr<i32>) {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %z = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    // expected-error @below {{expected element-wise ops on scalars in the region of 'fsm.reduce_with', got 'scf.if'}}
    scf.if %c {
      tt.assert %c, "smaller" : i1
    }
    tt.reduce.return %a : i32
  }) : (tensor<4xi32>) -> i32
  tt.return
}

// -----

tt.func public @end() {
  %x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %base = arith.constant 0 : i64
  %p = tt.int_to_ptr %base : i64 -> !tt.ptr<f32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  // expected-error @below {{'tt.reduce' cannot be imported: pointers are not combined}}
  %z = "tt.reduce"(%ps) <{axis = 0 : i32}> ({
  ^bb0(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>):
    tt.reduce.return %a : !tt.ptr<f32>
  }) : (tensor<4x!tt.ptr<f32>>) -> !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @factors(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<0> : tensor<16x16xi8>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{'tt.dot_scaled' cannot be imported: factors of 'i8' as e2m3 are unknown}}
  %d = tt.dot_scaled %a, %a, %c lhs = e2m3 rhs = e5m2 {fastMath = false} : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @scales(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<0> : tensor<16x16xi8>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{'tt.dot_scaled' cannot be imported: expected scales of i8, got 'tensor<16x16xf32>'}}
  %d = tt.dot_scaled %a scale %c, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x16xi8>, tensor<16x16xf32> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @groups(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<0> : tensor<16x16xi8>
  %s = arith.constant dense<0> : tensor<16x3xi8>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{'tt.dot_scaled' cannot be imported: expected scales along an extent of 16, got 'tensor<16x3xi8>'}}
  %d = tt.dot_scaled %a scale %s, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x16xi8>, tensor<16x3xi8> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @ranks(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<0> : tensor<16xi8>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{'tt.dot_scaled' cannot be imported: expected factors of the rank of the sum, got 'tensor<16xi8>' and 'tensor<16xi8>'}}
  %d = tt.dot_scaled %a, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16xi8> * tensor<16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @forever() {
  cf.br ^loop
^loop:
  // expected-error @below {{expected a loop that ends}}
  cf.br ^loop
}

// -----

tt.func public @bitcast(%p: !tt.ptr<f32>) {
  // expected-error @below {{'tt.bitcast' cannot be imported: expected pointers or none, got '!tt.ptr<f32>' and 'i64'}}
  %x = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func public @numbers(%x: i64) {
  // expected-error @below {{'tt.print' cannot be imported: integers are printed as signed numbers, which not all of 'i64' are}}
  tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : i64
  tt.return
}

// -----

tt.func public @language(%x: f32) {
  // expected-error @below {{'llvm.fneg' cannot be imported: FSM has nothing like it}}
  %y = llvm.fneg %x : f32
  tt.return
}

// -----

// What the language says against an op that has a counterpart.
tt.func public @swap(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error @below {{'fsm.atomic_cas' op expected}}
  %y = tt.atomic_cas acq_rel, gpu, %p, %x, %x : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func public @cast(%x: i32) {
  %block = tt.splat %x : i32 -> tensor<2x3xi32>
  // expected-error @below {{'builtin.unrealized_conversion_cast' cannot be imported: expected a block that loses dimensions of extent 1}}
  %y = builtin.unrealized_conversion_cast %block : tensor<2x3xi32> to tensor<3x2xi32>
  tt.return
}

// -----

tt.func public @unknown(%p: !tt.ptr<i16>) {
  // expected-error @below {{'tt.experimental' is not among the ops of Triton 3.6 that can be imported}}
  %y = tt.experimental %p : !tt.ptr<i16>
  tt.return
}

// -----

// expected-error @below {{expected branches that end where the function does}}
tt.func public @ends(%c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  tt.return
^other:
  llvm.unreachable
}

// -----

// expected-error @below {{expected a number from 0 to 32 as 'tt.num_warps', got 64 : i32}}
module attributes {tt.num_warps = 64 : i32} {
}

// -----

// expected-error @below {{expected a number from 0 to 255 as 'tt.maxnreg', got "many"}}
module attributes {tt.maxnreg = "many"} {
}

// -----

tt.func public @stored(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @below {{'tt.store' cannot be imported: expected pointers to elements; Triton rewrites those to tensors}}
  tt.store %p, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @splat(%p: !tt.ptr<f32>) {
  %x = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  // expected-error @below {{'tt.splat' cannot be imported: expected a scalar, got 'tensor<4x!tt.ptr<f32>>'}}
  %y = tt.splat %x : tensor<4x!tt.ptr<f32>> -> tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @no_choice() {
  %c = arith.constant 0 : index
  // expected-error @below {{'scf.index_switch' cannot be imported: expected a choice}}
  scf.index_switch %c
  default {
    scf.yield
  }
  tt.return
}
