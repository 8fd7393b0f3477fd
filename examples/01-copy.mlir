// Copy: a kernel says what one program does to one block. Program i moves the
// i-th BLOCK elements; the last block may stick out over the end, and the mask
// keeps those elements from being read or written. Grid: n / BLOCK, rounded up.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
// param T = f32

fsm.kernel @copy(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %n: i32) {
  %program = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %program, %size overflow<nsw> : i32

  // How many elements are left; the first so many of the block are valid.
  %left = arith.subi %n, %start overflow<nsw> : i32
  %limit = fsm.splat %left : tensor<${BLOCK}xi32>
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %limit : tensor<${BLOCK}xi32>

  %src = fsm.offset %in, %start : !fsm.ptr<${T}>, i32
  %x = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %dst = fsm.offset %out, %start : !fsm.ptr<${T}>, i32
  fsm.store %x, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
