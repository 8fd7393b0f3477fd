// Loops carry scalars and blocks.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  "scf.while"() ({
    %c = arith.constant true
    %v = ub.poison : index
    "scf.condition"(%c, %v) : (i1, index) -> ()
  }, {
  ^body(%a: index):
    "scf.yield"() : () -> ()
  }) : () -> index
  fsm.return
}
