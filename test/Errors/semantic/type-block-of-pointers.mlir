// There are no blocks of pointers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : tensor<4x!fsm.ptr<f32>>
  fsm.return
}
