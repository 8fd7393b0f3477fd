// Tabs are blanks as well.
// param A = 8	in	16, 32
fsm.kernel @k() {
  fsm.return
}
