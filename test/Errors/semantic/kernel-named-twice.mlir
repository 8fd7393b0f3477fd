// The name stands behind fsm.kernel.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) attributes {sym_name = "other"} {
  
  fsm.return
}
