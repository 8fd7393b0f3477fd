// Blocks are reduced.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.reduce"(%x) <{axis = 0 : i32, kind = #fsm.reduce_kind<sum>}> : (f32) -> f32
  fsm.return
}
