// A block has at least one dimension.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = arith.constant dense<0> : tensor<i32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<i32> -> tensor<f32>
  fsm.return
}
