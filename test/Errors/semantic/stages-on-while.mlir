// Stages belong to scf.for.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  scf.while : () -> () {
    %c = arith.constant true
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {fsm.num_stages = 2 : i32}
  fsm.return
}
