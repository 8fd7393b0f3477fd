// The number of warps is an i32.
fsm.kernel @k() attributes {num_warps = "4"} {
  fsm.return
}
