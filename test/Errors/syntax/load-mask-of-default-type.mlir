// A mask of another type names it.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %c = arith.constant true
  %a = fsm.load %p[%o], %c : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.return
}
