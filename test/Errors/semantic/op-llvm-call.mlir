// The llvm dialect is no part of the language.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = llvm.mlir.undef : i32
  fsm.return
}
