// Only what a pointer leads to is read-only.
fsm.kernel @k(%a: f64 {fsm.readonly}) {
  
  fsm.return
}
