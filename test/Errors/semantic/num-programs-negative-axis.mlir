// The grid has three axes.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.num_programs"() <{axis = -1 : i32}> : () -> i32
  fsm.return
}
