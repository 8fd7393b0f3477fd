// The name is 'a-' to MLIR's lexer, but '->' an arrow where it looks for the type's end.
!a- = f32
func.func @f(%p: !fsm.ptr<!a->) {
  return
}
