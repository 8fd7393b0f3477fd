// Row sum: a reduction turns a block into one value. Program i adds up row i of
// at most BLOCK columns. Masked-off elements of a load without `other` are zero,
// which is neutral for a sum. f16 and bf16 accumulate in f32 and round once.
// Grid: one program per row.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
// param T = f32

fsm.kernel @row_sum(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %in_stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>

  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %x = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<${BLOCK}x${T}> -> ${T}

  // A scalar is stored without offsets.
  %dst = fsm.offset %out, %row : !fsm.ptr<${T}>, i32
  fsm.store %sum, %dst : ${T}, !fsm.ptr<${T}>
  fsm.return
}
