// An attribute stands there twice.
fsm.kernel @k() attributes {num_warps = 4 : i32, num_warps = 8 : i32} {
  fsm.return
}
