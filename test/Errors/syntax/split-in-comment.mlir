// What is behind the mark is code where the file is split.
// Words ----- may // ----- stand there
// but // ----- func.func private @f(tensor<*xf32>)
fsm.kernel @k() {
  fsm.return
}
