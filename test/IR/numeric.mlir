// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

// CHECK-LABEL: @convert
fsm.kernel @convert(%x: f32, %w: f64) {
  // CHECK: fsm.convert %x rounding = nearest_even : f32 -> f8E4M3FN
  %a = fsm.convert %x rounding = nearest_even : f32 -> f8E4M3FN
  // CHECK: fsm.convert %x rounding = toward_zero saturate : f32 -> f16
  %b = fsm.convert %x rounding = toward_zero saturate : f32 -> f16
  // CHECK: fsm.convert %{{.*}} rounding = nearest_even : f8E4M3FN -> f8E5M2
  %c = fsm.convert %a rounding = nearest_even : f8E4M3FN -> f8E5M2
  // CHECK: fsm.convert %w rounding = toward_zero {fast} : f64 -> bf16
  %d = fsm.convert %w rounding = toward_zero {fast} : f64 -> bf16
  %s = fsm.splat %x : tensor<3x8xf32>
  // CHECK: fsm.convert %{{.*}} rounding = nearest_even : tensor<3x8xf32> -> tensor<3x8xf64>
  %e = fsm.convert %s rounding = nearest_even : tensor<3x8xf32> -> tensor<3x8xf64>
  fsm.return
}

// CHECK-LABEL: @exact
fsm.kernel @exact(%x: f32, %y: f32, %h: f16) {
  // CHECK: fsm.div_rn %x, %y : f32
  %q = fsm.div_rn %x, %y : f32
  // CHECK: fsm.sqrt_rn %h : f16
  %r = fsm.sqrt_rn %h : f16
  %s = fsm.splat %h : tensor<5xf16>
  // CHECK: fsm.div_rn %{{.*}}, %{{.*}} : tensor<5xf16>
  %t = fsm.div_rn %s, %s : tensor<5xf16>
  // CHECK: fsm.sqrt_rn %{{.*}} : tensor<5xf16>
  %u = fsm.sqrt_rn %t : tensor<5xf16>
  fsm.return
}

// CHECK-LABEL: @upper_half
fsm.kernel @upper_half(%x: i64, %y: i8) {
  // CHECK: fsm.umulhi %x, %x : i64
  %a = fsm.umulhi %x, %x : i64
  %s = fsm.splat %y : tensor<5xi8>
  // CHECK: fsm.umulhi %{{.*}}, %{{.*}} : tensor<5xi8>
  %b = fsm.umulhi %s, %s : tensor<5xi8>
  fsm.return
}

// CHECK-LABEL: @philox
fsm.kernel @philox(%k: i32) {
  // CHECK: fsm.philox counter %k, %k, %k, %k key %k, %k : i32
  %a, %b, %c, %d = fsm.philox counter %k, %k, %k, %k key %k, %k : i32
  %i = fsm.range 0, 64 : tensor<64xi32>
  %z = arith.constant dense<0> : tensor<64xi32>
  // CHECK: fsm.philox counter %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} key %{{.*}}, %{{.*}} : tensor<64xi32>
  %e:4 = fsm.philox counter %i, %z, %z, %z key %z, %z : tensor<64xi32>
  fsm.return
}
