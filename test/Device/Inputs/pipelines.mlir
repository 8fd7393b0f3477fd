// Loops whose loads run ahead. Program n takes n iterations, so that a launch has all trip counts, and stores its answer
// in rows of its own. All numbers are small integers: each device must give the very bits. See ../pipelines.py.
//
// param W = 256
// param T = f32
// param M = f32
// param ADD = arith.addf
// param MUL = arith.mulf
// param ZERO = 0.0
// param R = f32
// param DISTANCE = 8
// param LAST = 255
// param COUNT = arith.constant 6
// param ROWS = 16
// param I = i32
// param FROM = arith.bitcast
// param LOOP = scf.for

// One load an iteration, and the result of the loop used behind it.
fsm.kernel @one(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<${ZERO}> : tensor<${W}x${T}>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<${W}x${T}> : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<${T}>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<${T}>, tensor<${W}xi32> -> tensor<${W}x${T}>
    %t = ${ADD} %s, %s : tensor<${W}x${T}>
    %next = ${ADD} %t, %x : tensor<${W}x${T}>
    scf.yield %next : tensor<${W}x${T}>
  } {fsm.num_stages = 1 : i32}
  %at = arith.muli %n, %width : i32
  %q = fsm.offset %out, %at : !fsm.ptr<${T}>, i32
  fsm.store %sum, %q[%o] : tensor<${W}x${T}>, !fsm.ptr<${T}>, tensor<${W}xi32>
  fsm.return
}

// Two loads of which one is also masked, and stores to other rows of the buffer that the loads come from.
fsm.kernel @two(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %rows = arith.constant 16 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %end = arith.constant dense<200> : tensor<${W}xi32>
  %mask = arith.cmpi slt, %o, %end : tensor<${W}xi32>
  %first = arith.muli %n, %rows : i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %j = arith.addi %i, %two : i32
    %b = arith.muli %j, %width : i32
    %q = fsm.offset %in, %b : !fsm.ptr<f32>, i32
    %y = fsm.load %q[%o], %mask : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %z = math.fma %x, %x, %y : tensor<${W}xf32>
    %row = arith.addi %first, %i : i32
    %c = arith.muli %row, %width : i32
    %r = fsm.offset %out, %c : !fsm.ptr<f32>, i32
    fsm.store %z, %r[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// A row whose number is loaded, and elements whose numbers are.
fsm.kernel @gather(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %rows: !fsm.ptr<i32>, %places: !fsm.ptr<i32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<${W}xf32> : i32 {
    %at = fsm.offset %rows, %i : !fsm.ptr<i32>, i32
    %row = fsm.load %at : !fsm.ptr<i32> -> i32
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %b = arith.muli %i, %width : i32
    %q = fsm.offset %places, %b : !fsm.ptr<i32>, i32
    %k = fsm.load %q[%o] : !fsm.ptr<i32>, tensor<${W}xi32> -> tensor<${W}xi32>
    %y = fsm.load %p[%k] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %t = math.fma %s, %x, %y : tensor<${W}xf32>
    %u = arith.minimumf %t, %x : tensor<${W}xf32>
    %next = arith.subf %y, %u : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %c = arith.muli %n, %width : i32
  %r = fsm.offset %out, %c : !fsm.ptr<f32>, i32
  fsm.store %sum, %r[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// A mask that follows the iteration; where it is false minus infinity, or a block that follows it, too.
fsm.kernel @masks(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seventeen = arith.constant 17 : i32
  %width = arith.constant ${W} : i32
  %ninf = arith.constant 0xFF800000 : f32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %least = arith.constant dense<0xFF800000> : tensor<${W}xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %none, %m = %least) -> (tensor<${W}xf32>, tensor<${W}xf32>) : i32 {
    %c = arith.muli %i, %seventeen : i32
    %cs = fsm.splat %c : tensor<${W}xi32>
    %mask = arith.cmpi sge, %o, %cs : tensor<${W}xi32>
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o], %mask, %ninf : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %away = arith.subi %o, %cs : tensor<${W}xi32>
    %other = arith.sitofp %away : tensor<${W}xi32> to tensor<${W}xf32>
    %below = arith.cmpi slt, %o, %cs : tensor<${W}xi32>
    %y = fsm.load %p[%o], %below, %other : !fsm.ptr<f32>, tensor<${W}xi32>, other tensor<${W}xf32> -> tensor<${W}xf32>
    %t = arith.addf %s, %y : tensor<${W}xf32>
    %u = arith.maximumf %m, %x : tensor<${W}xf32>
    scf.yield %t, %u : tensor<${W}xf32>, tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %z = arith.subf %r#0, %r#1 : tensor<${W}xf32>
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %z, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// A store to the buffer that is read, by other threads: iteration i reads what iteration i - DISTANCE has stored.
fsm.kernel @alias(%out: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 32 : i32
  %distance = arith.constant ${DISTANCE} : i32
  %width = arith.constant ${W} : i32
  %last = arith.constant dense<${LAST}> : tensor<${W}xi32>
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %turned = arith.subi %last, %o : tensor<${W}xi32>
  %own = arith.muli %n, %rows : i32
  scf.for %i = %zero to %n step %one : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %y = arith.addf %x, %x : tensor<${W}xf32>
    %later = arith.addi %row, %distance : i32
    %b = arith.muli %later, %width : i32
    %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
    fsm.store %y, %q[%turned] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// In place, the same row turned around: each thread overwrites what another reads.
fsm.kernel @in_place(%out: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 16 : i32
  %width = arith.constant ${W} : i32
  %last = arith.constant dense<${LAST}> : tensor<${W}xi32>
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %turned = arith.subi %last, %o : tensor<${W}xi32>
  %own = arith.muli %n, %rows : i32
  scf.for %i = %zero to %n step %one : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width overflow<nsw> : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    fsm.store %x, %p[%turned] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// Behind the loop over the first of the rows that were summed, turned around.
fsm.kernel @overwritten(%out: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 16 : i32
  %width = arith.constant ${W} : i32
  %last = arith.constant dense<${LAST}> : tensor<${W}xi32>
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %turned = arith.subi %last, %o : tensor<${W}xi32>
  %own = arith.muli %n, %rows : i32
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %sums = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> (tensor<${W}xf32>) : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width overflow<nsw> : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %next = arith.addf %sum, %x : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %b = arith.muli %own, %width overflow<nsw> : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %sums, %q[%turned] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// A load in a branch behind one that always happens.
fsm.kernel @branches(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %some = arith.cmpi ne, %n, %three : i32
  %r = scf.if %some -> tensor<${W}xf32> {
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<${W}xf32> : i32 {
      %a = arith.muli %i, %width : i32
      %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
      %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
      %k = arith.remsi %i, %three : i32
      %b = arith.cmpi eq, %k, %one : i32
      %y = scf.if %b -> tensor<${W}xf32> {
        %q = fsm.offset %p, %width : !fsm.ptr<f32>, i32
        %z = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
        %t = arith.subf %z, %x : tensor<${W}xf32>
        scf.yield %t : tensor<${W}xf32>
      } else {
        scf.yield %x : tensor<${W}xf32>
      }
      %next = arith.addf %s, %y : tensor<${W}xf32>
      scf.yield %next : tensor<${W}xf32>
    } {fsm.num_stages = 1 : i32}
    scf.yield %sum : tensor<${W}xf32>
  } else {
    scf.yield %none : tensor<${W}xf32>
  }
  %at = arith.muli %n, %width : i32
  %q = fsm.offset %out, %at : !fsm.ptr<f32>, i32
  fsm.store %r, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// A persistent loop around a loop, both with loads that run ahead: program n takes rows n, n + programs, ..., of n % 5
// pieces and one that is not of the inner loop.
fsm.kernel @nested(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %scales: !fsm.ptr<f32>, %rows: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  scf.for %row = %first to %rows step %step : i32 {
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %scales, %a : !fsm.ptr<f32>, i32
    %scale = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %pieces = arith.remsi %row, %five : i32
    %sum = scf.for %i = %zero to %pieces step %one iter_args(%s = %scale) -> tensor<${W}xf32> : i32 {
      %j = arith.addi %row, %i : i32
      %b = arith.muli %j, %width : i32
      %q = fsm.offset %in, %b : !fsm.ptr<f32>, i32
      %x = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
      %next = arith.addf %s, %x : tensor<${W}xf32>
      scf.yield %next : tensor<${W}xf32>
    } {fsm.num_stages = 1 : i32}
    %y = arith.addf %sum, %scale : tensor<${W}xf32>
    %r = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %y, %r[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// Addresses that the loop carries: a pointer, a block of offsets and a number that grows by itself.
fsm.kernel @carried(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %by = fsm.splat %width : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%p = %in, %at = %o, %k = %zero, %s = %none) -> (!fsm.ptr<f32>, tensor<${W}xi32>, i32, tensor<${W}xf32>) : i32 {
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %y = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %a = arith.muli %k, %width : i32
    %q = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %z = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %xy = math.fma %x, %y, %z : tensor<${W}xf32>
    %next = arith.addf %s, %xy : tensor<${W}xf32>
    %far = fsm.offset %p, %width : !fsm.ptr<f32>, i32
    %later = arith.addi %at, %by : tensor<${W}xi32>
    %half = arith.andi %i, %one : i32
    %more = arith.addi %k, %half : i32
    scf.yield %far, %later, %more, %next : !fsm.ptr<f32>, tensor<${W}xi32>, i32, tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  // The pointer that is left is that behind the last row.
  %last = fsm.load %r#0[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
  %sum = arith.addf %r#3, %last : tensor<${W}xf32>
  %b = arith.muli %n, %width : i32
  %t = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %sum, %t[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// Any counter: row (i - lower) / step, by bounds and steps of any type and sign.
fsm.kernel @bounds(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %lower: ${I}, %uppers: !fsm.ptr<${I}>, %step: ${I}) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %place = fsm.offset %uppers, %n : !fsm.ptr<${I}>, i32
  %upper = fsm.load %place : !fsm.ptr<${I}> -> ${I}
  %sum = ${LOOP} %i = %lower to %upper step %step iter_args(%s = %none) -> tensor<${W}xf32> : ${I} {
    %from = arith.subi %i, %lower : ${I}
    %row = arith.divui %from, %step : ${I}
    %r = ${FROM} %row : ${I} to i32
    %a = arith.muli %r, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %t = arith.addf %s, %s : tensor<${W}xf32>
    %next = arith.addf %t, %x : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %sum, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// Warps that wait for one another in the loop: a maximum and a sum of the row, as in a softmax, and a scan.
fsm.kernel @exchange(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 16 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %own = arith.muli %n, %rows : i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %max = fsm.reduce <max> %x axis 0 : tensor<${W}xf32> -> f32
    %m = fsm.splat %max : tensor<${W}xf32>
    %below = arith.subf %x, %m : tensor<${W}xf32>
    %total = fsm.reduce <sum> %below axis 0 : tensor<${W}xf32> -> f32
    %t = fsm.splat %total : tensor<${W}xf32>
    %sums = fsm.scan <sum> %below axis 0 : tensor<${W}xf32>
    %y = arith.subf %sums, %t : tensor<${W}xf32>
    %row = arith.addi %own, %i : i32
    %b = arith.muli %row, %width : i32
    %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
    fsm.store %y, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// Both operands of a product stream in; the sums stay.
fsm.kernel @products(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tile = arith.constant 512 : i32
  %row = fsm.range 0, 16 : tensor<16xi32>
  %col = fsm.range 0, 32 : tensor<32xi32>
  %rows = fsm.expand_dims %row axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %cols = fsm.expand_dims %col axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %wide = arith.constant dense<32> : tensor<16x1xi32>
  %begin = arith.muli %rows, %wide : tensor<16x1xi32>
  %b0 = fsm.broadcast %begin : tensor<16x1xi32> -> tensor<16x32xi32>
  %c0 = fsm.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %at = arith.addi %b0, %c0 : tensor<16x32xi32>
  %high = fsm.expand_dims %col axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %low = fsm.expand_dims %row axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %narrow = arith.constant dense<16> : tensor<32x1xi32>
  %begins = arith.muli %high, %narrow : tensor<32x1xi32>
  %d0 = fsm.broadcast %begins : tensor<32x1xi32> -> tensor<32x16xi32>
  %e0 = fsm.broadcast %low : tensor<1x16xi32> -> tensor<32x16xi32>
  %bt = arith.addi %d0, %e0 : tensor<32x16xi32>
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<16x16xf32> : i32 {
    %a = arith.muli %i, %tile : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f16>, i32
    %x = fsm.load %p[%at] : !fsm.ptr<f16>, tensor<16x32xi32> -> tensor<16x32xf16>
    %q = fsm.offset %p, %tile : !fsm.ptr<f16>, i32
    %y = fsm.load %q[%bt] : !fsm.ptr<f16>, tensor<32x16xi32> -> tensor<32x16xf16>
    %next = fsm.dot %x, %y, %s : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  } {fsm.num_stages = 1 : i32}
  %size = arith.constant 256 : i32
  %f = arith.muli %n, %size : i32
  %r = fsm.offset %out, %f : !fsm.ptr<f32>, i32
  %sixteen = arith.constant dense<16> : tensor<16x1xi32>
  %g = arith.muli %rows, %sixteen : tensor<16x1xi32>
  %g0 = fsm.broadcast %g : tensor<16x1xi32> -> tensor<16x16xi32>
  %h0 = fsm.broadcast %low : tensor<1x16xi32> -> tensor<16x16xi32>
  %to = arith.addi %g0, %h0 : tensor<16x16xi32>
  fsm.store %sum, %r[%to] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
  fsm.return
}

// Two such loops one after the other: the second takes what the first has made, and ends elsewhere.
fsm.kernel @sequence(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<${W}xf32> : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %next = arith.addf %s, %x : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %half = arith.divsi %n, %two : i32
  %most = scf.for %i = %zero to %half step %one iter_args(%s = %sum) -> tensor<${W}xf32> : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %next = arith.subf %x, %s : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %most, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// Elements of any type that are but moved.
fsm.kernel @moves(%out: !fsm.ptr<${M}>, %in: !fsm.ptr<${M}>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 16 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %own = arith.muli %n, %rows : i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<${M}>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<${M}>, tensor<${W}xi32> -> tensor<${W}x${M}>
    %row = arith.addi %own, %i : i32
    %b = arith.muli %row, %width : i32
    %q = fsm.offset %out, %b : !fsm.ptr<${M}>, i32
    fsm.store %x, %q[%o] : tensor<${W}x${M}>, !fsm.ptr<${M}>, tensor<${W}xi32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// Rows that are stored in front of the loop by other threads than those that load them in it, and overwritten behind it,
// again by others. In the loop warps wait for one another, but not for copies.
fsm.kernel @around(%out: !fsm.ptr<f32>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = ${COUNT} : i32
  %rows = arith.constant ${ROWS} : i32
  %width = arith.constant ${W} : i32
  %last = arith.constant dense<${LAST}> : tensor<${W}xi32>
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %turned = arith.subi %last, %o : tensor<${W}xi32>
  %none = arith.constant 0.0 : f32
  %own = arith.muli %n, %rows : i32
  scf.for %i = %zero to %count step %one : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %place = fsm.splat %i : tensor<${W}xi32>
    %number = arith.muli %place, %o : tensor<${W}xi32>
    %x = arith.sitofp %number : tensor<${W}xi32> to tensor<${W}xf32>
    fsm.store %x, %p[%turned] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  }
  %sum = scf.for %i = %zero to %count step %one iter_args(%s = %none) -> f32 : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %max = fsm.reduce <max> %x axis 0 : tensor<${W}xf32> -> f32
    %t = arith.addf %s, %max : f32
    scf.yield %t : f32
  } {fsm.num_stages = 1 : i32}
  %sums = fsm.splat %sum : tensor<${W}xf32>
  scf.for %i = %zero to %count step %one : i32 {
    %row = arith.addi %own, %i : i32
    %a = arith.muli %row, %width : i32
    %p = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %sums, %p[%turned] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  }
  fsm.return
}

// A loop whose bodies the pipeline must not tell apart from others: inside a while loop, with the addresses of rows loaded
// from a list that was made in front of it.
fsm.kernel @while(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %list: !fsm.ptr<i64>) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 32 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %own = arith.muli %n, %rows : i32
  %mine = fsm.offset %list, %own : !fsm.ptr<i64>, i32
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %address = fsm.ptr_to_int %p : !fsm.ptr<f32> -> i64
    %at = fsm.offset %mine, %i : !fsm.ptr<i64>, i32
    fsm.store %address, %at : i64, !fsm.ptr<i64>
  }
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%round = %zero, %s = %none) : (i32, tensor<${W}xf32>) -> (i32, tensor<${W}xf32>) {
    %goes = arith.cmpi slt, %round, %three : i32
    scf.condition(%goes) %round, %s : i32, tensor<${W}xf32>
  } do {
  ^bb0(%round: i32, %s: tensor<${W}xf32>):
    %end = arith.subi %n, %round : i32
    %sum = scf.for %i = %zero to %end step %one iter_args(%t = %s) -> tensor<${W}xf32> : i32 {
      %at = fsm.offset %mine, %i : !fsm.ptr<i64>, i32
      %address = fsm.load %at : !fsm.ptr<i64> -> i64
      %p = fsm.int_to_ptr %address : i64 -> !fsm.ptr<f32>
      %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
      %next = arith.addf %t, %x : tensor<${W}xf32>
      scf.yield %next : tensor<${W}xf32>
    } {fsm.num_stages = 1 : i32}
    %later = arith.addi %round, %one : i32
    scf.yield %later, %sum : i32, tensor<${W}xf32>
  }
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %r#1, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}

// Rows that one thread copies: s = s + x + max(x) over the first iterations, where -7 stands for what the mask leaves out.
fsm.kernel @rows(%out: !fsm.ptr<${R}>, %in: !fsm.ptr<${R}>, %count: i32) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %bound = fsm.splat %count : tensor<${W}xi32>
  %mask = arith.cmpi slt, %o, %bound : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}x${R}>
  %other = arith.constant -7.0 : ${R}
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<${W}x${R}> : i32 {
    %a = arith.muli %i, %width : i32
    %p = fsm.offset %in, %a : !fsm.ptr<${R}>, i32
    %x = fsm.load %p[%o], %mask, %other : !fsm.ptr<${R}>, tensor<${W}xi32> -> tensor<${W}x${R}>
    %most = fsm.reduce <max> %x axis 0 : tensor<${W}x${R}> -> ${R}
    %mosts = fsm.splat %most : tensor<${W}x${R}>
    %t = arith.addf %s, %x : tensor<${W}x${R}>
    %next = arith.addf %t, %mosts : tensor<${W}x${R}>
    scf.yield %next : tensor<${W}x${R}>
  } {fsm.num_stages = 1 : i32}
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<${R}>, i32
  fsm.store %sum, %q[%o] : tensor<${W}x${R}>, !fsm.ptr<${R}>, tensor<${W}xi32>
  fsm.return
}

// The sum of the blocks of a line whose last one is not full; nothing meets in the loop.
fsm.kernel @columns(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %less: i32) {
  %n = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %width = arith.constant ${W} : i32
  %o = fsm.range 0, ${W} : tensor<${W}xi32>
  %none = arith.constant dense<0.0> : tensor<${W}xf32>
  %all = arith.muli %n, %width : i32
  %end = arith.subi %all, %less : i32
  %bound = fsm.splat %end : tensor<${W}xi32>
  %sum = scf.for %i = %zero to %all step %width iter_args(%s = %none) -> tensor<${W}xf32> : i32 {
    %first = fsm.splat %i : tensor<${W}xi32>
    %at = arith.addi %first, %o overflow<nsw> : tensor<${W}xi32>
    %mask = arith.cmpi slt, %at, %bound : tensor<${W}xi32>
    %x = fsm.load %in[%at], %mask : !fsm.ptr<f32>, tensor<${W}xi32> -> tensor<${W}xf32>
    %t = arith.addf %s, %s : tensor<${W}xf32>
    %next = arith.addf %t, %x : tensor<${W}xf32>
    scf.yield %next : tensor<${W}xf32>
  } {fsm.num_stages = 1 : i32}
  %b = arith.muli %n, %width : i32
  %q = fsm.offset %out, %b : !fsm.ptr<f32>, i32
  fsm.store %sum, %q[%o] : tensor<${W}xf32>, !fsm.ptr<f32>, tensor<${W}xi32>
  fsm.return
}
