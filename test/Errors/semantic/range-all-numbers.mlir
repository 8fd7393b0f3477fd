// A block is not as large as all of i32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.range -2147483648, 2147483647 : tensor<4294967295xi32>
  fsm.return
}
