// There are no complex numbers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : complex<f32>
  fsm.return
}
