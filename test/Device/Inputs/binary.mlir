// One op on two blocks, in place of ${OP}; `fsm-run` is driven by elementwise.py.
// param OP
// param T
// param BLOCK = 256
fsm.kernel @binary(%out: !fsm.ptr<${T}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %n: i32) {
  %pid = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %pid, %size overflow<nsw> : i32
  %range = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %starts = fsm.splat %start : tensor<${BLOCK}xi32>
  %offsets = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
  %bound = fsm.splat %n : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offsets, %bound : tensor<${BLOCK}xi32>
  %x = fsm.load %a[%offsets], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %y = fsm.load %b[%offsets], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %z = ${OP} %x, %y : tensor<${BLOCK}x${T}>
  fsm.store %z, %out[%offsets], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
