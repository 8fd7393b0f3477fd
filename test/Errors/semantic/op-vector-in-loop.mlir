// What stands in a loop is checked too.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %v = ub.poison : i32
  %r = scf.for %i = %n to %n step %n iter_args(%a = %v) -> (i32) : i32 {
    %b = ub.poison : vector<4xi32>
    scf.yield %a : i32
  }
  fsm.return
}
