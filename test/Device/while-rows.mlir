// Loops whose number of iterations only they know, and which load in one what other threads stored in the one before: a block
// behind, turned around, or by a counted loop inside of them; or three elements on, where in one iteration each thread loads and
// stores the same.
//
// RUN: %python -c "import numpy; x = numpy.arange(1024, dtype=numpy.int32).reshape(8, 128); [x[i + 1].__setitem__(slice(None), 3 * x[i, ::-1]) for i in range(7)]; numpy.save(r'%t.npy', x.reshape(-1))"
// RUN: %fsm_run %s --kernel=turned --device=cpu --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=turned --device=interp --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=turned --num-warps=1 --device=sim --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s --kernel=turned --num-warps=4 --device=sim --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=nested --device=cpu --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=nested --num-warps=1 --device=sim --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s --kernel=nested --num-warps=4 --device=sim --grid=1 --arg=i32[1024]:arange --arg=896 --check=0:%t.npy
// RUN: %python -c "import numpy; x = numpy.arange(140, dtype=numpy.int32); [x[k:k + 128].__imul__(3) for k in range(0, 12, 3)]; numpy.save(r'%t.moved.npy', x)"
// RUN: %fsm_run %s --kernel=moved --device=cpu --grid=1 --arg=i32[140]:arange --arg=12 --check=0:%t.moved.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=2 %fsm_run %s --kernel=moved --num-warps=1 --device=sim --grid=1 --arg=i32[140]:arange --arg=12 --check=0:%t.moved.npy
// RUN: env FSM_SIMULATOR=seed=4,global_races=2 %fsm_run %s --kernel=moved --num-warps=2 --device=sim --grid=1 --arg=i32[140]:arange --arg=12 --check=0:%t.moved.npy

fsm.kernel @turned(%rows: !fsm.ptr<i32>, %end: i32) {
  %zero = arith.constant 0 : i32
  %width = arith.constant 128 : i32
  %at = fsm.range 0, 128 : tensor<128xi32>
  %last = arith.constant dense<127> : tensor<128xi32>
  %three = arith.constant dense<3> : tensor<128xi32>
  %back = arith.subi %last, %at : tensor<128xi32>
  %rounds = scf.while (%k = %zero) : (i32) -> i32 {
    %goesOn = arith.cmpi slt, %k, %end : i32
    scf.condition(%goesOn) %k : i32
  } do {
  ^bb0(%k: i32):
    %from = fsm.offset %rows, %k : !fsm.ptr<i32>, i32
    %x = fsm.load %from[%back] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %y = arith.muli %x, %three : tensor<128xi32>
    %next = arith.addi %k, %width : i32
    %to = fsm.offset %from, %width : !fsm.ptr<i32>, i32
    fsm.store %y, %to[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    scf.yield %next : i32
  }
  fsm.return
}

// The same, 64 elements at a time: those of one half go to the other.
fsm.kernel @nested(%rows: !fsm.ptr<i32>, %end: i32) {
  %zero = arith.constant 0 : i32
  %half = arith.constant 64 : i32
  %width = arith.constant 128 : i32
  %at = fsm.range 0, 64 : tensor<64xi32>
  %last = arith.constant dense<127> : tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %back = arith.subi %last, %at : tensor<64xi32>
  %rounds = scf.while (%k = %zero) : (i32) -> i32 {
    %goesOn = arith.cmpi slt, %k, %end : i32
    scf.condition(%goesOn) %k : i32
  } do {
  ^bb0(%k: i32):
    %row = fsm.offset %rows, %k : !fsm.ptr<i32>, i32
    scf.for %i = %zero to %width step %half : i32 {
      %less = arith.subi %zero, %i : i32
      %from = fsm.offset %row, %less : !fsm.ptr<i32>, i32
      %x = fsm.load %from[%back] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
      %y = arith.muli %x, %three : tensor<64xi32>
      %next = arith.addi %i, %width : i32
      %to = fsm.offset %row, %next : !fsm.ptr<i32>, i32
      fsm.store %y, %to[%at] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    }
    %next = arith.addi %k, %width : i32
    scf.yield %next : i32
  }
  fsm.return
}

fsm.kernel @moved(%rows: !fsm.ptr<i32>, %end: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 3 : i32
  %at = fsm.range 0, 128 : tensor<128xi32>
  %three = arith.constant dense<3> : tensor<128xi32>
  %rounds = scf.while (%k = %zero) : (i32) -> i32 {
    %goesOn = arith.cmpi slt, %k, %end : i32
    scf.condition(%goesOn) %k : i32
  } do {
  ^bb0(%k: i32):
    %here = fsm.offset %rows, %k : !fsm.ptr<i32>, i32
    %x = fsm.load %here[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %y = arith.muli %x, %three : tensor<128xi32>
    fsm.store %y, %here[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %next = arith.addi %k, %step : i32
    scf.yield %next : i32
  }
  fsm.return
}
