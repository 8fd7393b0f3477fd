// Stages of loops of products by groups of warps, where shared memory has little room.

// RUN: %fsm_opt %s --split-input-file --fsm-gpu-pipeline='target=sm_90a stage=fsm remarks tensor-maps=false' -o %t.mlir 2>%t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %fsm_run %s --kernel=deep --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f16[128x256]' --arg='f16[128x384]:uniform:1' --arg='f16[384x256]:uniform:2' --arg=384
// RUN: %fsm_run %s --kernel=widened --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f16[128x128]' --arg='f16[128x384]:uniform:1' --arg='i8[384x128]:uniform:2' --arg=384

// A slot has 96 KiB, and 227 KiB have room for two: copies go to the one of the product before, for which threads have waited behind
// their own.
// REMARK-COUNT-2: remark: this load runs 1 iteration ahead, into shared memory
// CHECK-LABEL: fsm.kernel @deep
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<128x128xf16 slots 2
// CHECK:         fsm.shared_alloc {{.*}} : !fsm.shared<128x256xf16 slots 2
// CHECK:         fsm.shared_barrier <program> fence
// CHECK-NEXT:    fsm.shared_dot {{.*}}fsm.in_flight
// CHECK-NEXT:    fsm.product_limit 1
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK:         fsm.copy_async
// CHECK:         fsm.product_wait
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK:         fsm.return
fsm.kernel @deep(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x256xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%k, 1] bounds [128, %k] : tensor<128x128xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [256, 1] bounds [%k, 256] : tensor<128x256xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<128x256xi32> -> tensor<128x256xf16>
    %next = fsm.dot %x, %y, %sum : tensor<128x128xf16>, tensor<128x256xf16> -> tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  } {fsm.num_stages = 3 : i32}
  %z = arith.truncf %d : tensor<128x256xf32> to tensor<128x256xf16>
  %to = fsm.places strides [256, 1] : tensor<128x256xi32>
  fsm.store %z, %out[%to] : tensor<128x256xf16>, !fsm.ptr<f16>, tensor<128x256xi32>
  fsm.return
}

// -----

// A factor that is widened is stored to memory of its own, and no product is in flight. Two stages leave a multiprocessor one cta
// instead of two; but its tensor cores are at work for longer than a copy takes.
// REMARK-COUNT-2: remark: this load runs {{[12]}} iteration{{s?}} ahead, into shared memory
// CHECK-LABEL: fsm.kernel @widened
// CHECK:         fsm.copy_async
fsm.kernel @widened(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<i8> {fsm.align = 16 : i32, fsm.noalias}, %k: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x128xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%k, 1] bounds [128, %k] : tensor<128x128xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [128, 1] bounds [%k, 128] : tensor<128x128xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<i8>, tensor<128x128xi32> -> tensor<128x128xi8>
    %w = arith.sitofp %y : tensor<128x128xi8> to tensor<128x128xf16>
    %next = fsm.dot %x, %w, %sum : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  } {fsm.num_stages = 3 : i32}
  %z = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  %to = fsm.places strides [128, 1] : tensor<128x128xi32>
  fsm.store %z, %out[%to] : tensor<128x128xf16>, !fsm.ptr<f16>, tensor<128x128xi32>
  fsm.return
}
