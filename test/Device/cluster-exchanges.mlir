// What the CTAs of a program tell one another by global memory, by gathers and under masks that leave some of them without an
// element; blocks that they do not divide, and blocks of fewer elements than there are CTAs.

// DEFINE: %{ctas} = 2
// DEFINE: %{run} = %fsm_run %s --device=sim --num-ctas=%{ctas} --compare=interp
// RUN: %{run} --kernel=turned --num-warps=2 --grid=3 --arg=i32[3] --arg=i32[3072]:arange
// RUN: %{run} --kernel=in_loop --num-warps=1 --grid=2 --arg=i32[2] --arg=i32[2048]:arange --arg=3
// RUN: %{run} --kernel=in_loop --num-warps=1 --grid=2 --arg=i32[2] --arg=i32[2048]:arange --arg=0
// RUN: %{run} --kernel=picked --num-warps=2 --grid=2 --arg=i32[2000] --arg=i32[2000]:arange
// RUN: %{run} --kernel=few --num-warps=1 --grid=2 --arg=i32[2] --arg=i32[2000]:arange --arg=1
// RUN: %{run} --kernel=few --num-warps=2 --grid=2 --arg=i32[2] --arg=i32[2000]:arange --arg=0
// RUN: %{run} --kernel=short --num-warps=1 --grid=3 --arg=i32[9] --arg=i32[9]:arange
// REDEFINE: %{ctas} = 16
// RUN: %{run} --kernel=turned --num-warps=2 --grid=3 --arg=i32[3] --arg=i32[3072]:arange
// RUN: %{run} --kernel=in_loop --num-warps=1 --grid=2 --arg=i32[2] --arg=i32[2048]:arange --arg=3
// RUN: %{run} --kernel=picked --num-warps=1 --grid=2 --arg=i32[2000] --arg=i32[2000]:arange
// RUN: %{run} --kernel=few --num-warps=1 --grid=2 --arg=i32[2] --arg=i32[2000]:arange --arg=31
// RUN: %{run} --kernel=few --num-warps=4 --grid=2 --arg=i32[2] --arg=i32[2000]:arange --arg=999
// RUN: %{run} --kernel=short --num-warps=1 --grid=3 --arg=i32[9] --arg=i32[9]:arange

// Two exchanges in each of an odd and an even number of rounds, or none, and one behind them.
// RUN: %{run} --kernel=rounds --num-warps=4 --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=5
// RUN: %{run} --kernel=rounds --num-warps=1 --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=4
// RUN: %{run} --kernel=rounds --num-warps=1 --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=0
// REDEFINE: %{ctas} = 2
// RUN: %{run} --kernel=rounds --num-warps=2 --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=5

// The program waits for its own stores in front of what its CTAs exchange.
fsm.kernel @turned(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %width = arith.constant 1024 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<i32>, i32
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  %last = arith.constant dense<1023> : tensor<1024xi32>
  %back = arith.subi %last, %offs : tensor<1024xi32>
  %x = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  fsm.store %x, %row[%back] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %y = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  %z = arith.muli %y, %offs : tensor<1024xi32>
  %sum = fsm.reduce <sum> %z axis 0 : tensor<1024xi32> -> i32
  %to = fsm.offset %out, %program : !fsm.ptr<i32>, i32
  fsm.store %sum, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// The same in a loop that may not run at all, and an exchange behind it.
fsm.kernel @in_loop(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>, %count: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 1024 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<i32>, i32
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  %last = arith.constant dense<1023> : tensor<1024xi32>
  %back = arith.subi %last, %offs : tensor<1024xi32>
  scf.for %i = %zero to %count step %one : i32 {
    %x = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
    %more = arith.addi %x, %offs : tensor<1024xi32>
    fsm.store %more, %row[%back] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  }
  %y = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  %z = arith.muli %y, %offs : tensor<1024xi32>
  %sum = fsm.reduce <sum> %z axis 0 : tensor<1024xi32> -> i32
  %to = fsm.offset %out, %program : !fsm.ptr<i32>, i32
  fsm.store %sum, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// Each element from another CTA, of a block that the CTAs do not divide.
fsm.kernel @picked(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %width = arith.constant 1000 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  %offs = fsm.range 0, 1000 : tensor<1000xi32>
  %factor = arith.constant dense<619> : tensor<1000xi32>
  %extent = arith.constant dense<1000> : tensor<1000xi32>
  %product = arith.muli %offs, %factor : tensor<1000xi32>
  %at = arith.remsi %product, %extent : tensor<1000xi32>
  %x = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<1000xi32> -> tensor<1000xi32>
  %y = fsm.gather %x[%at] axis 0 : tensor<1000xi32>, tensor<1000xi32> -> tensor<1000xi32>
  fsm.store %y, %to[%offs] : tensor<1000xi32>, !fsm.ptr<i32>, tensor<1000xi32>
  fsm.return
}

// Most CTAs load nothing, and their part of the sum is that of nothing.
fsm.kernel @few(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>, %n: i32) {
  %program = fsm.program_id x : i32
  %width = arith.constant 1000 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<i32>, i32
  %offs = fsm.range 0, 1000 : tensor<1000xi32>
  %end = fsm.splat %n : tensor<1000xi32>
  %mask = arith.cmpi slt, %offs, %end : tensor<1000xi32>
  %other = arith.constant -1 : i32
  %x = fsm.load %row[%offs], %mask, %other : !fsm.ptr<i32>, tensor<1000xi32> -> tensor<1000xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<1000xi32> -> i32
  %to = fsm.offset %out, %program : !fsm.ptr<i32>, i32
  fsm.store %sum, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// Three elements, which every CTA has.
fsm.kernel @short(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %width = arith.constant 3 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  %offs = fsm.range 0, 3 : tensor<3xi32>
  %x = fsm.load %row[%offs] : !fsm.ptr<i32>, tensor<3xi32> -> tensor<3xi32>
  %y = fsm.scan <sum> %x axis 0 : tensor<3xi32>
  fsm.store %y, %to[%offs] : tensor<3xi32>, !fsm.ptr<i32>, tensor<3xi32>
  fsm.return
}

fsm.kernel @rounds(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f32>, %count: i32) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 1024 : i32
  %first = arith.muli %program, %width : i32
  %row = fsm.offset %p, %first : !fsm.ptr<f32>, i32
  %offs = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %row[%offs] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %scale = arith.constant 0.015625 : f32
  %y = scf.for %i = %zero to %count step %one iter_args(%old = %x) -> (tensor<1024xf32>) : i32 {
    %most = fsm.reduce <max> %old axis 0 : tensor<1024xf32> -> f32
    %mosts = fsm.splat %most : tensor<1024xf32>
    %below = arith.subf %old, %mosts : tensor<1024xf32>
    %sum = fsm.reduce <min> %below axis 0 : tensor<1024xf32> -> f32
    %part = arith.mulf %sum, %scale : f32
    %parts = fsm.splat %part : tensor<1024xf32>
    %new = arith.subf %below, %parts : tensor<1024xf32>
    scf.yield %new : tensor<1024xf32>
  }
  %least = fsm.reduce <min> %y axis 0 : tensor<1024xf32> -> f32
  %leasts = fsm.splat %least : tensor<1024xf32>
  %above = arith.subf %y, %leasts : tensor<1024xf32>
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  fsm.store %above, %to[%offs] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}
