// cv is a hint for loads.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  fsm.store %x, %p cache = cv : f32, !fsm.ptr<f32>
  fsm.return
}
