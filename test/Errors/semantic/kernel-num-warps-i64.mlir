// The number of warps is an i32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) attributes {num_warps = 4 : i64} {
  
  fsm.return
}
