// Blocks through loops, branches and memory: the CPU and the GPU against the interpreter.
//
// RUN: %fsm_run %s --kernel=carried --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=7
// RUN: %fsm_run %s --kernel=carried --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=swapped --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[80] --arg=f32[80]:randn:2 --arg=5
// RUN: %fsm_run %s --kernel=rotated --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[8x8] --arg=f32[8x8]:randn:3 --arg=3
// RUN: %fsm_run %s --kernel=chosen --device=cpu --guard=begin --compare=interp --grid=4 --arg=i32[4x50] --arg=i32[50]:uniform:4
// RUN: %fsm_run %s --kernel=halved --device=cpu --guard=end --compare=interp --grid=3 --arg=f32[3x40] --arg=f32[3x40]:randn:5
// RUN: %fsm_run %s --kernel=shifted --device=cpu --guard=begin --grid=1 --compare=interp --no-specialize --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=shifted --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=again --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[64]:randn:7 --arg=f32[64]
// RUN: %fsm_run %s --kernel=outer --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[20x33] --arg=f32[20]:randn:8 --arg=f32[33]:randn:9 --arg=17 --arg=30
// RUN: %fsm_run %s --kernel=nested --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[48] --arg=f32[4x3x48]:randn:10
// RUN: %fsm_run %s --kernel=table --device=cpu --guard=end --grid=1 --compare=interp --arg=i32[5] --arg=i8[5]
// RUN: %fsm_run %s --kernel=pointers --device=cpu --guard=begin --grid=1 --compare=interp --arg=i1[33] --arg=i1[33]:uniform:3 --arg=1
// RUN: %fsm_run %s --kernel=reshaped --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[6x8] --arg=f32[48]:randn:11
// RUN: %fsm_run %s --kernel=edge --device=cpu --guard=begin --grid=1 --compare=interp --arg=i32[3] --arg=2147483640 --arg=2147483647 --arg=5
// RUN: %fsm_run %s --kernel=edge --device=cpu --guard=end --grid=1 --compare=interp --arg=i32[3] --arg=-2147483648 --arg=2147483647 --arg=1073741824
// RUN: %fsm_run %s --kernel=edge --device=cpu --guard=begin --grid=1 --compare=interp --arg=i32[3] --arg=7 --arg=7 --arg=1
// RUN: %fsm_run %s --kernel=either --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=1
// RUN: %fsm_run %s --kernel=either --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=0
// RUN: %fsm_run %s --kernel=uncontracted --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[64] --arg=f32[64]:randn:3
//
// The same on the simulator, with the compiler's own warps and with others.
// RUN: %fsm_run %s --kernel=carried --device=sim --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=7
// RUN: %fsm_run %s --kernel=carried --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=7
// RUN: %fsm_run %s --kernel=carried --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=7
// RUN: %fsm_run %s --kernel=carried --device=sim --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=carried --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[100] --arg=f32[7x100]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=swapped --device=sim --grid=1 --compare=interp --arg=f32[80] --arg=f32[80]:randn:2 --arg=5
// RUN: %fsm_run %s --kernel=swapped --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[80] --arg=f32[80]:randn:2 --arg=5
// RUN: %fsm_run %s --kernel=swapped --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[80] --arg=f32[80]:randn:2 --arg=5
// RUN: %fsm_run %s --kernel=rotated --device=sim --grid=1 --compare=interp --arg=f32[8x8] --arg=f32[8x8]:randn:3 --arg=3
// RUN: %fsm_run %s --kernel=rotated --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[8x8] --arg=f32[8x8]:randn:3 --arg=3
// RUN: %fsm_run %s --kernel=chosen --device=sim --compare=interp --grid=4 --arg=i32[4x50] --arg=i32[50]:uniform:4
// RUN: %fsm_run %s --kernel=chosen --device=sim --num-warps=1 --compare=interp --grid=4 --arg=i32[4x50] --arg=i32[50]:uniform:4
// RUN: %fsm_run %s --kernel=chosen --device=sim --num-warps=16 --compare=interp --grid=4 --arg=i32[4x50] --arg=i32[50]:uniform:4
// RUN: %fsm_run %s --kernel=halved --device=sim --compare=interp --grid=3 --arg=f32[3x40] --arg=f32[3x40]:randn:5
// RUN: %fsm_run %s --kernel=halved --device=sim --num-warps=4 --compare=interp --grid=3 --arg=f32[3x40] --arg=f32[3x40]:randn:5
// RUN: %fsm_run %s --kernel=shifted --device=sim --grid=1 --compare=interp --no-specialize --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=shifted --device=sim --num-warps=1 --grid=1 --compare=interp --no-specialize --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=shifted --device=sim --num-warps=16 --grid=1 --compare=interp --no-specialize --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=shifted --device=sim --grid=1 --compare=interp --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=shifted --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[130]:arange
// RUN: %fsm_run %s --kernel=again --device=sim --grid=1 --compare=interp --arg=f32[64]:randn:7 --arg=f32[64]
// RUN: %fsm_run %s --kernel=again --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[64]:randn:7 --arg=f32[64]
// RUN: %fsm_run %s --kernel=again --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[64]:randn:7 --arg=f32[64]
// RUN: %fsm_run %s --kernel=outer --device=sim --grid=1 --compare=interp --arg=f32[20x33] --arg=f32[20]:randn:8 --arg=f32[33]:randn:9 --arg=17 --arg=30
// RUN: %fsm_run %s --kernel=outer --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[20x33] --arg=f32[20]:randn:8 --arg=f32[33]:randn:9 --arg=17 --arg=30
// RUN: %fsm_run %s --kernel=nested --device=sim --grid=1 --compare=interp --arg=f32[48] --arg=f32[4x3x48]:randn:10
// RUN: %fsm_run %s --kernel=nested --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[48] --arg=f32[4x3x48]:randn:10
// RUN: %fsm_run %s --kernel=nested --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[48] --arg=f32[4x3x48]:randn:10
// RUN: %fsm_run %s --kernel=table --device=sim --grid=1 --compare=interp --arg=i32[5] --arg=i8[5]
// RUN: %fsm_run %s --kernel=table --device=sim --num-warps=4 --grid=1 --compare=interp --arg=i32[5] --arg=i8[5]
// RUN: %fsm_run %s --kernel=pointers --device=sim --grid=1 --compare=interp --arg=i1[33] --arg=i1[33]:uniform:3 --arg=1
// RUN: %fsm_run %s --kernel=pointers --device=sim --num-warps=1 --grid=1 --compare=interp --arg=i1[33] --arg=i1[33]:uniform:3 --arg=1
// RUN: %fsm_run %s --kernel=pointers --device=sim --num-warps=16 --grid=1 --compare=interp --arg=i1[33] --arg=i1[33]:uniform:3 --arg=1
// RUN: %fsm_run %s --kernel=reshaped --device=sim --grid=1 --compare=interp --arg=f32[6x8] --arg=f32[48]:randn:11
// RUN: %fsm_run %s --kernel=reshaped --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[6x8] --arg=f32[48]:randn:11
// RUN: %fsm_run %s --kernel=edge --device=sim --grid=1 --compare=interp --arg=i32[3] --arg=2147483640 --arg=2147483647 --arg=5
// RUN: %fsm_run %s --kernel=edge --device=sim --num-warps=1 --grid=1 --compare=interp --arg=i32[3] --arg=2147483640 --arg=2147483647 --arg=5
// RUN: %fsm_run %s --kernel=edge --device=sim --num-warps=16 --grid=1 --compare=interp --arg=i32[3] --arg=2147483640 --arg=2147483647 --arg=5
// RUN: %fsm_run %s --kernel=edge --device=sim --grid=1 --compare=interp --arg=i32[3] --arg=-2147483648 --arg=2147483647 --arg=1073741824
// RUN: %fsm_run %s --kernel=edge --device=sim --num-warps=4 --grid=1 --compare=interp --arg=i32[3] --arg=-2147483648 --arg=2147483647 --arg=1073741824
// RUN: %fsm_run %s --kernel=edge --device=sim --grid=1 --compare=interp --arg=i32[3] --arg=7 --arg=7 --arg=1
// RUN: %fsm_run %s --kernel=edge --device=sim --num-warps=1 --grid=1 --compare=interp --arg=i32[3] --arg=7 --arg=7 --arg=1
// RUN: %fsm_run %s --kernel=edge --device=sim --num-warps=16 --grid=1 --compare=interp --arg=i32[3] --arg=7 --arg=7 --arg=1
// RUN: %fsm_run %s --kernel=either --device=sim --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=1
// RUN: %fsm_run %s --kernel=either --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=1
// RUN: %fsm_run %s --kernel=either --device=sim --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=0
// RUN: %fsm_run %s --kernel=either --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=0
// RUN: %fsm_run %s --kernel=either --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[32]:randn:1 --arg=f32[32]:randn:2 --arg=f32[32] --arg=0
// RUN: %fsm_run %s --kernel=uncontracted --device=sim --grid=1 --compare=interp --arg=f32[64] --arg=f32[64]:randn:3
// RUN: %fsm_run %s --kernel=uncontracted --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[64] --arg=f32[64]:randn:3

// A sum of rows carried through a loop, also for no row at all.
fsm.kernel @carried(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %rows: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %o = fsm.range 0, 100 : tensor<100xi32>
  %zero = arith.constant dense<0.0> : tensor<100xf32>
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%acc = %zero) -> (tensor<100xf32>) : i32 {
    %start = arith.muli %i, %c100 overflow<nsw> : i32
    %row = fsm.offset %in, %start : !fsm.ptr<f32>, i32
    %x = fsm.load %row[%o] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
    %next = arith.addf %acc, %x : tensor<100xf32>
    scf.yield %next : tensor<100xf32>
  }
  fsm.store %sum, %out[%o] : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>
  fsm.return
}

// Two carried blocks that change places.
fsm.kernel @swapped(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = fsm.range 0, 80 : tensor<80xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<80xi32> -> tensor<80xf32>
  %one = arith.constant dense<1.0> : tensor<80xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %one) -> (tensor<80xf32>, tensor<80xf32>) : i32 {
    %s = arith.addf %a, %b : tensor<80xf32>
    scf.yield %b, %s : tensor<80xf32>, tensor<80xf32>
  }
  %y = arith.mulf %r#0, %r#1 : tensor<80xf32>
  fsm.store %y, %out[%o] : tensor<80xf32>, !fsm.ptr<f32>, tensor<80xi32>
  fsm.return
}

// A carried block whose next value needs all of the old one: row maxima, spread.
fsm.kernel @rotated(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %flat = fsm.range 0, 64 : tensor<64xi32>
  %o = fsm.reshape %flat : tensor<64xi32> -> tensor<8x8xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) : i32 {
    %m = fsm.reduce <max> %a axis 0 : tensor<8x8xf32> -> tensor<8xf32>
    %column = fsm.expand_dims %m axis 1 : tensor<8xf32> -> tensor<8x1xf32>
    %spread = fsm.broadcast %column : tensor<8x1xf32> -> tensor<8x8xf32>
    %turned = fsm.reshape %a : tensor<8x8xf32> -> tensor<64xf32>
    %back = fsm.reshape %turned : tensor<64xf32> -> tensor<8x8xf32>
    %s = arith.subf %spread, %back : tensor<8x8xf32>
    scf.yield %s : tensor<8x8xf32>
  }
  fsm.store %r, %out[%o] : tensor<8x8xf32>, !fsm.ptr<f32>, tensor<8x8xi32>
  fsm.return
}

// Blocks out of both branches, chosen by the program.
fsm.kernel @chosen(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %c1 = arith.constant 1 : i32
  %c50 = arith.constant 50 : i32
  %o = fsm.range 0, 50 : tensor<50xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<50xi32> -> tensor<50xi32>
  %bit = arith.andi %pid, %c1 : i32
  %odd = arith.cmpi eq, %bit, %c1 : i32
  %y = scf.if %odd -> (tensor<50xi32>) {
    %d = arith.muli %x, %o : tensor<50xi32>
    scf.yield %d : tensor<50xi32>
  } else {
    scf.yield %x : tensor<50xi32>
  }
  %z = arith.addi %y, %o : tensor<50xi32>
  %start = arith.muli %pid, %c50 : i32
  %row = fsm.offset %out, %start : !fsm.ptr<i32>, i32
  fsm.store %z, %row[%o] : tensor<50xi32>, !fsm.ptr<i32>, tensor<50xi32>
  fsm.return
}

// Halve a row until its maximum is below one half.
fsm.kernel @halved(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %c40 = arith.constant 40 : i32
  %half = arith.constant 0.5 : f32
  %halves = arith.constant dense<0.5> : tensor<40xf32>
  %start = arith.muli %pid, %c40 : i32
  %o = fsm.range 0, 40 : tensor<40xi32>
  %row = fsm.offset %in, %start : !fsm.ptr<f32>, i32
  %x = fsm.load %row[%o] : !fsm.ptr<f32>, tensor<40xi32> -> tensor<40xf32>
  %r = scf.while (%a = %x) : (tensor<40xf32>) -> tensor<40xf32> {
    %m = fsm.reduce <max> %a axis 0 : tensor<40xf32> -> f32
    %large = arith.cmpf ogt, %m, %half : f32
    scf.condition(%large) %a : tensor<40xf32>
  } do {
  ^bb0(%a: tensor<40xf32>):
    %h = arith.mulf %a, %halves : tensor<40xf32>
    scf.yield %h : tensor<40xf32>
  }
  %to = fsm.offset %out, %start : !fsm.ptr<f32>, i32
  fsm.store %r, %to[%o] : tensor<40xf32>, !fsm.ptr<f32>, tensor<40xi32>
  fsm.return
}

// In place, shifted by one: the whole block is read before any of it is written.
fsm.kernel @shifted(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 129 : tensor<129xi32>
  %one = arith.constant dense<1> : tensor<129xi32>
  %to = arith.addi %o, %one overflow<nsw> : tensor<129xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<129xi32> -> tensor<129xf32>
  fsm.store %x, %p[%to] : tensor<129xf32>, !fsm.ptr<f32>, tensor<129xi32>
  fsm.return
}

// Stores, loads of what was stored, and a reduction over both.
fsm.kernel @again(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  fsm.store %e, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  %y = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %s = arith.addf %x, %y : tensor<64xf32>
  %sum = fsm.reduce <sum> %s axis 0 : tensor<64xf32> -> f32
  %max = fsm.reduce <max> %y axis 0 : tensor<64xf32> -> f32
  %ratio = arith.divf %sum, %max : f32
  %r = fsm.splat %ratio : tensor<64xf32>
  fsm.store %r, %q[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// A column times a row, masked on both sides.
fsm.kernel @outer(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %m: i32, %n: i32) {
  %r = fsm.range 0, 20 : tensor<20xi32>
  %c = fsm.range 0, 33 : tensor<33xi32>
  %rc = fsm.expand_dims %r axis 1 : tensor<20xi32> -> tensor<20x1xi32>
  %rr = fsm.broadcast %rc : tensor<20x1xi32> -> tensor<20x33xi32>
  %cc0 = fsm.expand_dims %c axis 0 : tensor<33xi32> -> tensor<1x33xi32>
  %cc = fsm.broadcast %cc0 : tensor<1x33xi32> -> tensor<20x33xi32>
  %w = arith.constant dense<33> : tensor<20x33xi32>
  %scaled = arith.muli %rr, %w overflow<nsw> : tensor<20x33xi32>
  %o = arith.addi %scaled, %cc overflow<nsw> : tensor<20x33xi32>
  %mm = fsm.splat %m : tensor<20x33xi32>
  %nn = fsm.splat %n : tensor<20x33xi32>
  %inRow = arith.cmpi slt, %rr, %mm : tensor<20x33xi32>
  %inColumn = arith.cmpi slt, %cc, %nn : tensor<20x33xi32>
  %mask = arith.andi %inRow, %inColumn : tensor<20x33xi1>
  %x = fsm.load %a[%rr] : !fsm.ptr<f32>, tensor<20x33xi32> -> tensor<20x33xf32>
  %y = fsm.load %b[%cc], %inColumn : !fsm.ptr<f32>, tensor<20x33xi32> -> tensor<20x33xf32>
  %z = arith.mulf %x, %y : tensor<20x33xf32>
  fsm.store %z, %out[%o], %mask : tensor<20x33xf32>, !fsm.ptr<f32>, tensor<20x33xi32>
  fsm.return
}

// A loop in a loop, the inner one starting from what the outer one carries.
fsm.kernel @nested(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c48 = arith.constant 48 : i32
  %o = fsm.range 0, 48 : tensor<48xi32>
  %two = arith.constant dense<2.0> : tensor<48xf32>
  %zero = arith.constant dense<0.0> : tensor<48xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (tensor<48xf32>) : i32 {
    %h = arith.divf %a, %two : tensor<48xf32>
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %h) -> (tensor<48xf32>) : i32 {
      %k = arith.muli %i, %c3 : i32
      %l = arith.addi %k, %j : i32
      %start = arith.muli %l, %c48 : i32
      %row = fsm.offset %in, %start : !fsm.ptr<f32>, i32
      %x = fsm.load %row[%o] : !fsm.ptr<f32>, tensor<48xi32> -> tensor<48xf32>
      %e = math.tanh %h : tensor<48xf32>
      %t = arith.addf %x, %e : tensor<48xf32>
      %u = arith.addf %t, %b : tensor<48xf32>
      scf.yield %u : tensor<48xf32>
    }
    scf.yield %s : tensor<48xf32>
  }
  fsm.store %r, %out[%o] : tensor<48xf32>, !fsm.ptr<f32>, tensor<48xi32>
  fsm.return
}

// Constants that differ from element to element.
fsm.kernel @table(%out: !fsm.ptr<i32>, %bytes: !fsm.ptr<i8>) {
  %o = arith.constant dense<[4, 2, 0, 1, 3]> : tensor<5xi32>
  %v = arith.constant dense<[10, 20, 30, 40, 50]> : tensor<5xi32>
  %mask = arith.constant dense<[true, false, true, true, true]> : tensor<5xi1>
  fsm.store %v, %out[%o], %mask : tensor<5xi32>, !fsm.ptr<i32>, tensor<5xi32>
  %b = arith.extui %mask : tensor<5xi1> to tensor<5xi8>
  fsm.store %b, %bytes[%o] : tensor<5xi8>, !fsm.ptr<i8>, tensor<5xi32>
  fsm.return
}

// i1 in memory and as an argument.
fsm.kernel @pointers(%out: !fsm.ptr<i1>, %in: !fsm.ptr<i1>, %flip: i1) {
  %o = fsm.range 0, 33 : tensor<33xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i1>, tensor<33xi32> -> tensor<33xi1>
  %f = fsm.splat %flip : tensor<33xi1>
  %y = arith.xori %x, %f : tensor<33xi1>
  %all = fsm.reduce <or> %y axis 0 : tensor<33xi1> -> i1
  fsm.store %y, %out[%o], %all : tensor<33xi1>, !fsm.ptr<i1>, tensor<33xi32>, mask i1
  fsm.return
}

// A reshape between rows of different lengths, of something that is computed.
fsm.kernel @reshaped(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 48 : tensor<48xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<48xi32> -> tensor<48xf32>
  %y = arith.addf %x, %x : tensor<48xf32>
  %z = fsm.reshape %y : tensor<48xf32> -> tensor<6x8xf32>
  %s = fsm.reduce <sum> %z axis 1 : tensor<6x8xf32> -> tensor<6xf32>
  %c = fsm.expand_dims %s axis 1 : tensor<6xf32> -> tensor<6x1xf32>
  %b = fsm.broadcast %c : tensor<6x1xf32> -> tensor<6x8xf32>
  %d = arith.subf %z, %b : tensor<6x8xf32>
  %to = fsm.reshape %o : tensor<48xi32> -> tensor<6x8xi32>
  fsm.store %d, %out[%to] : tensor<6x8xf32>, !fsm.ptr<f32>, tensor<6x8xi32>
  fsm.return
}

// Loops whose next number would not fit its type.
fsm.kernel @edge(%out: !fsm.ptr<i32>, %from: i32, %to: i32, %step: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %n, %last = scf.for %i = %from to %to step %step iter_args(%k = %c0, %l = %c0) -> (i32, i32) : i32 {
    %next = arith.addi %k, %c1 : i32
    scf.yield %next, %i : i32, i32
  }
  fsm.store %n, %out : i32, !fsm.ptr<i32>
  %p1 = fsm.offset %out, %c1 : !fsm.ptr<i32>, i32
  fsm.store %last, %p1 : i32, !fsm.ptr<i32>
  // i8, counted as unsigned numbers: 0 to 250 in steps of 100.
  %b0 = arith.constant 0 : i8
  %b250 = arith.constant 250 : i8
  %b100 = arith.constant 100 : i8
  %m = scf.for unsigned %i = %b0 to %b250 step %b100 iter_args(%k = %c0) -> (i32) : i8 {
    %next = arith.addi %k, %c1 : i32
    scf.yield %next : i32
  }
  %p2 = fsm.offset %out, %c2 : !fsm.ptr<i32>, i32
  fsm.store %m, %p2 : i32, !fsm.ptr<i32>
  fsm.return
}

// A store through a pointer that was chosen; what was loaded before stays.
fsm.kernel @either(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %out: !fsm.ptr<f32>, %first: i1) {
  %o = fsm.range 0, 32 : tensor<32xi32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %chosen = arith.select %first, %p, %q : !fsm.ptr<f32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %y = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  fsm.store %zero, %chosen[%o] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  %z = arith.addf %x, %y : tensor<32xf32>
  fsm.store %z, %out[%o] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  fsm.return
}

// A product and a difference are rounded one by one unless they say 'contract'.
fsm.kernel @uncontracted(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %square = arith.mulf %x, %x : tensor<64xf32>
  %doubled = arith.addf %square, %square : tensor<64xf32>
  %zero = arith.subf %doubled, %square : tensor<64xf32>
  %difference = arith.subf %zero, %square : tensor<64xf32>
  fsm.store %difference, %out[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
