// Loads of a cluster that are many and narrow stand by sixteens behind a test of their masks.

// RUN: %fsm_opt %s --split-input-file --fsm-assign-layouts | FileCheck %s

// CHECK-LABEL: @rows
// CHECK:       fsm.load %{{.*}} {fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32, fsm.tested_together = 16 : i32} : !fsm.ptr<bf16>
// CHECK:       fsm.store %{{.*}} {fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32} : tensor<16000xbf16
fsm.kernel @rows(%out: !fsm.ptr<bf16>, %in: !fsm.ptr<bf16>, %n: i32) attributes {num_warps = 8 : i32, num_ctas = 2 : i32} {
  %offs = fsm.range 0, 16000 : tensor<16000xi32>
  %ns = fsm.splat %n : tensor<16000xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<16000xi32>
  %x = fsm.load %in[%offs], %mask : !fsm.ptr<bf16>, tensor<16000xi32> -> tensor<16000xbf16>
  fsm.store %x, %out[%offs], %mask : tensor<16000xbf16>, !fsm.ptr<bf16>, tensor<16000xi32>
  fsm.return
}

// -----

// Of three loads and more so do stores.
// CHECK-LABEL: @three
// CHECK-COUNT-3: fsm.load %{{.*}}fsm.tested_together = 16 : i32
// CHECK:         fsm.store %{{.*}}fsm.tested_together = 16 : i32
fsm.kernel @three(%out: !fsm.ptr<f16>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %c: !fsm.ptr<f16>) attributes {num_warps = 8 : i32, num_ctas = 2 : i32} {
  %offs = fsm.range 0, 16001 : tensor<16001xi32>
  %x = fsm.load %a[%offs] : !fsm.ptr<f16>, tensor<16001xi32> -> tensor<16001xf16>
  %y = fsm.load %b[%offs] : !fsm.ptr<f16>, tensor<16001xi32> -> tensor<16001xf16>
  %z = fsm.load %c[%offs] : !fsm.ptr<f16>, tensor<16001xi32> -> tensor<16001xf16>
  %xy = arith.addf %x, %y : tensor<16001xf16>
  %xyz = arith.addf %xy, %z : tensor<16001xf16>
  fsm.store %xyz, %out[%offs] : tensor<16001xf16>, !fsm.ptr<f16>, tensor<16001xi32>
  fsm.return
}

// -----

// Not where one CTA has the program, where nothing is left out, where few instructions are enough, or words are moved.
// CHECK-NOT: fsm.tested_together
fsm.kernel @one_cta(%in: !fsm.ptr<bf16>, %n: i32) attributes {num_warps = 16 : i32} {
  %offs = fsm.range 0, 16000 : tensor<16000xi32>
  %ns = fsm.splat %n : tensor<16000xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<16000xi32>
  %x = fsm.load %in[%offs], %mask : !fsm.ptr<bf16>, tensor<16000xi32> -> tensor<16000xbf16>
  fsm.store %x, %in[%offs], %mask : tensor<16000xbf16>, !fsm.ptr<bf16>, tensor<16000xi32>
  fsm.return
}

// -----

// CHECK-NOT: fsm.tested_together
fsm.kernel @no_mask(%in: !fsm.ptr<bf16>, %words: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32, num_ctas = 2 : i32} {
  %offs = fsm.range 0, 16384 : tensor<16384xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<bf16>, tensor<16384xi32> -> tensor<16384xbf16>
  fsm.store %x, %in[%offs] : tensor<16384xbf16>, !fsm.ptr<bf16>, tensor<16384xi32>
  %ns = fsm.splat %n : tensor<16384xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<16384xi32>
  %y = fsm.load %words[%offs], %mask : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  fsm.store %y, %words[%offs], %mask : tensor<16384xf32>, !fsm.ptr<f32>, tensor<16384xi32>
  %few = fsm.range 0, 4001 : tensor<4001xi32>
  %z = fsm.load %in[%few] : !fsm.ptr<bf16>, tensor<4001xi32> -> tensor<4001xbf16>
  fsm.store %z, %in[%few] : tensor<4001xbf16>, !fsm.ptr<bf16>, tensor<4001xi32>
  fsm.return
}
