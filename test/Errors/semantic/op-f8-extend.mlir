// f8 is converted by fsm.convert.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : f8E5M2
  %a = arith.extf %b : f8E5M2 to f32
  fsm.return
}
