// A thread has 1 to 255 registers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) attributes {max_registers = -5 : i32} {
  
  fsm.return
}
