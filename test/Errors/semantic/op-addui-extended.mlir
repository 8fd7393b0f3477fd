// The language names its arith ops.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a, %b = arith.addui_extended %n, %n : i32, i1
  fsm.return
}
