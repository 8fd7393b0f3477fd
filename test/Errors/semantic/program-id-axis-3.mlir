// The grid has three axes.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.program_id"() <{axis = 3 : i32}> : () -> i32
  fsm.return
}
