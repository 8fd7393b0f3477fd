// One element has one other.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %c = arith.constant true
  %s = fsm.splat %x : tensor<32xf32>
  %a = fsm.load %p, %c, %s : !fsm.ptr<f32>, other tensor<32xf32> -> f32
  fsm.return
}
