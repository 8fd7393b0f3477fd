// The comment is none of the parser's tokens.
func.func @f(%v: tensor // a block
    <*xf32>) {
  return
}
