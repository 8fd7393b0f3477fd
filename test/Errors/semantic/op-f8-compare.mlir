// f8 is storage.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : f8E5M2
  %a = arith.cmpf olt, %b, %b : f8E5M2
  fsm.return
}
