// Cumulative sums of rows of any length, BLOCK columns at a time: a scan within the block, and the sum of all before it carried
// along. Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=cumulative-sum
//
// param BLOCK = 128
// param T = f32
// param ADD = arith.addf
// param ZERO = 0.0
// param STAGES = 2

!ids = tensor<${BLOCK}xi32>
!vec = tensor<${BLOCK}x${T}>

fsm.kernel @cumulative_sum(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %cols: i32) {
  %row = fsm.program_id x : i32
  %first = arith.muli %row, %cols overflow<nsw> : i32
  %x_row = fsm.offset %in, %first : !fsm.ptr<${T}>, i32
  %y_row = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %range = fsm.range 0, ${BLOCK} : !ids
  %none = arith.constant 0 : i32
  %block = arith.constant ${BLOCK} : i32
  %zero = arith.constant ${ZERO} : ${T}
  %total = scf.for %c = %none to %cols step %block iter_args(%carried = %zero) -> (${T}) : i32 {
    %left = arith.subi %cols, %c overflow<nsw> : i32
    %lefts = fsm.splat %left : !ids
    %mask = arith.cmpi slt, %range, %lefts : !ids
    %px = fsm.offset %x_row, %c : !fsm.ptr<${T}>, i32
    %x = fsm.load %px[%range], %mask, %zero : !fsm.ptr<${T}>, !ids -> !vec
    %within = fsm.scan <sum> %x axis 0 : !vec
    %before = fsm.splat %carried : !vec
    %sums = ${ADD} %before, %within : !vec
    %py = fsm.offset %y_row, %c : !fsm.ptr<${T}>, i32
    fsm.store %sums, %py[%range], %mask : !vec, !fsm.ptr<${T}>, !ids
    %here = fsm.reduce <sum> %x axis 0 : !vec -> ${T}
    %next = ${ADD} %carried, %here : ${T}
    scf.yield %next : ${T}
  } {fsm.num_stages = ${STAGES} : i32}
  fsm.return
}
