// Blocks that a scf.while carries, and promises about blocks, mean on a GPU what they mean to the interpreter.
//
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[100] --arg=0 --num-warps=1
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[100] --arg=3 --num-warps=1
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[100] --arg=0 --num-warps=4
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[100] --arg=3 --num-warps=4

fsm.kernel @k(%p: !fsm.ptr<i32>, %n: i32) {
  %o = fsm.range 0, 100 : tensor<100xi32>
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %x = %o) : (i32, tensor<100xi32>) -> (i32, tensor<100xi32>) {
    %go = arith.cmpi slt, %i, %n : i32
    %y = arith.addi %x, %o : tensor<100xi32>
    scf.condition(%go) %i, %y : i32, tensor<100xi32>
  } do {
  ^bb0(%i: i32, %x: tensor<100xi32>):
    %j = arith.addi %i, %c1 : i32
    %s = fsm.reduce <max> %x axis 0 : tensor<100xi32> -> i32
    %t = fsm.splat %s : tensor<100xi32>
    %y = arith.subi %t, %x : tensor<100xi32>
    scf.yield %j, %y : i32, tensor<100xi32>
  }
  %h = fsm.hint %o {multiple_of = array<i64: 1>, max_contiguous = array<i64: 100>} : tensor<100xi32>
  %pos = arith.cmpi sge, %n, %c0 : i32
  fsm.assume %pos
  fsm.store %r#1, %p[%h] : tensor<100xi32>, !fsm.ptr<i32>, tensor<100xi32>
  fsm.return
}
