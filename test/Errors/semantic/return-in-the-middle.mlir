// fsm.return is the last op.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  fsm.return
  %a = arith.addi %n, %n : i32
  fsm.return
}
