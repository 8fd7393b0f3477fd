// A hint passes its operand through.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.hint"(%n) <{multiple_of = array<i64: 4>}> : (i32) -> i64
  fsm.return
}
