// A loop over i64 that compares without a sign begins near the end of its type: its numbers are none of 32 bits, though
// their constants look like it, and a counter that passed the end would begin anew (kernel 52 of the first 300 whose
// loops count in every type). A step of 64 bits that is widened from 32 may be none, too.
//
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i32[8] --kernel=ends
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[8] --kernel=ends
// RUN: %fsm_run %s --device=sim --compare=cpu --grid=1 --arg=i32[8] --arg=0 --no-specialize --kernel=steps
// RUN: %fsm_run %s --device=sim --compare=cpu --grid=1 --arg=i32[8] --arg=-3 --no-specialize --kernel=steps
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[8] --arg=2 --no-specialize --kernel=steps

fsm.kernel @ends(%out: !fsm.ptr<i32>) {
  %first = arith.constant -4 : i64
  %end = arith.constant -1 : i64
  %two = arith.constant 2 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = scf.for unsigned %i = %first to %end step %two iter_args(%before = %zero) -> (i32) : i64 {
    %low = arith.trunci %i : i64 to i32
    %next = arith.addi %before, %one : i32
    %place = fsm.offset %out, %next : !fsm.ptr<i32>, i32
    fsm.store %low, %place : i32, !fsm.ptr<i32>
    scf.yield %next : i32
  }
  fsm.store %count, %out : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @steps(%out: !fsm.ptr<i32>, %n: i32) {
  %first = arith.constant 0 : i64
  %end = arith.constant 5 : i64
  %step = arith.extsi %n : i32 to i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = scf.for %i = %first to %end step %step iter_args(%before = %zero) -> (i32) : i64 {
    %next = arith.addi %before, %one : i32
    scf.yield %next : i32
  }
  fsm.store %count, %out : i32, !fsm.ptr<i32>
  fsm.return
}
