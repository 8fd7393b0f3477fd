// Tensors of a product that have elements where a mask, or no mask, leaves some out: what a GPU that copies tiles itself takes for
// the end of a tensor.
//
// Rows of which a mask leaves out those in front of the third; the copies begin inside.
// RUN: %fsm_run %s --kernel=least --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=0 --arg=0 --arg=3
// RUN: %fsm_run %s --kernel=least --device=sim --target=sm_80 --compare=interp --grid=1 --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=0 --arg=0 --arg=3
//
// Columns below 0 without a mask, of rows that begin at the fifth: the end of the row before. The other factor has lines there.
// RUN: %fsm_run %s --kernel=back --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=5 --arg=-64 --arg=0
// RUN: %fsm_run %s --kernel=back --device=sim --target=sm_80 --compare=interp --grid=1 --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=5 --arg=-64 --arg=0
//
// A large block that threads exchange in front of the loop, whose room copies of tensors may not have.
// RUN: %fsm_run %s --kernel=before --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[64x128]' --arg='f32[128x64]:arange' --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=5 --arg=-64 --arg=0
// RUN: %fsm_run %s --kernel=before --device=sim --target=sm_80 --compare=interp --grid=1 --arg='f32[64x128]' --arg='f32[128x64]:arange' --arg='f32[64x128]' --arg='f16[120x208]:uniform:1' --arg='f16[136x208]:uniform:2' --arg=100 --arg=120 --arg=136 --arg=208 --arg=208 --arg=5 --arg=-64 --arg=0

fsm.kernel @least(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32, %q_stride: i32, %row: i32, %from: i32, %least: i32) attributes {num_warps = 4 : i32} {
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant 0 : i32
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %columns = fsm.range 0, 128 : tensor<128xi32>
  %first = fsm.splat %row : tensor<64xi32>
  %rows = arith.addi %lines, %first overflow<nsw> : tensor<64xi32>
  %down = fsm.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %p_pitch = fsm.splat %p_stride : tensor<64x1xi32>
  %down_at = arith.muli %down, %p_pitch overflow<nsw> : tensor<64x1xi32>
  %down_all = fsm.broadcast %down_at : tensor<64x1xi32> -> tensor<64x64xi32>
  %m_all = fsm.splat %m : tensor<64x1xi32>
  %down_in = arith.cmpi slt, %down, %m_all : tensor<64x1xi32>
  %down_mask = fsm.broadcast %down_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %across = fsm.expand_dims %columns axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %across_all = fsm.broadcast %across : tensor<1x128xi32> -> tensor<64x128xi32>
  %n_all = fsm.splat %n : tensor<1x128xi32>
  %across_in = arith.cmpi slt, %across, %n_all : tensor<1x128xi32>
  %across_mask = fsm.broadcast %across_in : tensor<1x128xi1> -> tensor<64x128xi1>
  %q_pitch = fsm.splat %q_stride : tensor<64x1xi32>
  %k_down = fsm.splat %k : tensor<64x1xi32>
  %k_across = fsm.splat %k : tensor<1x64xi32>
  %none_down = fsm.splat %none : tensor<64x1xi32>
  %none_across = fsm.splat %none : tensor<1x64xi32>
  %least_all = fsm.splat %least : tensor<64x1xi32>
  %down_from = arith.cmpi sge, %down, %least_all : tensor<64x1xi32>
  %from_mask = fsm.broadcast %down_from : tensor<64x1xi1> -> tensor<64x64xi1>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %i_all = fsm.splat %i : tensor<64xi32>
    %at = arith.addi %lines, %i_all overflow<nsw> : tensor<64xi32>
    %inner = fsm.expand_dims %at axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %inner_all = fsm.broadcast %inner : tensor<1x64xi32> -> tensor<64x64xi32>
    %inner_in = arith.cmpi slt, %inner, %k_across : tensor<1x64xi32>
    %inner_mask = fsm.broadcast %inner_in : tensor<1x64xi1> -> tensor<64x64xi1>
    %x_in0 = arith.andi %down_mask, %from_mask : tensor<64x64xi1>
    %x_in1 = arith.andi %x_in0, %inner_mask : tensor<64x64xi1>
    %x_at = arith.addi %down_all, %inner_all overflow<nsw> : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in1 : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %outer = fsm.expand_dims %at axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %outer_at = arith.muli %outer, %q_pitch overflow<nsw> : tensor<64x1xi32>
    %outer_all = fsm.broadcast %outer_at : tensor<64x1xi32> -> tensor<64x128xi32>
    %outer_in = arith.cmpi slt, %outer, %k_down : tensor<64x1xi32>
    %outer_mask = fsm.broadcast %outer_in : tensor<64x1xi1> -> tensor<64x128xi1>
    %y_in0 = arith.andi %across_mask, %outer_mask : tensor<64x128xi1>
    %y_at = arith.addi %outer_all, %across_all overflow<nsw> : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in0 : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %out_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %d, %out[%out_at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}

fsm.kernel @back(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32, %q_stride: i32, %row: i32, %from: i32, %least: i32) attributes {num_warps = 4 : i32} {
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant 0 : i32
  %more = arith.constant dense<64> : tensor<64xi32>
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %columns = fsm.range 0, 128 : tensor<128xi32>
  %first = arith.constant dense<5> : tensor<64xi32>
  %rows = arith.addi %lines, %first overflow<nsw> : tensor<64xi32>
  %down = fsm.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %p_pitch = fsm.splat %p_stride : tensor<64x1xi32>
  %down_at = arith.muli %down, %p_pitch overflow<nsw> : tensor<64x1xi32>
  %down_all = fsm.broadcast %down_at : tensor<64x1xi32> -> tensor<64x64xi32>
  %m_all = fsm.splat %m : tensor<64x1xi32>
  %down_in = arith.cmpi slt, %down, %m_all : tensor<64x1xi32>
  %down_mask = fsm.broadcast %down_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %across = fsm.expand_dims %columns axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %across_all = fsm.broadcast %across : tensor<1x128xi32> -> tensor<64x128xi32>
  %n_all = fsm.splat %n : tensor<1x128xi32>
  %across_in = arith.cmpi slt, %across, %n_all : tensor<1x128xi32>
  %across_mask = fsm.broadcast %across_in : tensor<1x128xi1> -> tensor<64x128xi1>
  %q_pitch = fsm.splat %q_stride : tensor<64x1xi32>
  %k_down = fsm.splat %k : tensor<64x1xi32>
  %k_across = fsm.splat %k : tensor<1x64xi32>
  %none_down = fsm.splat %none : tensor<64x1xi32>
  %none_across = fsm.splat %none : tensor<1x64xi32>
  %d = scf.for %i = %from to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %i_all = fsm.splat %i : tensor<64xi32>
    %at = arith.addi %lines, %i_all overflow<nsw> : tensor<64xi32>
    %inner = fsm.expand_dims %at axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %inner_all = fsm.broadcast %inner : tensor<1x64xi32> -> tensor<64x64xi32>
    %inner_in = arith.cmpi slt, %inner, %k_across : tensor<1x64xi32>
    %inner_mask = fsm.broadcast %inner_in : tensor<1x64xi1> -> tensor<64x64xi1>
    %x_in0 = arith.andi %down_mask, %inner_mask : tensor<64x64xi1>
    %x_at = arith.addi %down_all, %inner_all overflow<nsw> : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in0 : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %ahead = arith.addi %at, %more overflow<nsw> : tensor<64xi32>
    %outer = fsm.expand_dims %ahead axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %outer_at = arith.muli %outer, %q_pitch overflow<nsw> : tensor<64x1xi32>
    %outer_all = fsm.broadcast %outer_at : tensor<64x1xi32> -> tensor<64x128xi32>
    %outer_in = arith.cmpi slt, %outer, %k_down : tensor<64x1xi32>
    %outer_mask = fsm.broadcast %outer_in : tensor<64x1xi1> -> tensor<64x128xi1>
    %outer_above = arith.cmpi sge, %outer, %none_down : tensor<64x1xi32>
    %outer_from = fsm.broadcast %outer_above : tensor<64x1xi1> -> tensor<64x128xi1>
    %y_in0 = arith.andi %across_mask, %outer_mask : tensor<64x128xi1>
    %y_in1 = arith.andi %y_in0, %outer_from : tensor<64x128xi1>
    %y_at = arith.addi %outer_all, %across_all overflow<nsw> : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in1 : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %out_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %d, %out[%out_at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}

fsm.kernel @before(%turned: !fsm.ptr<f32> {fsm.noalias}, %given: !fsm.ptr<f32> {fsm.noalias}, %out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32, %q_stride: i32, %row: i32, %from: i32, %least: i32) attributes {num_warps = 4 : i32} {
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant 0 : i32
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %columns = fsm.range 0, 128 : tensor<128xi32>
  %first = fsm.splat %row : tensor<64xi32>
  %rows = arith.addi %lines, %first overflow<nsw> : tensor<64xi32>
  %down = fsm.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %p_pitch = fsm.splat %p_stride : tensor<64x1xi32>
  %down_at = arith.muli %down, %p_pitch overflow<nsw> : tensor<64x1xi32>
  %down_all = fsm.broadcast %down_at : tensor<64x1xi32> -> tensor<64x64xi32>
  %m_all = fsm.splat %m : tensor<64x1xi32>
  %down_in = arith.cmpi slt, %down, %m_all : tensor<64x1xi32>
  %down_mask = fsm.broadcast %down_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %across = fsm.expand_dims %columns axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %across_all = fsm.broadcast %across : tensor<1x128xi32> -> tensor<64x128xi32>
  %n_all = fsm.splat %n : tensor<1x128xi32>
  %across_in = arith.cmpi slt, %across, %n_all : tensor<1x128xi32>
  %across_mask = fsm.broadcast %across_in : tensor<1x128xi1> -> tensor<64x128xi1>
  %q_pitch = fsm.splat %q_stride : tensor<64x1xi32>
  %k_down = fsm.splat %k : tensor<64x1xi32>
  %k_across = fsm.splat %k : tensor<1x64xi32>
  %none_down = fsm.splat %none : tensor<64x1xi32>
  %none_across = fsm.splat %none : tensor<1x64xi32>
  %least_all = fsm.splat %none : tensor<64x1xi32>
  %down_from = arith.cmpi sge, %down, %least_all : tensor<64x1xi32>
  %from_mask = fsm.broadcast %down_from : tensor<64x1xi1> -> tensor<64x64xi1>
  %given_at = fsm.places strides [64, 1] : tensor<128x64xi32>
  %turned_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  %block = fsm.load %given[%given_at] : !fsm.ptr<f32>, tensor<128x64xi32> -> tensor<128x64xf32>
  %across_block = fsm.transpose %block order [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
  fsm.store %across_block, %turned[%turned_at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  %d = scf.for %i = %from to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %i_all = fsm.splat %i : tensor<64xi32>
    %at = arith.addi %lines, %i_all overflow<nsw> : tensor<64xi32>
    %inner = fsm.expand_dims %at axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %inner_all = fsm.broadcast %inner : tensor<1x64xi32> -> tensor<64x64xi32>
    %inner_in = arith.cmpi slt, %inner, %k_across : tensor<1x64xi32>
    %inner_mask = fsm.broadcast %inner_in : tensor<1x64xi1> -> tensor<64x64xi1>
    %inner_above = arith.cmpi sge, %inner, %none_across : tensor<1x64xi32>
    %above_mask = fsm.broadcast %inner_above : tensor<1x64xi1> -> tensor<64x64xi1>
    %x_in0 = arith.andi %down_mask, %from_mask : tensor<64x64xi1>
    %x_in1 = arith.andi %x_in0, %inner_mask : tensor<64x64xi1>
    %x_in2 = arith.andi %x_in1, %above_mask : tensor<64x64xi1>
    %x_at = arith.addi %down_all, %inner_all overflow<nsw> : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in2 : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %outer = fsm.expand_dims %at axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %outer_at = arith.muli %outer, %q_pitch overflow<nsw> : tensor<64x1xi32>
    %outer_all = fsm.broadcast %outer_at : tensor<64x1xi32> -> tensor<64x128xi32>
    %outer_in = arith.cmpi slt, %outer, %k_down : tensor<64x1xi32>
    %outer_mask = fsm.broadcast %outer_in : tensor<64x1xi1> -> tensor<64x128xi1>
    %outer_above = arith.cmpi sge, %outer, %none_down : tensor<64x1xi32>
    %outer_from = fsm.broadcast %outer_above : tensor<64x1xi1> -> tensor<64x128xi1>
    %y_in0 = arith.andi %across_mask, %outer_mask : tensor<64x128xi1>
    %y_in1 = arith.andi %y_in0, %outer_from : tensor<64x128xi1>
    %y_at = arith.addi %outer_all, %across_all overflow<nsw> : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in1 : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %out_at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %d, %out[%out_at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}
