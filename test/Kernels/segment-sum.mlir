// Sums of segments: out[s] is the sum of all values whose id is s. Ids come in rising order, so that neighbours belong together: a
// scan of pairs adds up within each segment of a block, and the last element of a segment, or of the block, adds what has
// come together to the result. Grid: blocks of BLOCK elements.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=segment-sum
//
// param BLOCK = 256
// param T = f32
// param ADD = arith.addf
// param ZERO = 0.0

!ids = tensor<${BLOCK}xi32>
!mask = tensor<${BLOCK}xi1>
!vec = tensor<${BLOCK}x${T}>

fsm.kernel @segment_sum(%out: !fsm.ptr<${T}>, %values: !fsm.ptr<${T}>, %ids: !fsm.ptr<i32>, %n: i32) {
  %pid = fsm.program_id x : i32
  %block = arith.constant ${BLOCK} : i32
  %first = arith.muli %pid, %block overflow<nsw> : i32
  %range = fsm.range 0, ${BLOCK} : !ids
  %firsts = fsm.splat %first : !ids
  %i = arith.addi %firsts, %range overflow<nsw> : !ids
  %ns = fsm.splat %n : !ids
  %mask = arith.cmpi slt, %i, %ns : !ids
  %nobody = arith.constant -1 : i32
  %id = fsm.load %ids[%i], %mask, %nobody : !fsm.ptr<i32>, !ids -> !ids
  %zero = arith.constant ${ZERO} : ${T}
  %x = fsm.load %values[%i], %mask, %zero : !fsm.ptr<${T}>, !ids -> !vec
  %known, %sum = fsm.scan_with %id, %x axis 0 : !ids, !vec {
  ^bb0(%ia: i32, %a: ${T}, %ib: i32, %b: ${T}):
    %both = ${ADD} %a, %b : ${T}
    %same = arith.cmpi eq, %ia, %ib : i32
    %s = arith.select %same, %both, %b : ${T}
    fsm.yield %ib, %s : i32, ${T}
  }
  %one = arith.constant 1 : i32
  %ones = fsm.splat %one : !ids
  %after = arith.addi %i, %ones overflow<nsw> : !ids
  %is_after = arith.cmpi slt, %after, %ns : !ids
  %next = fsm.load %ids[%after], %is_after, %nobody : !fsm.ptr<i32>, !ids -> !ids
  %changes = arith.cmpi ne, %id, %next : !ids
  %last = arith.constant dense<${BLOCK}> : !ids
  %count = arith.addi %range, %ones overflow<nsw> : !ids
  %ends = arith.cmpi eq, %count, %last : !ids
  %speaks = arith.ori %changes, %ends : !mask
  %adds = arith.andi %speaks, %mask : !mask
  %before = fsm.atomic_rmw <add> %sum, %out[%id], %adds sem = relaxed : !vec, !fsm.ptr<${T}>, !ids
  fsm.return
}
