// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --convert-fsm-to-cpu
// RUN: not %fsm_opt %S/convert-fsm-to-cpu.mlir --convert-fsm-to-cpu=vector-bytes=12 2>&1 | FileCheck %s --check-prefix=BYTES

// BYTES: expected 'vector-bytes' to be 8, 16, 32 or 64, got 12

// expected-error @below {{expected scratch memory in the plan for the host; run 'fsm-plan-host-loops' first}}
fsm.kernel @no_plan() {
  fsm.return
}

// -----

fsm.kernel @no_loop(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a loop in the plan for the host; run 'fsm-plan-host-loops' first}}
  fsm.store %o, %out[%o] : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @two_blocks(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %c1 = arith.constant 1 : i32
  // expected-error @below {{expected the roots of loop 0 of the plan to stand in one block}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  scf.for %i = %c1 to %n step %c1 : i32 {
    // expected-note@+1 {{the last root of the loop is here}}
    fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  }
  fsm.return
}

// -----

fsm.kernel @too_early(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %s = fsm.reduce <sum> %o axis 0 {fsm.host_loop = 0 : i32} : tensor<16xi32> -> i32
  // expected-error @below {{uses a result of loop 0 of the plan before the loop has run}}
  fsm.store %s, %out : i32, !fsm.ptr<i32>
  // expected-note@+1 {{the last root of the loop is here}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @shapes(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %p = fsm.range 0, 32 : tensor<32xi32>
  // expected-note@+1 {{another root of the loop is here}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  // expected-error @below {{expected the roots of one loop to have one shape}}
  fsm.store %p, %out[%p] {fsm.host_loop = 0 : i32} : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}

// -----

fsm.kernel @not_kept(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a buffer for a value that is kept in the plan for the host}}
  %s = arith.addi %o, %o {fsm.host_loop = 0 : i32} : tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @no_result_buffer(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %c = arith.constant dense<1> : tensor<4x16xi32>
  // expected-error @below {{expected buffers in the plan for the host; run 'fsm-plan-host-loops' first}}
  %s = fsm.reduce <sum> %c axis 0 {fsm.host_loop = 0 : i32} : tensor<4x16xi32> -> tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @reshaped(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = arith.constant dense<0> : tensor<4x12xi32>
  // expected-error @below {{expected a buffer for the source in the plan for the host}}
  %r = fsm.reshape %o : tensor<4x12xi32> -> tensor<6x8xi32>
  fsm.store %r, %out[%r] {fsm.host_loop = 0 : i32, fsm.host_stride = 1 : i64} : tensor<6x8xi32>, !fsm.ptr<i32>, tensor<6x8xi32>
  fsm.return
}

// -----

fsm.kernel @across_odd_rows(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = arith.constant dense<1> : tensor<4x3xi32>
  // expected-error @below {{expected extents that are powers of two, and no reduction, where vectors go on in the next row}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32, fsm.host_across_rows} : tensor<4x3xi32>, !fsm.ptr<i32>, tensor<4x3xi32>
  fsm.return
}

// -----

fsm.kernel @reduction_across_rows(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = arith.constant dense<1> : tensor<4x4xi32>
  // expected-error @below {{expected extents that are powers of two, and no reduction, where vectors go on in the next row}}
  %s = fsm.reduce <sum> %o axis 1 {fsm.host_loop = 0 : i32, fsm.host_across_rows, fsm.host_buffer = array<i64: 0>} : tensor<4x4xi32> -> tensor<4xi32>
  fsm.return
}

// -----

fsm.kernel @two_outer(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %c = arith.constant dense<1> : tensor<4x16xi32>
  // expected-error @below {{expected a loop of its own for a reduction along an outer dimension}}
  %s = fsm.reduce <sum> %c axis 0 {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>} : tensor<4x16xi32> -> tensor<16xi32>
  // expected-note@+1 {{another root of the loop is here}}
  %t = fsm.reduce <max> %c axis 0 {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>} : tensor<4x16xi32> -> tensor<16xi32>
  fsm.return
}

// -----

// Calls are gone before the conversion, unless somebody leaves the inliner out.
func.func private @helper(%x: i32) -> i32
fsm.kernel @scalar_call(%n: i32) attributes {fsm.host_scratch = 0 : i64} {
  // expected-error @below {{'func.call' has no lowering to the host}}
  %x = func.call @helper(%n) : (i32) -> i32
  fsm.return
}

// -----

func.func private @helper(%x: tensor<16xi32>) -> tensor<16xi32>
fsm.kernel @block_call(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{'func.call' has no lowering to the host}}
  %x = func.call @helper(%o) : (tensor<16xi32>) -> tensor<16xi32>
  fsm.store %x, %out[%o] {fsm.host_loop = 0 : i32, fsm.host_stride = 1 : i64} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @scan_without_loop(%p: !fsm.ptr<f32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  // expected-error @below {{expected a loop in the plan for the host; run 'fsm-plan-host-loops' first}}
  %s = fsm.scan <sum> %x axis 0 {fsm.host_buffer = array<i64: 0>} : tensor<64xf32>
  fsm.return
}

// -----

fsm.kernel @scan_without_buffer(%p: !fsm.ptr<f32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  // expected-error @below {{expected buffers in the plan for the host; run 'fsm-plan-host-loops' first}}
  %s = fsm.scan <sum> %x axis 0 {fsm.host_loop = 0 : i32} : tensor<64xf32>
  fsm.return
}

// -----

fsm.kernel @scans_share_a_loop(%p: !fsm.ptr<f32>) attributes {fsm.host_scratch = 1024 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  // expected-error @below {{expected a loop of its own for 'fsm.scan'}}
  %s = fsm.scan <sum> %x axis 0 {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>} : tensor<64xf32>
  // expected-note@+1 {{another root of the loop is here}}
  %t = fsm.scan <max> %x axis 0 {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 512>} : tensor<64xf32>
  fsm.return
}

// -----

// Sines of large numbers are those of the C library.
// expected-error @below {{redefinition of function 'sinf' of different type '!llvm.func<f32 (f32)>' is prohibited}}
fsm.kernel @sinf(%p: !fsm.ptr<f32>) attributes {fsm.host_scratch = 0 : i64} {
  %x = fsm.load %p : !fsm.ptr<f32> -> f32
  // expected-error @below {{'math.sin' has no lowering to the host}}
  %sine = math.sin %x : f32
  fsm.store %sine, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @line(%out: !fsm.ptr<i32>, %more: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a loop of its own for 'fsm.store'}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32, fsm.host_from_line} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  // expected-note@+1 {{another root of the loop is here}}
  fsm.store %o, %more[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @touched_before_it_is_known(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %sum = fsm.reduce <sum> %o axis 0 {fsm.host_loop = 0 : i32} : tensor<16xi32> -> i32
  %to = fsm.offset %out, %sum : !fsm.ptr<i32>, i32
  // expected-error @below {{expected addresses that are known where pages are touched in the plan for the host; run 'fsm-plan-host-loops' first}}
  fsm.store %o, %to[%o] {fsm.host_loop = 1 : i32, fsm.host_touch_pages = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}
