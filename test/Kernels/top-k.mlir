// The k greatest numbers of each row and their columns, in falling order, of equal ones the first column first: k times the
// greatest of what is left is found, with its column, and taken out. Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=top-k
//
// param BLOCK = 128

!ids = tensor<${BLOCK}xi32>
!vec = tensor<${BLOCK}xf32>

fsm.kernel @top_k(%values: !fsm.ptr<f32>, %places: !fsm.ptr<i32>, %in: !fsm.ptr<f32>, %cols: i32, %k: i32) {
  %row = fsm.program_id x : i32
  %first = arith.muli %row, %cols overflow<nsw> : i32
  %x_row = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %column = fsm.range 0, ${BLOCK} : !ids
  %limits = fsm.splat %cols : !ids
  %mask = arith.cmpi slt, %column, %limits : !ids
  %low = arith.constant 0xFF800000 : f32
  %lows = arith.constant dense<0xFF800000> : !vec
  %all = fsm.load %x_row[%column], %mask, %low : !fsm.ptr<f32>, !ids -> !vec
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %result = arith.muli %row, %k overflow<nsw> : i32
  %left = scf.for %i = %none to %k step %one iter_args(%x = %all) -> (!vec) : i32 {
    %best, %place = fsm.reduce_with %x, %column axis 0 : !vec, !ids -> f32, i32 {
    ^bb0(%a: f32, %ia: i32, %b: f32, %ib: i32):
      %more = arith.cmpf ogt, %a, %b : f32
      %even = arith.cmpf oeq, %a, %b : f32
      %sooner = arith.cmpi slt, %ia, %ib : i32
      %kept = arith.andi %even, %sooner : i1
      %first_wins = arith.ori %more, %kept : i1
      %v = arith.select %first_wins, %a, %b : f32
      %j = arith.select %first_wins, %ia, %ib : i32
      fsm.yield %v, %j : f32, i32
    }
    %to = arith.addi %result, %i overflow<nsw> : i32
    %value_at = fsm.offset %values, %to : !fsm.ptr<f32>, i32
    fsm.store %best, %value_at : f32, !fsm.ptr<f32>
    %place_at = fsm.offset %places, %to : !fsm.ptr<i32>, i32
    fsm.store %place, %place_at : i32, !fsm.ptr<i32>
    %taken = fsm.splat %place : !ids
    %is_taken = arith.cmpi eq, %column, %taken : !ids
    %rest = arith.select %is_taken, %lows, %x : tensor<${BLOCK}xi1>, !vec
    scf.yield %rest : !vec
  }
  fsm.return
}
