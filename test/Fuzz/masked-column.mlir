// A column under a mask, at offsets that a transpose of odd extents gives. Rows of one element have no whole vector, and for the loop
// over whole vectors under the mask, which never ran, the conversion asked for offsets that the plan did not keep. Kernel 180 of a run.
// RUN: %fsm_run %s --device=cpu --guard=end --compare=interp --grid=1 --arg=f32[589] --arg=f32[589]:arange --arg=580
// RUN: %fsm_run %s --device=sim --num-warps=1 --compare=interp --grid=1 --arg=f32[589] --arg=f32[589]:arange --arg=580

fsm.kernel @masked_column(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 589 : tensor<589xi32>
  %rows = fsm.reshape %r : tensor<589xi32> -> tensor<19x31xi32>
  %turned = fsm.transpose %rows order [1, 0] : tensor<19x31xi32> -> tensor<31x19xi32>
  %places = fsm.reshape %turned : tensor<31x19xi32> -> tensor<589x1xi32>
  %column = fsm.reshape %r : tensor<589xi32> -> tensor<589x1xi32>
  %ns = fsm.splat %n : tensor<589x1xi32>
  %mask = arith.cmpi slt, %column, %ns : tensor<589x1xi32>
  %other = arith.constant -1.0 : f32
  %x = fsm.load %in[%places], %mask, %other : !fsm.ptr<f32>, tensor<589x1xi32> -> tensor<589x1xf32>
  fsm.store %x, %out[%column] : tensor<589x1xf32>, !fsm.ptr<f32>, tensor<589x1xi32>
  fsm.return
}
