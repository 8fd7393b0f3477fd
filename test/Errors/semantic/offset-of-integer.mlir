// Pointers are moved, not numbers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.offset %n, %n : i32, i32
  fsm.return
}
