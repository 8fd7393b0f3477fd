// The dialect has no such attribute.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = arith.addi %n, %n {fsm.fast} : i32
  fsm.return
}
