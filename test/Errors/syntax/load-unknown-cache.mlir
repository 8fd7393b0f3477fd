// Cache hints are ca, cg, cs, cv, wb and wt.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.load %p cache = l1 : !fsm.ptr<f32> -> f32
  fsm.return
}
