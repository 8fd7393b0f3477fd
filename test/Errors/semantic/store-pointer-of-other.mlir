// Memory of pointers to f32 takes pointers to f32.
fsm.kernel @k(%p: !fsm.ptr<!fsm.ptr<f32>>, %q: !fsm.ptr<i32>) {
  fsm.store %q, %p : !fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<f32>>
  fsm.return
}
