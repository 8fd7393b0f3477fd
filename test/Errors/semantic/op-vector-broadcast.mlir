// Vectors are no part of the language.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = vector.broadcast %x : f32 to vector<4xf32>
  fsm.return
}
