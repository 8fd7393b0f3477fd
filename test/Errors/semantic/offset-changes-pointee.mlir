// Moving keeps the type of a pointer.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.offset"(%p, %n) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<i32>
  fsm.return
}
