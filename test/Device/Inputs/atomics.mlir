// Atomics of scalars and of blocks, by several programs at once; driven by atomics.py.
// param T = i32
// param W = i32
// param I = i32
// param KIND = add
// param N = 8
// param LAST = 7
// param R = 2
// param C = 4
// param ORDER = sem = acq_rel

// Each program updates one cell by one value and notes what was there.
fsm.kernel @scalar(%cells: !fsm.ptr<${T}>, %olds: !fsm.ptr<${T}>, %values: !fsm.ptr<${T}>, %active: !fsm.ptr<i1>) {
  %id = fsm.program_id x : i32
  %from = fsm.offset %values, %id : !fsm.ptr<${T}>, i32
  %value = fsm.load %from : !fsm.ptr<${T}> -> ${T}
  %whether = fsm.offset %active, %id : !fsm.ptr<i1>, i32
  %mask = fsm.load %whether : !fsm.ptr<i1> -> i1
  %old = fsm.atomic_rmw <${KIND}> %value, %cells, %mask ${ORDER} : ${T}, !fsm.ptr<${T}>
  %to = fsm.offset %olds, %id : !fsm.ptr<${T}>, i32
  fsm.store %old, %to : ${T}, !fsm.ptr<${T}>
  fsm.return
}

// The same for N elements of each program at once, in whatever cells.
fsm.kernel @block(%cells: !fsm.ptr<${T}>, %olds: !fsm.ptr<${T}>, %values: !fsm.ptr<${T}>, %active: !fsm.ptr<i1>, %places: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %count = arith.constant ${N} : i32
  %start = arith.muli %id, %count : i32
  %starts = fsm.splat %start : tensor<${N}xi32>
  %range = fsm.range 0, ${N} : tensor<${N}xi32>
  %at = arith.addi %starts, %range : tensor<${N}xi32>
  %value = fsm.load %values[%at] : !fsm.ptr<${T}>, tensor<${N}xi32> -> tensor<${N}x${T}>
  %mask = fsm.load %active[%at] : !fsm.ptr<i1>, tensor<${N}xi32> -> tensor<${N}xi1>
  %place = fsm.load %places[%at] : !fsm.ptr<i32>, tensor<${N}xi32> -> tensor<${N}xi32>
  %old = fsm.atomic_rmw <${KIND}> %value, %cells[%place], %mask ${ORDER} : tensor<${N}x${T}>, !fsm.ptr<${T}>, tensor<${N}xi32>
  fsm.store %old, %olds[%at] : tensor<${N}x${T}>, !fsm.ptr<${T}>, tensor<${N}xi32>
  fsm.return
}

// A matrix whose rows have one value each, so that lanes and warps hold replicas; nobody
// asks what was there.
fsm.kernel @matrix(%cells: !fsm.ptr<${T}>, %values: !fsm.ptr<${T}>) {
  %r = fsm.range 0, ${R} : tensor<${R}xi32>
  %c = fsm.range 0, ${C} : tensor<${C}xi32>
  %row = fsm.load %values[%r] : !fsm.ptr<${T}>, tensor<${R}xi32> -> tensor<${R}x${T}>
  %column = fsm.expand_dims %row axis 1 : tensor<${R}x${T}> -> tensor<${R}x1x${T}>
  %value = fsm.broadcast %column : tensor<${R}x1x${T}> -> tensor<${R}x${C}x${T}>
  %c1 = fsm.expand_dims %c axis 0 : tensor<${C}xi32> -> tensor<1x${C}xi32>
  %place = fsm.broadcast %c1 : tensor<1x${C}xi32> -> tensor<${R}x${C}xi32>
  %old = fsm.atomic_rmw <${KIND}> %value, %cells[%place] ${ORDER} : tensor<${R}x${C}x${T}>, !fsm.ptr<${T}>, tensor<${R}x${C}xi32>
  fsm.return
}

// One program; no two elements share a cell, so it is known what each finds.
fsm.kernel @replace(%cells: !fsm.ptr<${W}>, %olds: !fsm.ptr<${W}>, %values: !fsm.ptr<${W}>, %active: !fsm.ptr<i1>, %expected: !fsm.ptr<${W}>) {
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %value = fsm.load %values[%at] : !fsm.ptr<${W}>, tensor<${N}xi32> -> tensor<${N}x${W}>
  %compare = fsm.load %expected[%at] : !fsm.ptr<${W}>, tensor<${N}xi32> -> tensor<${N}x${W}>
  %mask = fsm.load %active[%at] : !fsm.ptr<i1>, tensor<${N}xi32> -> tensor<${N}xi1>
  %old = fsm.atomic_cas %compare, %value, %cells[%at], %mask ${ORDER} : tensor<${N}x${W}>, !fsm.ptr<${W}>, tensor<${N}xi32>
  fsm.store %old, %olds[%at] : tensor<${N}x${W}>, !fsm.ptr<${W}>, tensor<${N}xi32>
  fsm.return
}

// Adds its own number to a counter by trying until nobody was faster. What others may be
// changing is read by an atomic, so that a whole program sees one number.
fsm.kernel @retry(%counter: !fsm.ptr<${I}>, %olds: !fsm.ptr<${I}>, %one: ${I}) {
  %id = fsm.program_id x : i32
  %nothing = arith.constant 0 : ${I}
  %first = fsm.atomic_rmw <or> %nothing, %counter sem = relaxed : ${I}, !fsm.ptr<${I}>
  %final = scf.while (%expected = %first) : (${I}) -> ${I} {
    %next = arith.addi %expected, %one : ${I}
    %seen = fsm.atomic_cas %expected, %next, %counter ${ORDER} : ${I}, !fsm.ptr<${I}>
    %failed = arith.cmpi ne, %seen, %expected : ${I}
    scf.condition(%failed) %seen : ${I}
  } do {
  ^bb0(%seen: ${I}):
    scf.yield %seen : ${I}
  }
  %to = fsm.offset %olds, %id : !fsm.ptr<${I}>, i32
  fsm.store %final, %to : ${I}, !fsm.ptr<${I}>
  fsm.return
}

// Programs take turns by tickets at a block that they read and write as if they were alone.
fsm.kernel @tickets(%data: !fsm.ptr<f32>, %turns: !fsm.ptr<i32>, %lock: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %serving = fsm.offset %lock, %one : !fsm.ptr<i32>, i32
  %mine = fsm.atomic_rmw <add> %one, %lock sem = relaxed : i32, !fsm.ptr<i32>
  scf.while : () -> () {
    %now = fsm.atomic_rmw <or> %zero, %serving sem = acquire : i32, !fsm.ptr<i32>
    %waits = arith.cmpi ne, %now, %mine : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %data[%at] : !fsm.ptr<f32>, tensor<${N}xi32> -> tensor<${N}xf32>
  %steps = arith.sitofp %at : tensor<${N}xi32> to tensor<${N}xf32>
  %sum = arith.addf %x, %steps : tensor<${N}xf32>
  fsm.store %sum, %data[%at] : tensor<${N}xf32>, !fsm.ptr<f32>, tensor<${N}xi32>
  %turn = fsm.load %turns : !fsm.ptr<i32> -> i32
  %next = arith.addi %turn, %one : i32
  fsm.store %next, %turns : i32, !fsm.ptr<i32>
  %freed = fsm.atomic_rmw <add> %one, %serving sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

// The same; whose turn it is, is seen by a load, and acquired when it is this one's.
fsm.kernel @poll(%data: !fsm.ptr<f32>, %turns: !fsm.ptr<i32>, %lock: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %serving = fsm.offset %lock, %one : !fsm.ptr<i32>, i32
  %mine = fsm.atomic_rmw <add> %one, %lock sem = relaxed : i32, !fsm.ptr<i32>
  scf.while : () -> () {
    %now = fsm.load %serving volatile : !fsm.ptr<i32> -> i32
    %waits = arith.cmpi ne, %now, %mine : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %own = fsm.atomic_rmw <or> %zero, %serving sem = acquire : i32, !fsm.ptr<i32>
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %data[%at] : !fsm.ptr<f32>, tensor<${N}xi32> -> tensor<${N}xf32>
  %steps = arith.sitofp %at : tensor<${N}xi32> to tensor<${N}xf32>
  %sum = arith.addf %x, %steps : tensor<${N}xf32>
  fsm.store %sum, %data[%at] : tensor<${N}xf32>, !fsm.ptr<f32>, tensor<${N}xi32>
  %turn = fsm.load %turns : !fsm.ptr<i32> -> i32
  %next = arith.addi %turn, %one : i32
  fsm.store %next, %turns : i32, !fsm.ptr<i32>
  %freed = fsm.atomic_rmw <add> %one, %serving sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

// Loads stand on their side of an update of the same cells, which other threads make.
fsm.kernel @around(%before: !fsm.ptr<i32>, %after: !fsm.ptr<i32>, %data: !fsm.ptr<i32>) {
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %last = arith.constant dense<${LAST}> : tensor<${N}xi32>
  %back = arith.subi %last, %at : tensor<${N}xi32>
  %x = fsm.load %data[%at] : !fsm.ptr<i32>, tensor<${N}xi32> -> tensor<${N}xi32>
  %old = fsm.atomic_rmw <add> %at, %data[%back] sem = relaxed : tensor<${N}xi32>, !fsm.ptr<i32>, tensor<${N}xi32>
  %y = fsm.load %data[%at] : !fsm.ptr<i32>, tensor<${N}xi32> -> tensor<${N}xi32>
  fsm.store %x, %before[%at] : tensor<${N}xi32>, !fsm.ptr<i32>, tensor<${N}xi32>
  fsm.store %y, %after[%at] : tensor<${N}xi32>, !fsm.ptr<i32>, tensor<${N}xi32>
  fsm.return
}

// The same with a lock that is free or taken.
fsm.kernel @spin(%data: !fsm.ptr<f32>, %turns: !fsm.ptr<i32>, %lock: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %seen = fsm.atomic_cas %zero, %one, %lock : i32, !fsm.ptr<i32>
    %waits = arith.cmpi ne, %seen, %zero : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %data[%at] : !fsm.ptr<f32>, tensor<${N}xi32> -> tensor<${N}xf32>
  %steps = arith.sitofp %at : tensor<${N}xi32> to tensor<${N}xf32>
  %sum = arith.addf %x, %steps : tensor<${N}xf32>
  fsm.store %sum, %data[%at] : tensor<${N}xf32>, !fsm.ptr<f32>, tensor<${N}xi32>
  %turn = fsm.load %turns : !fsm.ptr<i32> -> i32
  %next = arith.addi %turn, %one : i32
  fsm.store %next, %turns : i32, !fsm.ptr<i32>
  %freed = fsm.atomic_rmw <exch> %zero, %lock : i32, !fsm.ptr<i32>
  fsm.return
}

// A list in memory: node i is its successor's address and a value. `order` says which
// node is which.
fsm.kernel @list(%sum: !fsm.ptr<i64>, %nodes: !fsm.ptr<i64>, %order: !fsm.ptr<i32>, %values: !fsm.ptr<i64>, %count: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %end = arith.constant 0 : i64
  %head = scf.for %i = %zero to %count step %one iter_args(%after = %end) -> (i64) : i32 {
    %which_at = fsm.offset %order, %i : !fsm.ptr<i32>, i32
    %which = fsm.load %which_at : !fsm.ptr<i32> -> i32
    %start = arith.muli %which, %two : i32
    %node = fsm.offset %nodes, %start : !fsm.ptr<i64>, i32
    fsm.store %after, %node : i64, !fsm.ptr<i64>
    %value_at = fsm.offset %values, %which : !fsm.ptr<i64>, i32
    %value = fsm.load %value_at : !fsm.ptr<i64> -> i64
    %field = fsm.offset %node, %one : !fsm.ptr<i64>, i32
    fsm.store %value, %field : i64, !fsm.ptr<i64>
    %address = fsm.ptr_to_int %node : !fsm.ptr<i64> -> i64
    scf.yield %address : i64
  }
  // Each value weighs its place in the list, so that the way matters.
  %all:3 = scf.while (%at = %head, %total = %end, %weight = %end) : (i64, i64, i64) -> (i64, i64, i64) {
    %more = arith.cmpi ne, %at, %end : i64
    scf.condition(%more) %at, %total, %weight : i64, i64, i64
  } do {
  ^bb0(%at: i64, %total: i64, %weight: i64):
    %unit = arith.constant 1 : i64
    %node = fsm.int_to_ptr %at : i64 -> !fsm.ptr<i64>
    %next = fsm.load %node : !fsm.ptr<i64> -> i64
    %field = fsm.offset %node, %one : !fsm.ptr<i64>, i32
    %value = fsm.load %field : !fsm.ptr<i64> -> i64
    %heavier = arith.addi %weight, %unit : i64
    %term = arith.muli %value, %heavier : i64
    %more = arith.addi %total, %term : i64
    scf.yield %next, %more, %heavier : i64, i64, i64
  }
  fsm.store %all#1, %sum : i64, !fsm.ptr<i64>
  fsm.return
}

// A table of pointers that one program fills and reads: the rows of both matrices change
// places.
fsm.kernel @table(%left: !fsm.ptr<f32>, %right: !fsm.ptr<f32>, %table: !fsm.ptr<i64>) {
  %one = arith.constant 1 : i32
  %address = fsm.ptr_to_int %table : !fsm.ptr<i64> -> i64
  %slots = fsm.int_to_ptr %address : i64 -> !fsm.ptr<!fsm.ptr<f32>>
  fsm.store %left, %slots : !fsm.ptr<f32>, !fsm.ptr<!fsm.ptr<f32>>
  %second = fsm.offset %slots, %one : !fsm.ptr<!fsm.ptr<f32>>, i32
  fsm.store %right, %second : !fsm.ptr<f32>, !fsm.ptr<!fsm.ptr<f32>>
  %p = fsm.load %slots : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<f32>
  %q = fsm.load %second : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<f32>
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %p[%at] : !fsm.ptr<f32>, tensor<${N}xi32> -> tensor<${N}xf32>
  %y = fsm.load %q[%at] : !fsm.ptr<f32>, tensor<${N}xi32> -> tensor<${N}xf32>
  fsm.store %y, %left[%at] : tensor<${N}xf32>, !fsm.ptr<f32>, tensor<${N}xi32>
  fsm.store %x, %q[%at] : tensor<${N}xf32>, !fsm.ptr<f32>, tensor<${N}xi32>
  fsm.return
}
