// A kernel has a body.
fsm.kernel @k(%n: i32)
