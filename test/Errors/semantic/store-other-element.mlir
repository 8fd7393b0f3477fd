// f32 memory takes f32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  fsm.store %n, %p : i32, !fsm.ptr<f32>
  fsm.return
}
