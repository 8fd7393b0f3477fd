// An axis is an i32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %s = fsm.splat %x : tensor<64xf32>
  %a = "fsm.reduce"(%s) <{axis = 0 : i64, kind = #fsm.reduce_kind<sum>}> : (tensor<64xf32>) -> f32
  fsm.return
}
