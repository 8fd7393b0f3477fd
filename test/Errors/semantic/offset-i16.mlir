// Offsets have 32 or 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %i = arith.trunci %n : i32 to i16
  %a = fsm.offset %p, %i : !fsm.ptr<f32>, i16
  fsm.return
}
