// Branches give scalars and blocks.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %c = arith.constant true
  %a = "scf.if"(%c) ({
    %v = ub.poison : vector<4xf32>
    scf.yield %v : vector<4xf32>
  }, {
    %v = ub.poison : vector<4xf32>
    scf.yield %v : vector<4xf32>
  }) : (i1) -> vector<4xf32>
  fsm.return
}
