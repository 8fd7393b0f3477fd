// What a loop defines is not seen outside.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  scf.for %i = %n to %n step %n : i32 {
    %a = arith.addi %n, %n : i32
  }
  %b = arith.addi %a, %n : i32
  fsm.return
}
