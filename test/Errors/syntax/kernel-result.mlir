// A kernel has no results.
fsm.kernel @k(%n: i32) -> i32 {
  fsm.return
}
