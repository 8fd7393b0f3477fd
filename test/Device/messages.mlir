// A program that stores rows and says so by an atomic, and one that waits for that by another and loads them, in loops whose
// loads may run ahead, but not of what acquires. The simulator lets the programs run by turns, and reports loads that nothing
// orders behind the stores. A program waits for a row where its iteration begins, or in front of it, where the one before ends.
//
// RUN: %fsm_run %s --kernel=rows --device=cpu --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=rows --num-warps=1 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=5,global_races=2 %fsm_run %s --kernel=rows --num-warps=2 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=rows -D SENDS=acq_rel -D WAITS=acq_rel --target=sm_80 --num-warps=2 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s --kernel=rows --target=sm_75 --num-warps=4 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: %fsm_run %s --kernel=ahead --device=cpu --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=ahead --num-warps=1 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=5,global_races=2 %fsm_run %s --kernel=ahead --num-warps=2 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=ahead -D SENDS=acq_rel -D WAITS=acq_rel --target=sm_80 --num-warps=2 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s --kernel=ahead --target=sm_75 --num-warps=4 --device=sim --grid=2 --compare=interp --arg=i32[1024] --arg=i32[1024] --arg=i32[1024]:arange --arg=i32[9] --arg=8
// RUN: %fsm_run %s --kernel=watched --device=cpu --grid=2 --compare=interp --arg=i32[256] --arg=i32[1024]:arange --arg=8
// RUN: %fsm_run %s --kernel=watched --device=sim --num-warps=1 --num-stages=4 --grid=2 --compare=interp --arg=i32[256] --arg=i32[1024]:arange --arg=8
// RUN: %fsm_run %s --kernel=watched --target=sm_75 --device=sim --num-warps=2 --grid=2 --compare=interp --arg=i32[256] --arg=i32[1024]:arange --arg=8

// param SENDS = release
// param WAITS = acquire

// Rows and flags 0 to %rows, the last flag for no row.
func.func private @send(%shared: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %flags: !fsm.ptr<i32>, %rows: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %at = fsm.range 0, 128 : tensor<128xi32>
  scf.for %i = %zero to %rows step %one : i32 {
    %place = arith.muli %i, %width : i32
    %from = fsm.offset %in, %place : !fsm.ptr<i32>, i32
    %to = fsm.offset %shared, %place : !fsm.ptr<i32>, i32
    %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    fsm.store %x, %to[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %flag = fsm.offset %flags, %i : !fsm.ptr<i32>, i32
    %said = fsm.atomic_rmw <exch> %one, %flag sem = ${SENDS} : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 3 : i32}
  %last = fsm.offset %flags, %rows : !fsm.ptr<i32>, i32
  %end = fsm.atomic_rmw <exch> %one, %last sem = ${SENDS} : i32, !fsm.ptr<i32>
  return
}

func.func private @wait(%flags: !fsm.ptr<i32>, %row: i32) {
  %zero = arith.constant 0 : i32
  %flag = fsm.offset %flags, %row : !fsm.ptr<i32>, i32
  scf.while : () -> () {
    %seen = fsm.atomic_rmw <or> %zero, %flag sem = ${WAITS} : i32, !fsm.ptr<i32>
    %waits = arith.cmpi eq, %seen, %zero : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  return
}

func.func private @take(%out: !fsm.ptr<i32>, %shared: !fsm.ptr<i32>, %row: i32) {
  %width = arith.constant 128 : i32
  %at = fsm.range 0, 128 : tensor<128xi32>
  %place = arith.muli %row, %width : i32
  %from = fsm.offset %shared, %place : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %place : !fsm.ptr<i32>, i32
  %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  %y = arith.addi %x, %x : tensor<128xi32>
  fsm.store %y, %to[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  return
}

fsm.kernel @rows(%out: !fsm.ptr<i32>, %shared: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %flags: !fsm.ptr<i32>, %rows: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sends = arith.cmpi eq, %program, %zero : i32
  scf.if %sends {
    func.call @send(%shared, %in, %flags, %rows) : (!fsm.ptr<i32>, !fsm.ptr<i32>, !fsm.ptr<i32>, i32) -> ()
  } else {
    scf.for %i = %zero to %rows step %one : i32 {
      func.call @wait(%flags, %i) : (!fsm.ptr<i32>, i32) -> ()
      func.call @take(%out, %shared, %i) : (!fsm.ptr<i32>, !fsm.ptr<i32>, i32) -> ()
    } {fsm.num_stages = 3 : i32}
  }
  fsm.return
}

fsm.kernel @ahead(%out: !fsm.ptr<i32>, %shared: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %flags: !fsm.ptr<i32>, %rows: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sends = arith.cmpi eq, %program, %zero : i32
  scf.if %sends {
    func.call @send(%shared, %in, %flags, %rows) : (!fsm.ptr<i32>, !fsm.ptr<i32>, !fsm.ptr<i32>, i32) -> ()
  } else {
    func.call @wait(%flags, %zero) : (!fsm.ptr<i32>, i32) -> ()
    scf.for %i = %zero to %rows step %one : i32 {
      func.call @take(%out, %shared, %i) : (!fsm.ptr<i32>, !fsm.ptr<i32>, i32) -> ()
      %next = arith.addi %i, %one : i32
      func.call @wait(%flags, %next) : (!fsm.ptr<i32>, i32) -> ()
    } {fsm.num_stages = 3 : i32}
  }
  fsm.return
}

// Loads that run ahead beside some that are volatile, of a number and of a block.
fsm.kernel @watched(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %rows: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %none = arith.constant dense<0> : tensor<128xi32>
  %at = fsm.range 0, 128 : tensor<128xi32>
  %sum = scf.for %i = %program to %rows step %one iter_args(%s = %none) -> tensor<128xi32> : i32 {
    %place = arith.muli %i, %width : i32
    %from = fsm.offset %in, %place : !fsm.ptr<i32>, i32
    %first = fsm.load %from volatile : !fsm.ptr<i32> -> i32
    %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %y = fsm.load %in[%at] volatile : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %firsts = fsm.splat %first : tensor<128xi32>
    %z = arith.muli %x, %firsts : tensor<128xi32>
    %t = arith.addi %s, %z : tensor<128xi32>
    %next = arith.addi %t, %y : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.num_stages = 3 : i32}
  %mine = arith.muli %program, %width : i32
  %to = fsm.offset %out, %mine : !fsm.ptr<i32>, i32
  fsm.store %sum, %to[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}
