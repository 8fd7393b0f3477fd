// Only pointers alias.
fsm.kernel @k(%a: i32 {fsm.noalias}) {
  
  fsm.return
}
