// What is behind the mark is code where the file is split.
func.func @f() {
  "// ----- "() : () -> ()
  return
}
