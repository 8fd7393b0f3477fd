// A tile that is stored where the greatest number of a row is: its place is the second result of a reduction whose first one is a
// float, of whose type the place was taken to be when it was asked whether it is below 0 (seed 31000169).
//
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=f32[160] --arg=f32[100]:randn:1
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f32[160] --arg=f32[100]:randn:1

fsm.kernel @around_the_greatest(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %places = fsm.range 0, 100 : tensor<100xi32>
  %row = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
  %greatest, %place = fsm.reduce_with %row, %places axis 0 : tensor<100xf32>, tensor<100xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %is_greater = arith.cmpf oge, %a, %b : f32
    %number = arith.select %is_greater, %a, %b : f32
    %at = arith.select %is_greater, %i, %j : i32
    fsm.yield %number, %at : f32, i32
  }
  %length = arith.constant 160 : i32
  %rows = fsm.descriptor %out sizes [%length] strides [1] : !fsm.ptr<f32> -> !fsm.descriptor<1 x f32>
  %before = arith.constant 32 : i32
  %begin = arith.subi %place, %before : i32
  %all = fsm.splat %greatest : tensor<64xf32>
  fsm.store_tile %all, %rows[%begin] : tensor<64xf32>, !fsm.descriptor<1 x f32>
  fsm.return
}
