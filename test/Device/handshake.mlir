// A program that loads, says so, waits for another that stores to the same places, and then stores what it has loaded: that is
// what was there before, however late it is needed. No program waits for ever, where they run one after the other.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(300, dtype=numpy.int32))"
// RUN: %fsm_run %s --device=cpu --grid=2 --arg=i32[300] --arg=i32[300]:arange --arg=i32[2] --arg=100000000 --check=0:%t.npy
// RUN: %fsm_run %s -D WAITS=acq_rel --device=cpu --grid=2 --arg=i32[300] --arg=i32[300]:arange --arg=i32[2] --arg=100000000 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --device=sim --num-warps=1 --grid=2 --arg=i32[300] --arg=i32[300]:arange --arg=i32[2] --arg=100000000 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s -D WAITS=acq_rel --device=sim --num-warps=4 --grid=2 --arg=i32[300] --arg=i32[300]:arange --arg=i32[2] --arg=100000000 --check=0:%t.npy

// param WAITS = acquire

func.func private @wait(%flags: !fsm.ptr<i32>, %number: i32, %patience: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %flag = fsm.offset %flags, %number : !fsm.ptr<i32>, i32
  %rounds = scf.while (%i = %zero) : (i32) -> i32 {
    %seen = fsm.atomic_rmw <or> %zero, %flag sem = ${WAITS} : i32, !fsm.ptr<i32>
    %none = arith.cmpi eq, %seen, %zero : i32
    %hopes = arith.cmpi slt, %i, %patience : i32
    %waits = arith.andi %none, %hopes : i1
    scf.condition(%waits) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}

fsm.kernel @handshake(%out: !fsm.ptr<i32>, %data: !fsm.ptr<i32>, %flags: !fsm.ptr<i32>, %patience: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = fsm.range 0, 512 : tensor<512xi32>
  %end = arith.constant dense<300> : tensor<512xi32>
  %inside = arith.cmpi slt, %at, %end : tensor<512xi32>
  %reads = arith.cmpi eq, %program, %zero : i32
  scf.if %reads {
    %x = fsm.load %data[%at], %inside : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    %mine = fsm.atomic_rmw <exch> %one, %flags sem = release : i32, !fsm.ptr<i32>
    func.call @wait(%flags, %one, %patience) : (!fsm.ptr<i32>, i32, i32) -> ()
    fsm.store %x, %out[%at], %inside : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  } else {
    func.call @wait(%flags, %zero, %patience) : (!fsm.ptr<i32>, i32, i32) -> ()
    %seven = arith.constant dense<7> : tensor<512xi32>
    fsm.store %seven, %data[%at], %inside : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
    %theirs = fsm.offset %flags, %one : !fsm.ptr<i32>, i32
    %said = fsm.atomic_rmw <exch> %one, %theirs sem = release : i32, !fsm.ptr<i32>
  }
  fsm.return
}
