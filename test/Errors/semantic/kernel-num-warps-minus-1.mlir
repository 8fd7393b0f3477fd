// The number of warps is a power of two from 1 to 32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) attributes {num_warps = -1 : i32} {
  
  fsm.return
}
