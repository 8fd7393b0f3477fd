// A kernel has a body.
fsm.kernel @k() {
}
