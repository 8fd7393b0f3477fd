// A pointer to pointers gives pointers.
fsm.kernel @k(%p: !fsm.ptr<!fsm.ptr<f32>>) {
  %a = fsm.load %p : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<i32>
  fsm.return
}
