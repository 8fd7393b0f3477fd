// Program counts are i32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.num_programs y : i64
  fsm.return
}
