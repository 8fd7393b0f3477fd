// Without offsets a load reads one element.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.load %p : !fsm.ptr<f32> -> tensor<64xf32>
  fsm.return
}
