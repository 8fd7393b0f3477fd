// MLIR's verifier dereferences null here.
func.func @f(%v: vector<4xf32>) {
  %0 = "arith.addf"(%v, %v) <{fastmath = #arith.fastmath<none>}> : (vector<4xf32>, vector<4xf32>) -> tensor<
      4xf32, 1 : i32>
  return
}
