// Stages belong to a loop.
fsm.kernel @k() attributes {fsm.num_stages = 4 : i32} {
  fsm.return
}
