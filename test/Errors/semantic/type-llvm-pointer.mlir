// Pointers are !fsm.ptr.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : !llvm.ptr
  fsm.return
}
