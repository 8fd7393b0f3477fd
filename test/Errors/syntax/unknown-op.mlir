// The dialect has no such op.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.lod %p : !fsm.ptr<f32> -> f32
  fsm.return
}
