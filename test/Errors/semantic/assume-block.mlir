// What is assumed is one condition.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %c = arith.constant dense<true> : tensor<4xi1>
  "fsm.assume"(%c) : (tensor<4xi1>) -> ()
  fsm.return
}
