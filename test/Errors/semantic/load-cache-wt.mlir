// wt is a hint for stores.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.load %p cache = wt : !fsm.ptr<f32> -> f32
  fsm.return
}
