// A message of which each element has a flag of its own, all read by one atomic over a block: it is there when the least of them
// is set, and then each thread takes what others have waited for. The atomics order what is behind them for all threads.
//
// RUN: %fsm_run %s --device=cpu --grid=2 --compare=interp --arg=i32[128] --arg=i32[128] --arg=i32[128]:arange --arg=i32[128]
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --device=sim --num-warps=1 --grid=2 --compare=interp --arg=i32[128] --arg=i32[128] --arg=i32[128]:arange --arg=i32[128]
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s -D WAITS=acq_rel --device=sim --num-warps=1 --grid=2 --compare=interp --arg=i32[128] --arg=i32[128] --arg=i32[128]:arange --arg=i32[128]
// RUN: env FSM_SIMULATOR=seed=5,global_races=2 %fsm_run %s -D WAITS=acq_rel --target=sm_75 --device=sim --num-warps=1 --grid=2 --compare=interp --arg=i32[128] --arg=i32[128] --arg=i32[128]:arange --arg=i32[128]
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s -D WAITS=acq_rel --device=sim --num-warps=4 --grid=2 --compare=interp --arg=i32[128] --arg=i32[128] --arg=i32[128]:arange --arg=i32[128]

// param WAITS = acquire

fsm.kernel @block_messages(%out: !fsm.ptr<i32>, %shared: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %flags: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %ones = arith.constant dense<1> : tensor<128xi32>
  %last = arith.constant dense<127> : tensor<128xi32>
  %at = fsm.range 0, 128 : tensor<128xi32>
  %sends = arith.cmpi eq, %program, %zero : i32
  scf.if %sends {
    %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    fsm.store %x, %shared[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %said = fsm.atomic_rmw <exch> %ones, %flags[%at] sem = release : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  } else {
    scf.while : () -> () {
      %seen = fsm.atomic_rmw <or> %zeros, %flags[%at] sem = ${WAITS} : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
      %least = fsm.reduce <min> %seen axis 0 : tensor<128xi32> -> i32
      %waits = arith.cmpi eq, %least, %zero : i32
      scf.condition(%waits)
    } do {
      scf.yield
    }
    %back = arith.subi %last, %at : tensor<128xi32>
    %y = fsm.load %shared[%back] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    fsm.store %y, %out[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  }
  fsm.return
}
