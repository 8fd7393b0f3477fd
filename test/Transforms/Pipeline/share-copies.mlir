// Neighbours that are a cluster copy for one another what has the same coordinates in all of them.

// DEFINE: %{to_roles} = %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads
// RUN: %{to_roles} --fsm-split-roles="target=sm_90a roles=always" --fsm-share-copies=remarks --fsm-expand-loops --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared --fsm-verify-roles 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: remark: each 2 programs of this kernel are a cluster, and load for one another where their tiles are the same: 2 of 2 copies may be
// REMARK: remark: each 4 programs of this kernel are a cluster, and load for one another where their tiles are the same: 2 of 2 copies may be
// REMARK: remark: programs of this kernel are no cluster: its programs may have other numbers of iterations
// REMARK: remark: programs of this kernel are no cluster: its tiles have no parts for all programs

// RUN: %{to_roles} --fsm-split-roles="target=sm_90a roles=never" --fsm-share-copies=remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-COUNT-4: remark: programs of this kernel are no cluster: no warps of their own begin copies
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// KEPT-NOT: fsm.cluster

// RUN: sed 's/fsm.cluster = /fsm.batch = 2 : i32, &/' %s | %fsm_opt --fsm-share-copies=remarks -o /dev/null 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH-COUNT-4: remark: programs of this kernel are no cluster: the same threads compute several of them

// fsm-verify-roles sees what is missing.
// RUN: %{to_roles} --fsm-split-roles="target=sm_90a roles=always" --fsm-share-copies --fsm-verify-roles -o %t.right.mlir
// RUN: sed 's/arrivals 16/arrivals 8/' %t.right.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=ARRIVALS
// ARRIVALS: error: expected 16 arrivals in a phase, got 8
// RUN: grep -v 'cluster_arrive' %t.right.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=BEGIN
// BEGIN: error: expected the programs of a cluster to meet between their mbarriers and this role
// RUN: sed '/step %%c1_i32.* iter_args/s/to %%c3_i32/to %%c1_i32/' %t.right.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=END
// END: error: expected a role of a program of a cluster to end with a wait for each of its slots that others give back, too
// RUN: sed '/mbarrier_arrive/s/ together %[^ ]*//' %t.right.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=BACK
// BACK: error: expected the slot to be given back to all programs of the cluster, or to none other, as the others are

// The second factor is the same by its coordinates; of the first one each program computes both rows.
// CHECK-LABEL: fsm.kernel @pairs
// CHECK:         %[[FULL:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<4x!fsm.mbarrier>
// CHECK:         %[[EMPTY:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<4x!fsm.mbarrier>
// CHECK-NEXT:    fsm.mbarrier_init %[[EMPTY]] arrivals 16 :
// CHECK-NEXT:    fsm.cluster_arrive{{$}}
// CHECK:         fsm.tensor_map %p {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         fsm.tensor_map %q {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         fsm.shared_barrier <program>
// CHECK:         fsm.cluster_wait
// CHECK-NEXT:    fsm.load_role registers 24 others 240 {
// CHECK:           %[[FIRST:.*]] = arith.andi %[[ID:.*]], %c-2_i32
// CHECK:           arith.cmpi eq, %[[FIRST]], %[[ID]] : i32
// CHECK:           %[[SECOND:.*]] = arith.ori %[[FIRST]], %c1_i32
// CHECK:           arith.cmpi eq, %[[SECOND]], %[[ID]] : i32
// CHECK-NEXT:      %[[SAME:.*]] = arith.andi
// CHECK:           scf.for
// CHECK:             fsm.mbarrier_expect %[[FULL]][%{{.*}}] bytes 49152 :
// CHECK:             fsm.copy_tensor {{.*}} together %[[SAME]] :
// CHECK:             fsm.copy_tensor {{.*}} together %true :
// CHECK:           scf.for %{{.*}} = %c0_i32{{.*}} to %c3_i32{{.*}} step
// CHECK-NEXT:        fsm.mbarrier_wait %[[EMPTY]]
// CHECK:         scf.for
// CHECK:           fsm.mbarrier_arrive %[[EMPTY]][%{{.*}}] if %{{.*}} together %true :
// CHECK:         fsm.product_wait
// CHECK-NOT:     fsm.{{cluster|mbarrier_arrive}}
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.return
fsm.kernel @pairs(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {fsm.cluster = 2 : i32, num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %tall = arith.constant 128 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %tall overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x256xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<128x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x256xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x256xi32> -> tensor<64x256xf16>
    %next = fsm.dot %x, %y, %sum : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [256, 1] : tensor<128x256xi32>
  fsm.store %d, %out[%at] : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  fsm.return
}

// Whether all have as many tiles is asked once; a tile of one of four programs is counted from its own first one.
// CHECK-LABEL: fsm.kernel @tiles
// CHECK:         arrivals 16 :
// CHECK-NEXT:    fsm.cluster_arrive{{$}}
// CHECK:         %[[OWN:.*]] = arith.select %{{.*}}, %{{.*}}, %c-1_i64
// CHECK-COUNT-4: arith.cmpi eq, %[[OWN]], %{{.*}} : i64
// CHECK-NEXT:    %[[ALL:.*]] = arith.andi
// CHECK-COUNT-4: arith.select %[[ALL]], %{{.*}}, %c0_i64 : i64
// CHECK:         fsm.cluster_wait
// CHECK-NEXT:    fsm.load_role registers 24 others 232 {
// CHECK:           scf.for %[[TILE:[^ ]*]] =
// CHECK-COUNT-4:     arith.addi %[[TILE]], %{{.*}} : i64
// CHECK:             scf.for
// CHECK:               fsm.copy_tensor {{.*}} together
// CHECK:               fsm.copy_tensor {{.*}} together
// CHECK:           scf.for
// CHECK-NEXT:        fsm.mbarrier_wait
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             fsm.mbarrier_arrive {{.*}} together %[[ALL]] :
// CHECK:           fsm.mbarrier_arrive {{.*}} together %[[ALL]] :
// CHECK-NOT:     fsm.cluster
// CHECK:         fsm.return
fsm.kernel @tiles(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}, %tiles: i32) attributes {fsm.cluster = 4 : i32, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.muli %tile, %step overflow<nsw> : i32
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
      %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
      %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
      %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  }
  fsm.return
}

// CHECK-LABEL: fsm.kernel @other_counts
// CHECK-NOT:     fsm.c{{(opy_tensor .*together|luster)}}
fsm.kernel @other_counts(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}, %tiles: i32) attributes {fsm.cluster = 2 : i32, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.muli %tile, %step overflow<nsw> : i32
    %d = scf.for %i = %none to %row step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
      %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
      %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
      %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  }
  fsm.return
}

// Tiles of 32 lines, of a first factor that lies by columns, have no eight of them for each of eight programs.
// CHECK-LABEL: fsm.kernel @few_lines
// CHECK-NOT:     fsm.c{{(opy_tensor .*together|luster)}}
fsm.kernel @few_lines(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {fsm.cluster = 8 : i32, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %tall = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %tall overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [1, %p_stride] bounds [%m, %k] : tensor<64x32xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<32x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}
