// There are two f8 formats.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : f8E5M2FNUZ
  fsm.return
}
