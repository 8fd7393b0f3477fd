// Each program doubles elements that its neighbour doubles, too.
fsm.kernel @double(%p: !fsm.ptr<f32>) {
  %id = fsm.program_id x : i32
  %from = fsm.offset %p, %id : !fsm.ptr<f32>, i32
  %offs = fsm.range 0, 4 : tensor<4xi32>
  %x = fsm.load %from[%offs] : !fsm.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
  %y = arith.addf %x, %x : tensor<4xf32>
  fsm.store %y, %from[%offs] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.return
}
