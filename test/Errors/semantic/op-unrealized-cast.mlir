// Casts between types are named.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = builtin.unrealized_conversion_cast %n : i32 to f32
  fsm.return
}
