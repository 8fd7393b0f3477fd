// Floats that are neighbours in memory are added to by one instruction, as far as the target has it: rows of a table, of which
// each has 16 bytes at a time.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a}))' --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_80}))' --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,SM80

// CHECK-LABEL: fsm.kernel @words
// SM90:          fsm.atomic_rmw <add> {{.*}}{fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32}
// SM80-NOT:      fsm.atomic_rmw {{.*}}fsm.access_width
fsm.kernel @words(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %x = arith.constant dense<1.0> : tensor<2048xf32>
  %old = fsm.atomic_rmw <add> %x, %p[%o] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  fsm.return
}

// Two f16 everywhere, eight bf16 or none.
// CHECK-LABEL: fsm.kernel @halves
// SM90:          fsm.atomic_rmw <add> {{.*}}fsm.access_width = 8 : i32}
// SM90:          fsm.atomic_rmw <add> {{.*}}fsm.access_width = 8 : i32}
// SM80:          fsm.atomic_rmw <add> {{.*}}fsm.access_width = 2 : i32} : tensor<2048xf16
// SM80-NOT:      fsm.atomic_rmw {{.*}}fsm.access_width
fsm.kernel @halves(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<bf16> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %x = arith.constant dense<1.0> : tensor<2048xf16>
  %old = fsm.atomic_rmw <add> %x, %p[%o] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  %y = arith.constant dense<1.0> : tensor<2048xbf16>
  %seen = fsm.atomic_rmw <add> %y, %q[%o] : tensor<2048xbf16>, !fsm.ptr<bf16>, tensor<2048xi32>
  fsm.return
}

// Rows that end anywhere: the mask may end within two f16, but not where what was in memory is used.
// CHECK-LABEL: fsm.kernel @rows
// CHECK:         fsm.atomic_rmw <add> {{.*}}fsm.access_width = 2 : i32, fsm.mask_ends}
// CHECK-NOT:     fsm.atomic_rmw {{.*}}fsm.access_width
// CHECK:         fsm.return
fsm.kernel @rows(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %o, %mask = fsm.places origin [0, 0] strides [64, 1] bounds [8, 32] : tensor<8x32xi32>
  %x = arith.constant dense<1.0> : tensor<8x32xf16>
  %c = fsm.range 0, 32 : tensor<32xi32>
  %ns = fsm.splat %n : tensor<32xi32>
  %in = arith.cmpi slt, %c, %ns : tensor<32xi32>
  %in1 = fsm.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
  %in2 = fsm.broadcast %in1 : tensor<1x32xi1> -> tensor<8x32xi1>
  %a = fsm.atomic_rmw <add> %x, %p[%o], %in2 : tensor<8x32xf16>, !fsm.ptr<f16>, tensor<8x32xi32>
  %b = fsm.atomic_rmw <add> %x, %p[%o], %in2 : tensor<8x32xf16>, !fsm.ptr<f16>, tensor<8x32xi32>
  fsm.store %b, %p[%o] : tensor<8x32xf16>, !fsm.ptr<f16>, tensor<8x32xi32>
  fsm.return
}

// Extremes, integers and f64 are changed one by one.
// CHECK-LABEL: fsm.kernel @others
// CHECK-NOT:     fsm.atomic_rmw {{.*}}fsm.access_width
// CHECK:         fsm.return
fsm.kernel @others(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %q: !fsm.ptr<i32> {fsm.align = 16 : i32}, %r: !fsm.ptr<f64> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %x = arith.constant dense<1.0> : tensor<2048xf32>
  %a = fsm.atomic_rmw <max> %x, %p[%o] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  %b = fsm.atomic_rmw <add> %o, %q[%o] : tensor<2048xi32>, !fsm.ptr<i32>, tensor<2048xi32>
  %y = arith.constant dense<1.0> : tensor<2048xf64>
  %c = fsm.atomic_rmw <add> %y, %r[%o] : tensor<2048xf64>, !fsm.ptr<f64>, tensor<2048xi32>
  fsm.return
}
