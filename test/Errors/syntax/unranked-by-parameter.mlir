// The bounds hold for the text that the parser sees.
// param E = *xf32
func.func @f(%v: tensor<${E}>) {
  return
}
