// A range is a block.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.range"() <{end = 1 : i32, start = 0 : i32}> : () -> i32
  fsm.return
}
