// A pointer to f32 gives f32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f16
  fsm.return
}
