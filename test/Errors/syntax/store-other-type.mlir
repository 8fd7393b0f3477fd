// A store has no other.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %c = arith.constant true
  fsm.store %x, %p, %c : f32, !fsm.ptr<f32>, other f32
  fsm.return
}
