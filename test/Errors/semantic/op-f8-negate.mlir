// f8 is storage.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = ub.poison : f8E4M3FN
  %a = arith.negf %b : f8E4M3FN
  fsm.return
}
