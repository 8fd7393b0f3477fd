// The language names its math ops.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = math.clampf %x to [%x, %x] : f32
  fsm.return
}
