// Places of maxima of which there are several: the first one, and the last one; of rows, of columns, and so far. Numbers are the low
// bits of products with the program's number.
//
// RUN: %fsm_run %s --kernel=row --device=cpu --guard=end --compare=interp --grid=40 --arg=i32[40x2]
// RUN: %fsm_run %s --kernel=row --device=sim --num-warps=2 --compare=interp --grid=40 --arg=i32[40x2]
// RUN: %fsm_run %s --kernel=matrix --device=cpu --guard=end --compare=interp --grid=20 --arg=i32[20x5] --arg=i32[20x350] --arg=i32[20x350]
// RUN: %fsm_run %s --kernel=matrix --device=sim --num-warps=1 --compare=interp --grid=20 --arg=i32[20x5] --arg=i32[20x350] --arg=i32[20x350]
// RUN: %fsm_run %s --kernel=long --device=cpu --guard=end --compare=interp --grid=3 --arg=i32[3x2]
// RUN: %fsm_run %s --kernel=long --device=sim --num-warps=1 --num-ctas=1 --compare=interp --grid=3 --arg=i32[3x2]

!row = tensor<301xi32>
!rows = tensor<5x70xi32>

fsm.kernel @row(%out: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range -7, 294 : !row
  %pids = fsm.splat %pid : !row
  %product = arith.muli %r, %pids : !row
  %seven = arith.constant dense<7> : !row
  %x = arith.andi %product, %seven : !row
  %most, %first = fsm.reduce_with %x, %r axis 0 : !row, !row -> i32, i32 {
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %earlier = arith.cmpi slt, %i, %j : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %i, %j : i32
    fsm.yield %value, %index : i32, i32
  }
  %most2, %last = fsm.reduce_with %x, %r axis 0 : !row, !row -> i32, i32 {
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %later = arith.cmpi sle, %j, %i : i32
    %kept = arith.andi %even, %later : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %i, %j : i32
    fsm.yield %value, %index : i32, i32
  }
  %two = arith.constant 2 : i32
  %at = arith.muli %pid, %two : i32
  %to = fsm.offset %out, %at : !fsm.ptr<i32>, i32
  fsm.store %first, %to : i32, !fsm.ptr<i32>
  %one = arith.constant 1 : i32
  %next = fsm.offset %to, %one : !fsm.ptr<i32>, i32
  fsm.store %last, %next : i32, !fsm.ptr<i32>
  fsm.return
}

// The first one of each row, that of each column up to each row, and from the end of each row up to each column.
fsm.kernel @matrix(%out: !fsm.ptr<i32>, %down: !fsm.ptr<i32>, %back: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %i = fsm.range 0, 5 : tensor<5xi32>
  %j = fsm.range 0, 70 : tensor<70xi32>
  %i1 = fsm.expand_dims %i axis 1 : tensor<5xi32> -> tensor<5x1xi32>
  %j1 = fsm.expand_dims %j axis 0 : tensor<70xi32> -> tensor<1x70xi32>
  %rows = fsm.broadcast %i1 : tensor<5x1xi32> -> !rows
  %columns = fsm.broadcast %j1 : tensor<1x70xi32> -> !rows
  %pids = fsm.splat %pid : !rows
  %width = arith.constant dense<70> : !rows
  %begins = arith.muli %rows, %width : !rows
  %places = arith.addi %begins, %columns : !rows
  %product = arith.muli %places, %pids : !rows
  %three = arith.constant dense<3> : !rows
  %x = arith.andi %product, %three : !rows
  %most, %first = fsm.reduce_with %x, %columns axis 1 : !rows, !rows -> tensor<5xi32>, tensor<5xi32> {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %earlier = arith.cmpi slt, %p, %q : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %p, %q : i32
    fsm.yield %value, %index : i32, i32
  }
  %most2, %above = fsm.scan_with %x, %rows axis 0 : !rows, !rows {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %earlier = arith.cmpi slt, %p, %q : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %p, %q : i32
    fsm.yield %value, %index : i32, i32
  }
  %most3, %behind = fsm.scan_with %x, %columns axis 1 reverse : !rows, !rows {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %earlier = arith.cmpi slt, %p, %q : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %p, %q : i32
    fsm.yield %value, %index : i32, i32
  }
  %five = arith.constant 5 : i32
  %at = arith.muli %pid, %five : i32
  %to = fsm.offset %out, %at : !fsm.ptr<i32>, i32
  fsm.store %first, %to[%i] : tensor<5xi32>, !fsm.ptr<i32>, tensor<5xi32>
  %size = arith.constant 350 : i32
  %begin = arith.muli %pid, %size : i32
  %to2 = fsm.offset %down, %begin : !fsm.ptr<i32>, i32
  fsm.store %above, %to2[%places] : !rows, !fsm.ptr<i32>, !rows
  %to3 = fsm.offset %back, %begin : !fsm.ptr<i32>, i32
  fsm.store %behind, %to3[%places] : !rows, !fsm.ptr<i32>, !rows
  fsm.return
}

// A row that is walked in pieces: the first one, and the one with the least number where numbers fall.
!long = tensor<9000xi32>
fsm.kernel @long(%out: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range -7, 8993 : !long
  %pids = fsm.splat %pid : !long
  %product = arith.muli %r, %pids : !long
  %seven = arith.constant dense<7> : !long
  %x = arith.andi %product, %seven : !long
  %most, %first = fsm.reduce_with %x, %r axis 0 : !long, !long -> i32, i32 {
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %earlier = arith.cmpi slt, %i, %j : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %i, %j : i32
    fsm.yield %value, %index : i32, i32
  }
  %end = arith.constant dense<5000> : !long
  %fall = arith.subi %end, %r : !long
  %most2, %last = fsm.reduce_with %x, %fall axis 0 : !long, !long -> i32, i32 {
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %more = arith.cmpi sgt, %a, %b : i32
    %even = arith.cmpi eq, %a, %b : i32
    %less = arith.cmpi slt, %i, %j : i32
    %kept = arith.andi %even, %less : i1
    %chosen = arith.ori %more, %kept : i1
    %value = arith.select %chosen, %a, %b : i32
    %index = arith.select %chosen, %i, %j : i32
    fsm.yield %value, %index : i32, i32
  }
  %two = arith.constant 2 : i32
  %at = arith.muli %pid, %two : i32
  %to = fsm.offset %out, %at : !fsm.ptr<i32>, i32
  fsm.store %first, %to : i32, !fsm.ptr<i32>
  %one = arith.constant 1 : i32
  %next = fsm.offset %to, %one : !fsm.ptr<i32>, i32
  fsm.store %last, %next : i32, !fsm.ptr<i32>
  fsm.return
}
