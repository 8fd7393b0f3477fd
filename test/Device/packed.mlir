// Programs of one warp share a cta where it has shared memory for all of them, for some, and for one alone; there may be more
// programs than fill a cta. A cta has 64 KiB on sm_75, and more on others.
//
// RUN: %fsm_run %s --kernel=turned --device=sim --target=sm_75 --num-warps=1 --grid=7 --compare=interp --arg=i32[21504] --arg=i32[21504]:arange
// RUN: %fsm_run %s --kernel=turned -D MATRICES=5 --device=sim --target=sm_75 --num-warps=1 --grid=6 --compare=interp --arg=i32[30720] --arg=i32[30720]:arange
// RUN: %fsm_run %s --kernel=turned -D MATRICES=5 --device=sim --target=sm_80 --num-warps=1 --grid=6 --compare=interp --arg=i32[30720] --arg=i32[30720]:arange
// RUN: %fsm_run %s --kernel=turned -D MATRICES=7 --device=sim --target=sm_75 --num-warps=1 --grid=5 --compare=interp --arg=i32[35840] --arg=i32[35840]:arange
// RUN: %fsm_run %s --kernel=turned -D MATRICES=5 --device=cpu --grid=6 --compare=interp --arg=i32[30720] --arg=i32[30720]:arange
// RUN: %fsm_run %s --kernel=staged -D COLUMNS=1024 --num-stages=4 --device=sim --target=sm_80 --num-warps=1 --grid=6 --compare=interp --arg=i32[6144] --arg=i32[5120]:arange
// RUN: %fsm_run %s --kernel=staged -D COLUMNS=2048 --num-stages=8 --device=sim --target=sm_86 --num-warps=1 --grid=6 --compare=interp --arg=i32[12288] --arg=i32[10240]:arange

// param MATRICES = 3
// param COLUMNS = 256

// Matrices whose elements change threads by way of shared memory.
fsm.kernel @turned(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %matrices = arith.constant ${MATRICES} : i32
  %size = arith.constant 1024 : i32
  %count = arith.muli %matrices, %size : i32
  %place = arith.muli %program, %count : i32
  %from = fsm.offset %in, %place : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %place : !fsm.ptr<i32>, i32
  %part = fsm.range 0, 32 : tensor<32xi32>
  %thirtytwo = arith.constant dense<32> : tensor<32xi32>
  %row = arith.muli %part, %thirtytwo : tensor<32xi32>
  %row1 = fsm.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %row2 = fsm.expand_dims %row1 axis 0 : tensor<32x1xi32> -> tensor<1x32x1xi32>
  %rows = fsm.broadcast %row2 : tensor<1x32x1xi32> -> tensor<${MATRICES}x32x32xi32>
  %column1 = fsm.expand_dims %part axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %column2 = fsm.expand_dims %column1 axis 0 : tensor<1x32xi32> -> tensor<1x1x32xi32>
  %columns = fsm.broadcast %column2 : tensor<1x1x32xi32> -> tensor<${MATRICES}x32x32xi32>
  %ones = arith.addi %rows, %columns : tensor<${MATRICES}x32x32xi32>
  %number = fsm.range 0, ${MATRICES} : tensor<${MATRICES}xi32>
  %sizes = fsm.splat %size : tensor<${MATRICES}xi32>
  %begin = arith.muli %number, %sizes : tensor<${MATRICES}xi32>
  %begin1 = fsm.expand_dims %begin axis 1 : tensor<${MATRICES}xi32> -> tensor<${MATRICES}x1xi32>
  %begin2 = fsm.expand_dims %begin1 axis 2 : tensor<${MATRICES}x1xi32> -> tensor<${MATRICES}x1x1xi32>
  %begins = fsm.broadcast %begin2 : tensor<${MATRICES}x1x1xi32> -> tensor<${MATRICES}x32x32xi32>
  %at = arith.addi %ones, %begins : tensor<${MATRICES}x32x32xi32>
  %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<${MATRICES}x32x32xi32> -> tensor<${MATRICES}x32x32xi32>
  %y = fsm.transpose %x order [0, 2, 1] : tensor<${MATRICES}x32x32xi32> -> tensor<${MATRICES}x32x32xi32>
  fsm.store %y, %to[%at] : tensor<${MATRICES}x32x32xi32>, !fsm.ptr<i32>, tensor<${MATRICES}x32x32xi32>
  fsm.return
}

// Rows that run ahead of a loop lie there, and a scan exchanges sums.
fsm.kernel @staged(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %columns = arith.constant ${COLUMNS} : i32
  %none = arith.constant dense<0> : tensor<${COLUMNS}xi32>
  %at = fsm.range 0, ${COLUMNS} : tensor<${COLUMNS}xi32>
  %sum = scf.for %i = %zero to %program step %one iter_args(%s = %none) -> tensor<${COLUMNS}xi32> : i32 {
    %place = arith.muli %i, %columns : i32
    %from = fsm.offset %in, %place : !fsm.ptr<i32>, i32
    %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<${COLUMNS}xi32> -> tensor<${COLUMNS}xi32>
    %y = fsm.scan <sum> %x axis 0 : tensor<${COLUMNS}xi32>
    %next = arith.addi %s, %y : tensor<${COLUMNS}xi32>
    scf.yield %next : tensor<${COLUMNS}xi32>
  } {fsm.num_stages = 2 : i32}
  %mine = arith.muli %program, %columns : i32
  %to = fsm.offset %out, %mine : !fsm.ptr<i32>, i32
  fsm.store %sum, %to[%at] : tensor<${COLUMNS}xi32>, !fsm.ptr<i32>, tensor<${COLUMNS}xi32>
  fsm.return
}
