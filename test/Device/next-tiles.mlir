// A product of persistent programs, whose threads copy the factors: the first copies of each tile begin while the one before is stored.
// Inner loops run not at all, once, less often than there are stages, and more often; programs have two tiles, one or none.
// Rows are no multiples of 16 bytes, so that no copies of tensors bring them.
//
// RUN: %python -c "import numpy; dice = numpy.random.default_rng(5); [numpy.save(r'%t-' + name, dice.integers(-4, 5, shape).astype(numpy.float16)) for name, shape in (('a', (128, 164)), ('b', (160, 196)))]"
// DEFINE: %{run} = %fsm_run %s --compare=interp --num-warps=4 --arg=f32[128x192] --arg=@%t-a.npy --arg=@%t-b.npy --arg=128 --arg=192
// RUN: %{run} --device=cpu --grid=4 --arg=96
// RUN: %{run} --device=sim --target=sm_90a --grid=4 --arg=0
// RUN: %{run} --device=sim --target=sm_90a --grid=4 --arg=32
// RUN: %{run} --device=sim --target=sm_90a --grid=4 --arg=40
// RUN: %{run} --device=sim --target=sm_90a --grid=7 --arg=96
// RUN: %{run} --device=sim --target=sm_90a --grid=4 --arg=160
// RUN: %{run} --device=sim --target=sm_80 --grid=4 --arg=0
// RUN: %{run} --device=sim --target=sm_80 --grid=4 --arg=40
// RUN: %{run} --device=sim --target=sm_80 --grid=1 --arg=160

// With copies three iterations ahead those of the next tile come in the last iterations of this one; where there are fewer, behind them.
// RUN: sed 's/num_stages = 3/num_stages = 4/' %s > %t-four.mlir
// DEFINE: %{four} = %fsm_run %t-four.mlir --compare=interp --num-warps=4 --arg=f32[128x192] --arg=@%t-a.npy --arg=@%t-b.npy --arg=128 --arg=192
// RUN: %{four} --device=sim --target=sm_90a --grid=4 --arg=0
// RUN: %{four} --device=sim --target=sm_90a --grid=4 --arg=32
// RUN: %{four} --device=sim --target=sm_90a --grid=2 --arg=64
// RUN: %{four} --device=sim --target=sm_90a --grid=4 --arg=96
// RUN: %{four} --device=sim --target=sm_90a --grid=2 --arg=100
// RUN: %{four} --device=sim --target=sm_90a --grid=1 --arg=160

// Where the inner loop always runs, its copies have no condition but that there is a tile: behind the last one they would read what is
// behind the rows.
// RUN: sed 's/to %%k step/to %%size step/' %s > %t-always.mlir
// DEFINE: %{always} = %fsm_run %t-always.mlir --compare=interp --num-warps=4 --arg=f32[128x192] --arg=@%t-a.npy --arg=@%t-b.npy --arg=128 --arg=192
// RUN: %{always} --device=sim --target=sm_90a --grid=4 --arg=64
// RUN: %{always} --device=sim --target=sm_80 --grid=6 --arg=64

// RUN: %fsm_run %s --target=sm_90a --num-warps=4 --arg=f32[128x192] --arg=f16[128x164] --arg=f16[160x196] --arg=128 --arg=192 --arg=160 --print-ir-after=fsm-overlap-loops | FileCheck %s
// CHECK: fsm.copy_async
// CHECK: scf.for
// CHECK: scf.for
// CHECK: fsm.shared_dot
// CHECK: fsm.copy_async
// CHECK: }
// CHECK: fsm.copy_async
// CHECK: fsm.product_wait
// CHECK: fsm.store

fsm.kernel @products(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %m: i32, %n: i32, %k: i32) {
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
