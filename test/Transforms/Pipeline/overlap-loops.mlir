// The first copies of a tile begin while the product before is on its way and its sums are not yet stored, in the slots behind those that
// it has read, where the stores are not to what is copied. Where its rows begin the loop carries.

// DEFINE: %{to_stages} = %fsm_opt %s --canonicalize --fsm-combine --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a tensor-maps=false" --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops
// RUN: %{to_stages} --fsm-overlap-loops=target=sm_90a --cse | FileCheck %s
// RUN: %{to_stages} --fsm-overlap-loops=target=sm_90a --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared -o /dev/null

// CHECK-LABEL: fsm.kernel @tiles
// CHECK:         %[[SLOTS:.*]] = fsm.shared_alloc
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[TILES:.*]] : i64
// CHECK:         fsm.copy_async %a[{{.*}} into %[[SLOTS]][%c0_i32] if
// CHECK:         fsm.copy_commit
// CHECK:         scf.for %[[I:.*]] = {{.*}} to %[[TILES]] step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}, %[[SLOT:.*]] = %c0_i32, %[[ROWS:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, i32, tensor<64xi32, {{.*}}>, tensor<64xi32, {{.*}}>)
// CHECK-NOT:       fsm.copy_async
// CHECK:           fsm.expand_dims %[[ROWS]] axis
// CHECK:           %[[SUMS:.*]]:3 = scf.for {{.*}} iter_args({{.*}}, %{{.*}} = %{{.*}}, %[[READ:.*]] = %[[SLOT]])
// CHECK:             fsm.shared_dot %[[SLOTS]][%[[READ]]]
// CHECK:             fsm.copy_async
// CHECK:           }
// CHECK:           %[[LATER:.*]] = arith.addi %[[I]], %[[STEP]] : i64
// CHECK:           %[[EXISTS:.*]] = arith.cmpi slt, %[[LATER]], %[[TILES]]
// CHECK:           %[[BOTH:.*]] = arith.select %[[EXISTS]], %{{.*}}, %false
// CHECK:           fsm.copy_async %a[{{.*}} into %[[SLOTS]][%[[SUMS]]#2] if %[[BOTH]]
// CHECK:           fsm.copy_commit
// CHECK:           fsm.product_wait %[[SUMS]]#0
// CHECK:           fsm.store
// CHECK:           scf.yield %{{.*}}, %[[SUMS]]#2, %{{.*}}, %{{.*}} :
fsm.kernel @tiles(%c: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32 {fsm.divisible = 16 : i32}, %k: i32) attributes {num_warps = 4 : i32} {
  %pid = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %depth = arith.constant 32 : i32
  %width = arith.constant 164 : i32
  %length = arith.constant 196 : i32
  %sums = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant 0.0 : f16
  %down = arith.divsi %m, %size : i32
  %across = arith.divsi %n, %size : i32
  %tiles = arith.muli %down, %across : i32
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %steps = fsm.range 0, 32 : tensor<32xi32>
  %number = arith.subi %pid, %programs : i32
  %last = scf.for %tile = %pid to %tiles step %programs iter_args(%before = %number) -> (i32) : i32 {
    %row = arith.divsi %tile, %across : i32
    %column = arith.remsi %tile, %across : i32
    %first_row = arith.muli %row, %size overflow<nsw> : i32
    %first_column = arith.muli %column, %size overflow<nsw> : i32
    %sum = scf.for %i = %zero to %k step %depth iter_args(%acc = %sums) -> (tensor<64x64xf32>) : i32 {
      %left = arith.subi %k, %i : i32
      %x_rows = fsm.splat %first_row : tensor<64xi32>
      %x_row = arith.addi %x_rows, %lines overflow<nsw> : tensor<64xi32>
      %widths = fsm.splat %width : tensor<64xi32>
      %x_begin = arith.muli %x_row, %widths overflow<nsw> : tensor<64xi32>
      %x_down = fsm.expand_dims %x_begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
      %is = fsm.splat %i : tensor<32xi32>
      %inner = arith.addi %is, %steps overflow<nsw> : tensor<32xi32>
      %x_inner = fsm.expand_dims %inner axis 0 : tensor<32xi32> -> tensor<1x32xi32>
      %x_one = fsm.broadcast %x_down : tensor<64x1xi32> -> tensor<64x32xi32>
      %x_other = fsm.broadcast %x_inner : tensor<1x32xi32> -> tensor<64x32xi32>
      %x_at = arith.addi %x_one, %x_other overflow<nsw> : tensor<64x32xi32>
      %lefts = fsm.splat %left : tensor<32xi32>
      %in = arith.cmpi slt, %steps, %lefts : tensor<32xi32>
      %x_in = fsm.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
      %x_mask = fsm.broadcast %x_in : tensor<1x32xi1> -> tensor<64x32xi1>
      %x = fsm.load %a[%x_at], %x_mask, %none : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
      %ns = fsm.splat %length : tensor<32xi32>
      %y_begin = arith.muli %inner, %ns overflow<nsw> : tensor<32xi32>
      %y_down = fsm.expand_dims %y_begin axis 1 : tensor<32xi32> -> tensor<32x1xi32>
      %columns = fsm.splat %first_column : tensor<64xi32>
      %y_column = arith.addi %columns, %lines overflow<nsw> : tensor<64xi32>
      %y_line = fsm.expand_dims %y_column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
      %y_one = fsm.broadcast %y_down : tensor<32x1xi32> -> tensor<32x64xi32>
      %y_other = fsm.broadcast %y_line : tensor<1x64xi32> -> tensor<32x64xi32>
      %y_at = arith.addi %y_one, %y_other overflow<nsw> : tensor<32x64xi32>
      %y_in = fsm.expand_dims %in axis 1 : tensor<32xi1> -> tensor<32x1xi1>
      %y_mask = fsm.broadcast %y_in : tensor<32x1xi1> -> tensor<32x64xi1>
      %y = fsm.load %b[%y_at], %y_mask, %none : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
      %next = fsm.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {fsm.num_stages = 3 : i32}
    %now = arith.addi %before, %programs : i32
    %to_row = arith.divsi %now, %across : i32
    %to_column = arith.remsi %now, %across : i32
    %to_down = arith.muli %to_row, %size overflow<nsw> : i32
    %to_across = arith.muli %to_column, %size overflow<nsw> : i32
    %c_downs = fsm.splat %to_down : tensor<64xi32>
    %c_row = arith.addi %c_downs, %lines overflow<nsw> : tensor<64xi32>
    %c_ns = fsm.splat %n : tensor<64xi32>
    %c_begin = arith.muli %c_row, %c_ns overflow<nsw> : tensor<64xi32>
    %c_acrosses = fsm.splat %to_across : tensor<64xi32>
    %c_column = arith.addi %c_acrosses, %lines overflow<nsw> : tensor<64xi32>
    %c_down = fsm.expand_dims %c_begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %c_line = fsm.expand_dims %c_column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %c_one = fsm.broadcast %c_down : tensor<64x1xi32> -> tensor<64x64xi32>
    %c_other = fsm.broadcast %c_line : tensor<1x64xi32> -> tensor<64x64xi32>
    %c_at = arith.addi %c_one, %c_other overflow<nsw> : tensor<64x64xi32>
    fsm.store %sum, %c[%c_at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    scf.yield %now : i32
  }
  fsm.return
}

// The sums may be what the next tile is made of.
// CHECK-LABEL: fsm.kernel @may_be_read
// CHECK:         scf.for
// CHECK:           fsm.copy_async
// CHECK:           scf.for
// CHECK:           fsm.product_wait
// CHECK-NOT:       fsm.copy_async
// CHECK:         fsm.return
fsm.kernel @may_be_read(%c: !fsm.ptr<f32> {fsm.align = 16 : i32}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %m: i32, %n: i32 {fsm.divisible = 16 : i32}, %k: i32) attributes {num_warps = 4 : i32} {
  %pid = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %depth = arith.constant 32 : i32
  %width = arith.constant 164 : i32
  %length = arith.constant 196 : i32
  %sums = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant 0.0 : f16
  %down = arith.divsi %m, %size : i32
  %across = arith.divsi %n, %size : i32
  %tiles = arith.muli %down, %across : i32
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %steps = fsm.range 0, 32 : tensor<32xi32>
  %number = arith.subi %pid, %programs : i32
  %last = scf.for %tile = %pid to %tiles step %programs iter_args(%before = %number) -> (i32) : i32 {
    %row = arith.divsi %tile, %across : i32
    %column = arith.remsi %tile, %across : i32
    %first_row = arith.muli %row, %size overflow<nsw> : i32
    %first_column = arith.muli %column, %size overflow<nsw> : i32
    %sum = scf.for %i = %zero to %k step %depth iter_args(%acc = %sums) -> (tensor<64x64xf32>) : i32 {
      %left = arith.subi %k, %i : i32
      %x_rows = fsm.splat %first_row : tensor<64xi32>
      %x_row = arith.addi %x_rows, %lines overflow<nsw> : tensor<64xi32>
      %widths = fsm.splat %width : tensor<64xi32>
      %x_begin = arith.muli %x_row, %widths overflow<nsw> : tensor<64xi32>
      %x_down = fsm.expand_dims %x_begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
      %is = fsm.splat %i : tensor<32xi32>
      %inner = arith.addi %is, %steps overflow<nsw> : tensor<32xi32>
      %x_inner = fsm.expand_dims %inner axis 0 : tensor<32xi32> -> tensor<1x32xi32>
      %x_one = fsm.broadcast %x_down : tensor<64x1xi32> -> tensor<64x32xi32>
      %x_other = fsm.broadcast %x_inner : tensor<1x32xi32> -> tensor<64x32xi32>
      %x_at = arith.addi %x_one, %x_other overflow<nsw> : tensor<64x32xi32>
      %lefts = fsm.splat %left : tensor<32xi32>
      %in = arith.cmpi slt, %steps, %lefts : tensor<32xi32>
      %x_in = fsm.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
      %x_mask = fsm.broadcast %x_in : tensor<1x32xi1> -> tensor<64x32xi1>
      %x = fsm.load %a[%x_at], %x_mask, %none : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
      %ns = fsm.splat %length : tensor<32xi32>
      %y_begin = arith.muli %inner, %ns overflow<nsw> : tensor<32xi32>
      %y_down = fsm.expand_dims %y_begin axis 1 : tensor<32xi32> -> tensor<32x1xi32>
      %columns = fsm.splat %first_column : tensor<64xi32>
      %y_column = arith.addi %columns, %lines overflow<nsw> : tensor<64xi32>
      %y_line = fsm.expand_dims %y_column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
      %y_one = fsm.broadcast %y_down : tensor<32x1xi32> -> tensor<32x64xi32>
      %y_other = fsm.broadcast %y_line : tensor<1x64xi32> -> tensor<32x64xi32>
      %y_at = arith.addi %y_one, %y_other overflow<nsw> : tensor<32x64xi32>
      %y_in = fsm.expand_dims %in axis 1 : tensor<32xi1> -> tensor<32x1xi1>
      %y_mask = fsm.broadcast %y_in : tensor<32x1xi1> -> tensor<32x64xi1>
      %y = fsm.load %b[%y_at], %y_mask, %none : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
      %next = fsm.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {fsm.num_stages = 3 : i32}
    %now = arith.addi %before, %programs : i32
    %to_row = arith.divsi %now, %across : i32
    %to_column = arith.remsi %now, %across : i32
    %to_down = arith.muli %to_row, %size overflow<nsw> : i32
    %to_across = arith.muli %to_column, %size overflow<nsw> : i32
    %c_downs = fsm.splat %to_down : tensor<64xi32>
    %c_row = arith.addi %c_downs, %lines overflow<nsw> : tensor<64xi32>
    %c_ns = fsm.splat %n : tensor<64xi32>
    %c_begin = arith.muli %c_row, %c_ns overflow<nsw> : tensor<64xi32>
    %c_acrosses = fsm.splat %to_across : tensor<64xi32>
    %c_column = arith.addi %c_acrosses, %lines overflow<nsw> : tensor<64xi32>
    %c_down = fsm.expand_dims %c_begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %c_line = fsm.expand_dims %c_column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %c_one = fsm.broadcast %c_down : tensor<64x1xi32> -> tensor<64x64xi32>
    %c_other = fsm.broadcast %c_line : tensor<1x64xi32> -> tensor<64x64xi32>
    %c_at = arith.addi %c_one, %c_other overflow<nsw> : tensor<64x64xi32>
    fsm.store %sum, %c[%c_at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
    scf.yield %now : i32
  }
  fsm.return
}
