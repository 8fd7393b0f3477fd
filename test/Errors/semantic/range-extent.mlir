// The extent is the end minus the start.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.range 8, 16 : tensor<16xi32>
  fsm.return
}
