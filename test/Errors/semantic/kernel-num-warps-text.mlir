// The number of warps is a number.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) attributes {num_warps = "4"} {
  
  fsm.return
}
