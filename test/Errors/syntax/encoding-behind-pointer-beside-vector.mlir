// The type of the elements has brackets of its own.
func.func @f(%v: vector<4xf32>, %p: tensor<4x!fsm.ptr<f32>, 1 : i32>) {
  return
}
