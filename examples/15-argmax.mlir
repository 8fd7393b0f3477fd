// The greatest element of each row, and where it is: a reduction of pairs. The
// region says what of two pairs is kept: the greater element, of equal ones the
// one with the smaller column. NaN counts as the greatest, as it does in NumPy: a
// row with NaN gives the first of them. Masked-off columns are -inf with columns
// that no real one can lose a tie to.
// Grid: one program per row of 1 to BLOCK columns.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
// param T = f32
// param NINF = 0xFF800000

fsm.kernel @argmax(%values: !fsm.ptr<${T}>, %indices: !fsm.ptr<i32>, %in: !fsm.ptr<${T}>, %in_stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %ninf = arith.constant ${NINF} : ${T}

  %start = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %start : !fsm.ptr<${T}>, i32
  %x = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %most, %at = fsm.reduce_with %x, %offs axis 0 : tensor<${BLOCK}x${T}>, tensor<${BLOCK}xi32> -> ${T}, i32 {
  ^bb0(%a: ${T}, %i: i32, %b: ${T}, %j: i32):
    %a_nan = arith.cmpf uno, %a, %a : ${T}
    %b_nan = arith.cmpf uno, %b, %b : ${T}
    %differ = arith.xori %a_nan, %b_nan : i1
    %more = arith.cmpf ogt, %a, %b : ${T}
    // Neither is greater: the one that is NaN if the other is not, else the earlier.
    %even = arith.cmpf ueq, %a, %b : ${T}
    %earlier = arith.cmpi slt, %i, %j : i32
    %first = arith.select %differ, %a_nan, %earlier : i1
    %kept = arith.andi %even, %first : i1
    %left = arith.ori %more, %kept : i1
    %value = arith.select %left, %a, %b : ${T}
    %column = arith.select %left, %i, %j : i32
    fsm.yield %value, %column : ${T}, i32
  }

  %value_at = fsm.offset %values, %row : !fsm.ptr<${T}>, i32
  fsm.store %most, %value_at : ${T}, !fsm.ptr<${T}>
  %index_at = fsm.offset %indices, %row : !fsm.ptr<i32>, i32
  fsm.store %at, %index_at : i32, !fsm.ptr<i32>
  fsm.return
}
