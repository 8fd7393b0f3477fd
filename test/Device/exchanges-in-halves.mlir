// Persistent products of large tiles, by pointers: beside four slots there is room for half of what threads exchange to store a tile, and so it
// goes in halves. Inner loops have fewer iterations than copies are ahead, and more.
//
// RUN: %python -c "import numpy; dice = numpy.random.default_rng(7); [numpy.save(r'%t-' + name, dice.integers(-4, 5, shape).astype(numpy.float16)) for name, shape in (('a', (384, 324)), ('b', (320, 260)))]"
// DEFINE: %{run} = %fsm_run %s --compare=interp --num-warps=8 --arg=f16[384x256] --arg=@%t-a.npy --arg=@%t-b.npy --arg=384 --arg=256
// RUN: %{run} --device=sim --target=sm_90a --grid=2 --arg=320
// RUN: %{run} --device=sim --target=sm_90a --grid=1 --arg=100

// RUN: %fsm_run %s --target=sm_90a --num-warps=8 --arg=f16[384x256] --arg=f16[384x324] --arg=f16[320x260] --arg=384 --arg=256 --arg=320 --print-ir-after=fsm-overlap-loops | FileCheck %s
// CHECK:      fsm.product_wait
// CHECK:      fsm.split
// CHECK:      %[[FIRST:.*]] = fsm.shared_alloc
// CHECK-SAME: !fsm.shared<{{64x256|128x128}}xf16
// CHECK:      fsm.shared_store
// CHECK:      fsm.shared_barrier <program>
// CHECK:      %[[ONES:.*]] = fsm.shared_load %[[FIRST]]
// CHECK:      %[[SECOND:.*]] = fsm.shared_alloc
// CHECK:      fsm.shared_load %[[SECOND]]
// CHECK:      fsm.join
// CHECK:      fsm.store

fsm.kernel @products_in_halves(%c: !fsm.ptr<f16>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  %pid = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 128 : i32
  %size_across = arith.constant 256 : i32
  %depth = arith.constant 64 : i32
  %width = arith.constant 324 : i32
  %length = arith.constant 260 : i32
  %sums = arith.constant dense<0.0> : tensor<128x256xf32>
  %none = arith.constant 0.0 : f16
  %down = arith.divsi %m, %size : i32
  %across = arith.divsi %n, %size_across : i32
  %tiles = arith.muli %down, %across : i32
  %lines = fsm.range 0, 128 : tensor<128xi32>
  %wide = fsm.range 0, 256 : tensor<256xi32>
  %steps = fsm.range 0, 64 : tensor<64xi32>
  %number = arith.subi %pid, %programs : i32
  %last = scf.for %tile = %pid to %tiles step %programs iter_args(%before = %number) -> (i32) : i32 {
    %row = arith.divsi %tile, %across : i32
    %column = arith.remsi %tile, %across : i32
    %first_row = arith.muli %row, %size overflow<nsw> : i32
    %first_column = arith.muli %column, %size_across overflow<nsw> : i32
    %sum = scf.for %i = %zero to %k step %depth iter_args(%acc = %sums) -> (tensor<128x256xf32>) : i32 {
      %left = arith.subi %k, %i : i32
      %x_rows = fsm.splat %first_row : tensor<128xi32>
      %x_row = arith.addi %x_rows, %lines overflow<nsw> : tensor<128xi32>
      %widths = fsm.splat %width : tensor<128xi32>
      %x_begin = arith.muli %x_row, %widths overflow<nsw> : tensor<128xi32>
      %x_down = fsm.expand_dims %x_begin axis 1 : tensor<128xi32> -> tensor<128x1xi32>
      %is = fsm.splat %i : tensor<64xi32>
      %inner = arith.addi %is, %steps overflow<nsw> : tensor<64xi32>
      %x_inner = fsm.expand_dims %inner axis 0 : tensor<64xi32> -> tensor<1x64xi32>
      %x_one = fsm.broadcast %x_down : tensor<128x1xi32> -> tensor<128x64xi32>
      %x_other = fsm.broadcast %x_inner : tensor<1x64xi32> -> tensor<128x64xi32>
      %x_at = arith.addi %x_one, %x_other overflow<nsw> : tensor<128x64xi32>
      %lefts = fsm.splat %left : tensor<64xi32>
      %in = arith.cmpi slt, %steps, %lefts : tensor<64xi32>
      %x_in = fsm.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
      %x_mask = fsm.broadcast %x_in : tensor<1x64xi1> -> tensor<128x64xi1>
      %x = fsm.load %a[%x_at], %x_mask, %none : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
      %ns = fsm.splat %length : tensor<64xi32>
      %y_begin = arith.muli %inner, %ns overflow<nsw> : tensor<64xi32>
      %y_down = fsm.expand_dims %y_begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
      %columns = fsm.splat %first_column : tensor<256xi32>
      %y_column = arith.addi %columns, %wide overflow<nsw> : tensor<256xi32>
      %y_line = fsm.expand_dims %y_column axis 0 : tensor<256xi32> -> tensor<1x256xi32>
      %y_one = fsm.broadcast %y_down : tensor<64x1xi32> -> tensor<64x256xi32>
      %y_other = fsm.broadcast %y_line : tensor<1x256xi32> -> tensor<64x256xi32>
      %y_at = arith.addi %y_one, %y_other overflow<nsw> : tensor<64x256xi32>
      %y_in = fsm.expand_dims %in axis 1 : tensor<64xi1> -> tensor<64x1xi1>
      %y_mask = fsm.broadcast %y_in : tensor<64x1xi1> -> tensor<64x256xi1>
      %y = fsm.load %b[%y_at], %y_mask, %none : !fsm.ptr<f16>, tensor<64x256xi32> -> tensor<64x256xf16>
      %next = fsm.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    } {fsm.num_stages = 4 : i32}
    %now = arith.addi %before, %programs : i32
    %to_row = arith.divsi %now, %across : i32
    %to_column = arith.remsi %now, %across : i32
    %to_down = arith.muli %to_row, %size overflow<nsw> : i32
    %to_across = arith.muli %to_column, %size_across overflow<nsw> : i32
    %c_downs = fsm.splat %to_down : tensor<128xi32>
    %c_row = arith.addi %c_downs, %lines overflow<nsw> : tensor<128xi32>
    %c_ns = fsm.splat %n : tensor<128xi32>
    %c_begin = arith.muli %c_row, %c_ns overflow<nsw> : tensor<128xi32>
    %c_acrosses = fsm.splat %to_across : tensor<256xi32>
    %c_column = arith.addi %c_acrosses, %wide overflow<nsw> : tensor<256xi32>
    %c_down = fsm.expand_dims %c_begin axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %c_line = fsm.expand_dims %c_column axis 0 : tensor<256xi32> -> tensor<1x256xi32>
    %c_one = fsm.broadcast %c_down : tensor<128x1xi32> -> tensor<128x256xi32>
    %c_other = fsm.broadcast %c_line : tensor<1x256xi32> -> tensor<128x256xi32>
    %c_at = arith.addi %c_one, %c_other overflow<nsw> : tensor<128x256xi32>
    %narrow = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
    fsm.store %narrow, %c[%c_at] : tensor<128x256xf16>, !fsm.ptr<f16>, tensor<128x256xi32>
    scf.yield %now : i32
  }
  fsm.return
}
