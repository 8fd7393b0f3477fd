// Loops that carry nothing but sums and counters: several ctas share the iterations, and the first one adds up.

// RUN: %fsm_opt %s --fsm-split-loops="target=sm_90a remarks" --canonicalize --cse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// CHECK-LABEL: fsm.kernel @product
// CHECK-SAME:    attributes {fsm.parts = 4 : i32}
// CHECK:         %[[PART:.*]] = fsm.part_id : i32
// CHECK:         %[[FIRST:.*]] = arith.muli %[[PART]], %c64_i32 overflow<nsw> : i32
// CHECK:         %[[OWN:.*]] = scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %c256_i32 iter_args(%{{.*}} = %cst)
// CHECK:         %[[ALL:.*]] = fsm.sum_parts %[[OWN]] : tensor<16x32xf32>
// CHECK-NEXT:    fsm.end_parts
// CHECK:         fsm.store %[[ALL]]
fsm.kernel @product(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.noalias}, %b: !fsm.ptr<f16> {fsm.noalias}, %k: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %rows = fsm.range 0, 1024 : tensor<1024xi32>
  %places = fsm.reshape %rows : tensor<1024xi32> -> tensor<16x64xi32>
  %lines = fsm.range 0, 2048 : tensor<2048xi32>
  %of_b = fsm.reshape %lines : tensor<2048xi32> -> tensor<64x32xi32>
  // REMARK: [[#@LINE+1]]:11: remark: 4 ctas share this loop: 'fsm.split' says so
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<16x32xf32>) : i32 {
    %p = fsm.offset %a, %i : !fsm.ptr<f16>, i32
    %x = fsm.load %p[%places] : !fsm.ptr<f16>, tensor<16x64xi32> -> tensor<16x64xf16>
    %q = fsm.offset %b, %i : !fsm.ptr<f16>, i32
    %y = fsm.load %q[%of_b] : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %next = fsm.dot %x, %y, %sum : tensor<16x64xf16>, tensor<64x32xf16> -> tensor<16x32xf32>
    scf.yield %next : tensor<16x32xf32>
  } {fsm.split = 4 : i32}
  %out = fsm.range 0, 512 : tensor<512xi32>
  %at = fsm.reshape %out : tensor<512xi32> -> tensor<16x32xi32>
  fsm.store %sums, %c[%at] : tensor<16x32xf32>, !fsm.ptr<f32>, tensor<16x32xi32>
  fsm.return
}

// Each cta begins some steps later, at other counters, and only the first one with what was there before.
// CHECK-LABEL: fsm.kernel @counters
// CHECK-SAME:    attributes {fsm.parts = 2 : i32}
// CHECK-DAG:     %[[PART:.*]] = fsm.part_id : i32
// CHECK-DAG:     %[[WAY:.*]] = arith.muli %[[PART]], %c4_i32 overflow<nsw> : i32
// CHECK-DAG:     %[[FIRST:.*]] = arith.addi %[[WAY]], %c1_i32 overflow<nsw> : i32
// CHECK-DAG:     %[[POINTER:.*]] = fsm.offset %a, %{{.*}} : !fsm.ptr<f32>, i32
// CHECK-DAG:     %[[PLACES:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : tensor<64xi32>
// CHECK-DAG:     %[[IS_FIRST:.*]] = arith.cmpi eq, %[[PART]], %c0_i32 : i32
// CHECK-DAG:     %[[START:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64xf32>
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %n step %c8_i32 iter_args(%[[SUM:.*]] = %[[START]], %[[P:.*]] = %[[POINTER]], %[[AT:.*]] = %[[PLACES]])
// CHECK:           %[[LOADED:.*]] = fsm.load %[[P]][%[[AT]]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[LOADED]], %[[SUM]] fastmath<reassoc>
// CHECK-NEXT:      %[[NEXT_P:.*]] = fsm.offset %[[P]], %c8_i32
// CHECK-NEXT:      %[[NEXT_AT:.*]] = arith.addi %[[AT]], %{{.*}} overflow<nsw>
// CHECK-NEXT:      scf.yield %[[NEXT]], %[[NEXT_P]], %[[NEXT_AT]]
fsm.kernel @counters(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32> {fsm.noalias}, %n: i32) {
  %one = arith.constant 1 : i32
  %step = arith.constant 4 : i32
  %steps = arith.constant dense<4> : tensor<64xi32>
  %init = fsm.load %a : !fsm.ptr<f32> -> f32
  %r = fsm.range 0, 64 : tensor<64xi32>
  %start = fsm.splat %init : tensor<64xf32>
  // REMARK: [[#@LINE+1]]:16: remark: 2 ctas share this loop: 'fsm.split' says so
  %s, %p, %o = scf.for %i = %one to %n step %step iter_args(%sum = %start, %q = %a, %at = %r) -> (tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>) : i32 {
    %x = fsm.load %q[%at] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %next = arith.addf %x, %sum fastmath<reassoc> : tensor<64xf32>
    %q2 = fsm.offset %q, %step : !fsm.ptr<f32>, i32
    %at2 = arith.addi %at, %steps overflow<nsw> : tensor<64xi32>
    scf.yield %next, %q2, %at2 : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  } {fsm.split = 2 : i32}
  fsm.store %s, %out[%r] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// So many steps at once fit 16 bits, or do not: then nothing is promised of the sum.
// CHECK-LABEL: fsm.kernel @narrow
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SLOW:.*]] = %{{.*}}, %[[FAST:.*]] = %{{.*}})
// CHECK-DAG:       arith.addi %[[SLOW]], %{{.*}} overflow<nsw> : tensor<64xi16>
// CHECK-DAG:       arith.addi %[[FAST]], %{{[^ ]*}} : tensor<64xi16>
fsm.kernel @narrow(%out: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %least = arith.constant dense<-30000> : tensor<64xi16>
  %few = arith.constant dense<1000> : tensor<64xi16>
  %many = arith.constant dense<6000> : tensor<64xi16>
  %s, %a, %b = scf.for %i = %zero to %n step %one iter_args(%sum = %zeros, %slow = %least, %fast = %least) -> (tensor<64xi32>, tensor<64xi16>, tensor<64xi16>) : i32 {
    %x = arith.muli %slow, %fast : tensor<64xi16>
    %term = arith.extsi %x : tensor<64xi16> to tensor<64xi32>
    %next = arith.addi %sum, %term : tensor<64xi32>
    %slow2 = arith.addi %slow, %few overflow<nsw> : tensor<64xi16>
    %fast2 = arith.addi %fast, %many overflow<nsw> : tensor<64xi16>
    scf.yield %next, %slow2, %fast2 : tensor<64xi32>, tensor<64xi16>, tensor<64xi16>
  } {fsm.split = 8 : i32}
  %r = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %s, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
