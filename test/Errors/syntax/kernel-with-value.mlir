// fsm.return carries no values.
fsm.kernel @k(%n: i32) {
  fsm.return %n : i32
}
