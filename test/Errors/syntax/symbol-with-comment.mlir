// MLIR takes the bracket in the comment for the end of the type, and reads on behind it.
func.func @f(%p: !fsm.ptr<f32 //>, %v: tensor<*xf32>) {
  >) {
  return
}
