// The language names its arith ops.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a, %b = arith.mulsi_extended %n, %n : i32
  fsm.return
}
