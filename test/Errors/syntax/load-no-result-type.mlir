// A load names its result's type.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.load %p : !fsm.ptr<f32>
  fsm.return
}
