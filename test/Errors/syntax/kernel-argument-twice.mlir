// Two arguments have one name.
fsm.kernel @k(%n: i32, %n: i32) {
  fsm.return
}
