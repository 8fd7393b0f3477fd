// Vector add: arith and math ops work on whole blocks, element by element. A
// parameter may stand for any piece of text: for integers, set T to i32 and ADD
// to arith.addi. Grid: n / BLOCK, rounded up.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
// param T = f32
// param ADD = arith.addf

fsm.kernel @vector_add(%out: !fsm.ptr<${T}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %n: i32) {
  %program = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %program, %size overflow<nsw> : i32
  %left = arith.subi %n, %start overflow<nsw> : i32
  %limit = fsm.splat %left : tensor<${BLOCK}xi32>
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %limit : tensor<${BLOCK}xi32>

  %pa = fsm.offset %a, %start : !fsm.ptr<${T}>, i32
  %x = fsm.load %pa[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %pb = fsm.offset %b, %start : !fsm.ptr<${T}>, i32
  %y = fsm.load %pb[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %sum = ${ADD} %x, %y : tensor<${BLOCK}x${T}>
  %dst = fsm.offset %out, %start : !fsm.ptr<${T}>, i32
  fsm.store %sum, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
