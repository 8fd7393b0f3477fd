// Where a list in memory says where factors lie and how large they are, the program makes the maps itself: for the first tile of each
// product, if there is a step, in one place more than there are slots. What is empty is beyond the end for copies.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a remarks" --fsm-advance-loads --fsm-buffer-loads 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK-COUNT-2: remark: this load runs 2 iterations ahead, into shared memory: one thread has boxes of a tensor copied to where a product reads them

// CHECK-LABEL: fsm.kernel @list
// CHECK:         scf.for %[[PRODUCT:[^ ]*]] =
// CHECK:           %[[M:.*]] = fsm.load {{.*}} : !fsm.ptr<i32> -> i32
// CHECK:           %[[A:.*]] = fsm.load {{.*}} : !fsm.ptr<i64> -> i64
// CHECK:           scf.for %[[TILE:[^ ]*]] = %[[FIRST:[^ ]*]] to
// CHECK-DAG:         %[[WIDE:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG:         %[[BEGIN:.*]] = fsm.offset %p, %{{.*}} : !fsm.ptr<f16>, i64
// CHECK-DAG:         %[[STEPS:.*]] = arith.cmpi slt, %c0{{.*}}, %{{.*}}
// CHECK-DAG:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[TILE]], %[[FIRST]]
// CHECK-DAG:         %[[NEW:.*]] = arith.andi %[[STEPS]], %[[IS_FIRST]] : i1
// CHECK:             %[[MAP:.*]] = fsm.own_tensor_map %[[BEGIN]] sizes[%{{.*}}, %{{.*}}] strides[%{{.*}}] if %[[NEW]] {slots = 5 : i32}
// CHECK:             fsm.own_tensor_map {{.*}} {slots = 5 : i32}
// CHECK:             scf.for
// CHECK:               %[[ROW:.*]] = arith.select %{{.*}}, %c2147483136_i32{{.*}}, %{{.*}} : i32
// CHECK:               fsm.copy_tensor %[[MAP]][%[[ROW]], %{{.*}}]
fsm.kernel @list(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %begins: !fsm.ptr<i64> {fsm.noalias}, %sizes: !fsm.ptr<i32> {fsm.noalias}, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  scf.for %i = %none to %count step %one : i32 {
    %size = fsm.offset %sizes, %i : !fsm.ptr<i32>, i32
    %m = fsm.load %size : !fsm.ptr<i32> -> i32
    %begin = fsm.offset %begins, %i : !fsm.ptr<i64>, i32
    %any = fsm.load %begin : !fsm.ptr<i64> -> i64
    %at = fsm.hint %any {multiple_of = array<i64: 8>} : i64
    %k = fsm.hint %m {multiple_of = array<i64: 8>} : i32
    %x_at = fsm.offset %p, %at : !fsm.ptr<f16>, i64
    %y_at = fsm.offset %q, %at : !fsm.ptr<f16>, i64
    %a = fsm.descriptor %x_at sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %y_at sizes [%k, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
    %tiles = arith.ceildivsi %m, %step : i32
    scf.for %tile = %first to %tiles step %programs : i32 {
      %row = arith.muli %tile, %step overflow<nsw> : i32
      %d = scf.for %j = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
        %x = fsm.load_tile %a[%row, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
        %y = fsm.load_tile %b[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
        %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
        scf.yield %next : tensor<64x128xf32>
      } {fsm.num_stages = 3 : i32, fsm.forced_stages}
      fsm.store_tile %d, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
    }
  }
  fsm.return
}

// A program of one tile would wait for its map: threads copy.
// REMARK: remark: this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them; no copies of a tensor: the program would make a map for one tile alone
// CHECK-LABEL: fsm.kernel @one
// CHECK-NOT:     own_tensor_map
// CHECK:         fsm.copy_async
fsm.kernel @one(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %sizes: !fsm.ptr<i32> {fsm.noalias}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %m = fsm.load %sizes : !fsm.ptr<i32> -> i32
  %k = fsm.hint %m {multiple_of = array<i64: 8>} : i32
  %a = fsm.descriptor %p sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  %d = scf.for %j = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x = fsm.load_tile %a[0, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
    %y = fsm.load_tile %a[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  fsm.return
}

// What is another tensor in each step has no map in front of the loop.
// REMARK: remark: this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them; no copies of a tensor: its sizes or its stride are computed in its loop
// CHECK-LABEL: fsm.kernel @each
// CHECK-NOT:     own_tensor_map
fsm.kernel @each(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %sizes: !fsm.ptr<i32> {fsm.noalias}, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %m = fsm.load %sizes : !fsm.ptr<i32> -> i32
  %k = fsm.hint %m {multiple_of = array<i64: 8>} : i32
  scf.for %i = %none to %count step %one : i32 {
    %c = fsm.descriptor %out sizes [%m, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
    %d = scf.for %j = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %rows = arith.subi %k, %j overflow<nsw> : i32
      %a = fsm.descriptor %p sizes [%rows, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
      %x = fsm.load_tile %a[0, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %a[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}
