// A mask is made of i1.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  fsm.store %x, %p, %n : f32, !fsm.ptr<f32>, mask i32
  fsm.return
}
