// f8 is converted by fsm.convert.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = arith.truncf %x : f32 to f8E4M3FN
  fsm.return
}
