// Masks of the first elements of each row, spelled in many ways, by every bound: program p lets p of 150 elements through, or so
// many more or less, and more than there are. What is off is -1. Sums begin anywhere, also so near the end of their numbers
// that they wrap behind the bound, or in front of it, where the mask has no single end.
//
// RUN: %fsm_run %s --kernel=spellings --device=cpu --compare=interp --grid=152 --arg=f32[9x22800] --arg=f32[150]:arange --arg=0
// RUN: %fsm_run %s --kernel=spellings --device=cpu --compare=interp --grid=152 --arg=f32[9x22800] --arg=f32[150]:arange --arg=2147483600
// RUN: %fsm_run %s --kernel=spellings --device=cpu --compare=interp --grid=152 --arg=f32[9x22800] --arg=f32[150]:arange --arg=-75
// RUN: %fsm_run %s --kernel=spellings --device=cpu --compare=interp --grid=152 --arg=f32[9x22800] --arg=f32[150]:arange --arg=-2147483648
// RUN: %fsm_run %s --kernel=spellings --device=sim --num-warps=2 --compare=interp --grid=152 --arg=f32[9x22800] --arg=f32[150]:arange --arg=2147483600
// RUN: %fsm_run %s --kernel=matrix --device=cpu --compare=interp --grid=152 --arg=f32[152x5x150] --arg=f32[150]:arange --arg=i32[5]:arange
// RUN: %fsm_run %s --kernel=matrix --device=sim --num-warps=1 --compare=interp --grid=152 --arg=f32[152x5x150] --arg=f32[150]:arange --arg=i32[5]:arange
// Rows of three vectors, which are fewer than a reduction computes at a time.
// RUN: %fsm_run %s --kernel=three --device=cpu --compare=interp --grid=52 --arg=f32[52] --arg=f32[50]:randn:1
// RUN: %fsm_run %s --kernel=three --device=sim --num-warps=1 --compare=interp --grid=52 --arg=f32[52] --arg=f32[50]:randn:1
// RUN: %fsm_run %s --kernel=renamed --device=cpu --guard=end --compare=interp --grid=18 --arg=f32[18x128] --arg=f32[128]:arange
// RUN: %fsm_run %s --kernel=renamed --device=sim --num-warps=1 --compare=interp --grid=18 --arg=f32[18x128] --arg=f32[128]:arange
// RUN: %fsm_run %s --kernel=one --device=cpu --compare=interp --grid=3 --arg=f32[3] --arg=f32[1]:arange
// RUN: %fsm_run %s --kernel=tuples --device=cpu --guard=end --compare=interp --grid=152 --arg=f32[152] --arg=f32[150]:arange
// RUN: %fsm_run %s --kernel=tuples --device=sim --num-warps=2 --compare=interp --grid=152 --arg=f32[152] --arg=f32[150]:arange
// A mask of whole rows that the loop itself keeps, for a scan to read: what the program before left there is no bound of a row.
// RUN: %fsm_run %s --kernel=kept --device=cpu --compare=interp --grid=64 --arg=i32[64x256] --arg=i32[64x256]
// RUN: %fsm_run %s --kernel=kept --device=sim --num-warps=1 --compare=interp --grid=64 --arg=i32[64x256] --arg=i32[64x256]

!block = tensor<150xi32>
!mask = tensor<150xi1>

func.func private @copy(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %number: i32, %mask: !mask) {
  %pid = fsm.program_id x : i32
  %extent = arith.constant 150 : i32
  %programs = arith.constant 22800 : i32
  %first = arith.muli %pid, %extent overflow<nsw> : i32
  %part = arith.muli %number, %programs overflow<nsw> : i32
  %begin = arith.addi %first, %part overflow<nsw> : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<f32>, i32
  %r = fsm.range 0, 150 : !block
  %off = arith.constant -1.0 : f32
  %x = fsm.load %in[%r], %mask, %off : !fsm.ptr<f32>, !block -> tensor<150xf32>
  fsm.store %x, %to[%r] : tensor<150xf32>, !fsm.ptr<f32>, !block
  func.return
}

fsm.kernel @spellings(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %base: i32) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 150 : !block
  %end = arith.addi %base, %pid : i32
  %ends = fsm.splat %end : !block
  %pids = fsm.splat %pid : !block
  %bases = fsm.splat %base : !block
  %sum = arith.addi %bases, %r : !block
  %left = arith.subi %ends, %r : !block
  %c0 = arith.constant 0 : i32
  %m0 = arith.cmpi slt, %sum, %ends : !block
  func.call @copy(%out, %in, %c0, %m0) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c1 = arith.constant 1 : i32
  %m1 = arith.cmpi sge, %ends, %sum : !block
  func.call @copy(%out, %in, %c1, %m1) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c2 = arith.constant 2 : i32
  %m2 = arith.cmpi ult, %sum, %ends : !block
  func.call @copy(%out, %in, %c2, %m2) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c3 = arith.constant 3 : i32
  %m3 = arith.cmpi ule, %bases, %left : !block
  func.call @copy(%out, %in, %c3, %m3) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c4 = arith.constant 4 : i32
  %m4 = arith.cmpi sgt, %left, %bases : !block
  func.call @copy(%out, %in, %c4, %m4) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c5 = arith.constant 5 : i32
  %wide = arith.extsi %r : !block to tensor<150xi64>
  %long = arith.extsi %end : i32 to i64
  %longs = fsm.splat %long : tensor<150xi64>
  %m5 = arith.cmpi sle, %wide, %longs : tensor<150xi64>
  func.call @copy(%out, %in, %c5, %m5) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c6 = arith.constant 6 : i32
  %bytes = arith.trunci %sum : !block to tensor<150xi8>
  %limits = arith.trunci %ends : !block to tensor<150xi8>
  %m6 = arith.cmpi sle, %bytes, %limits : tensor<150xi8>
  func.call @copy(%out, %in, %c6, %m6) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c7 = arith.constant 7 : i32
  %far = arith.addi %sum, %bases : !block
  %farther = arith.addi %bases, %ends : !block
  %low = arith.cmpi sgt, %farther, %far : !block
  %high = arith.cmpi ule, %r, %pids : !block
  %m7 = arith.andi %low, %high : !mask
  func.call @copy(%out, %in, %c7, %m7) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  %c8 = arith.constant 8 : i32
  %m8 = arith.cmpi uge, %pids, %r : !block
  func.call @copy(%out, %in, %c8, %m8) : (!fsm.ptr<f32>, !fsm.ptr<f32>, i32, !mask) -> ()
  fsm.return
}

// Rows have lengths of their own, which are in memory; the third and those behind it are off.
fsm.kernel @matrix(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %lengths: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %rows = fsm.range 0, 5 : tensor<5xi32>
  %length = fsm.load %lengths[%rows] : !fsm.ptr<i32>, tensor<5xi32> -> tensor<5xi32>
  %lengths2 = fsm.expand_dims %length axis 1 : tensor<5xi32> -> tensor<5x1xi32>
  %pids = fsm.splat %pid : tensor<5x1xi32>
  %end = arith.addi %lengths2, %pids : tensor<5x1xi32>
  %ends = fsm.broadcast %end : tensor<5x1xi32> -> tensor<5x150xi32>
  %r = fsm.range 0, 150 : !block
  %column = fsm.expand_dims %r axis 0 : !block -> tensor<1x150xi32>
  %columns = fsm.broadcast %column : tensor<1x150xi32> -> tensor<5x150xi32>
  %inside = arith.cmpi slt, %columns, %ends : tensor<5x150xi32>
  %three = arith.constant dense<3> : tensor<5xi32>
  %early = arith.cmpi slt, %rows, %three : tensor<5xi32>
  %early2 = fsm.expand_dims %early axis 1 : tensor<5xi1> -> tensor<5x1xi1>
  %earlys = fsm.broadcast %early2 : tensor<5x1xi1> -> tensor<5x150xi1>
  %most = arith.constant dense<140> : !block
  %narrow = arith.cmpi ult, %r, %most : !block
  %narrow2 = fsm.expand_dims %narrow axis 0 : !mask -> tensor<1x150xi1>
  %narrows = fsm.broadcast %narrow2 : tensor<1x150xi1> -> tensor<5x150xi1>
  %both = arith.andi %inside, %earlys : tensor<5x150xi1>
  %mask = arith.andi %both, %narrows : tensor<5x150xi1>
  %off = arith.constant -1.0 : f32
  %x = fsm.load %in[%columns], %mask, %off : !fsm.ptr<f32>, tensor<5x150xi32> -> tensor<5x150xf32>
  %pitch = arith.constant dense<150> : tensor<5xi32>
  %downs = arith.muli %rows, %pitch overflow<nsw> : tensor<5xi32>
  %down = fsm.expand_dims %downs axis 1 : tensor<5xi32> -> tensor<5x1xi32>
  %begins = fsm.broadcast %down : tensor<5x1xi32> -> tensor<5x150xi32>
  %places = arith.addi %begins, %columns overflow<nsw> : tensor<5x150xi32>
  %size = arith.constant 750 : i32
  %first = arith.muli %pid, %size overflow<nsw> : i32
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  fsm.store %x, %to[%places] : tensor<5x150xf32>, !fsm.ptr<f32>, tensor<5x150xi32>
  fsm.return
}

fsm.kernel @three(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 50 : tensor<50xi32>
  %pids = fsm.splat %pid : tensor<50xi32>
  %mask = arith.cmpi slt, %r, %pids : tensor<50xi32>
  %x = fsm.load %in[%r], %mask : !fsm.ptr<f32>, tensor<50xi32> -> tensor<50xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<50xf32> -> f32
  %to = fsm.offset %out, %pid : !fsm.ptr<f32>, i32
  fsm.store %sum, %to : f32, !fsm.ptr<f32>
  fsm.return
}

// Sums and counts of what a mask lets through, as tuples: each lane has some of its own.
fsm.kernel @tuples(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 150 : !block
  %pids = fsm.splat %pid : !block
  %mask = arith.cmpi slt, %r, %pids : !block
  %x = fsm.load %in[%r], %mask : !fsm.ptr<f32>, !block -> tensor<150xf32>
  %ones = arith.constant dense<1.0> : tensor<150xf32>
  %sum, %count = fsm.reduce_with %x, %ones axis 0 : tensor<150xf32>, tensor<150xf32> -> f32, f32 {
  ^bb0(%a: f32, %n: f32, %b: f32, %m: f32):
    %ab = arith.addf %a, %b : f32
    %nm = arith.addf %n, %m : f32
    fsm.yield %ab, %nm : f32, f32
  }
  %both = arith.addf %sum, %count : f32
  %to = fsm.offset %out, %pid : !fsm.ptr<f32>, i32
  fsm.store %both, %to : f32, !fsm.ptr<f32>
  fsm.return
}

// A row is walked under another number of dimensions than its mask has; by kernel 2301301 of a run on an H200, where the compiler crashed.
fsm.kernel @renamed(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 8 : tensor<8xi32>
  %c = fsm.range 0, 16 : tensor<16xi32>
  %r1 = fsm.expand_dims %r axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %c1 = fsm.expand_dims %c axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %rows = fsm.broadcast %r1 : tensor<8x1xi32> -> tensor<8x16xi32>
  %columns = fsm.broadcast %c1 : tensor<1x16xi32> -> tensor<8x16xi32>
  %width = arith.constant dense<16> : tensor<8x16xi32>
  %begin = arith.muli %rows, %width : tensor<8x16xi32>
  %offsets = arith.addi %begin, %columns : tensor<8x16xi32>
  %two = arith.constant dense<2> : tensor<8x16xi32>
  %shift = arith.muli %rows, %two : tensor<8x16xi32>
  %pids = fsm.splat %pid : tensor<8x16xi32>
  %end = arith.subi %pids, %shift : tensor<8x16xi32>
  %mask = arith.cmpi slt, %columns, %end : tensor<8x16xi32>
  %other = arith.constant -1.0 : f32
  %x = fsm.load %in[%offsets], %mask, %other : !fsm.ptr<f32>, tensor<8x16xi32> -> tensor<8x16xf32>
  %renamed = fsm.reshape %x : tensor<8x16xf32> -> tensor<1x8x16xf32>
  %to = fsm.reshape %offsets : tensor<8x16xi32> -> tensor<1x8x16xi32>
  %size = arith.constant 128 : i32
  %first = arith.muli %pid, %size : i32
  %place = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  fsm.store %renamed, %place[%to] : tensor<1x8x16xf32>, !fsm.ptr<f32>, tensor<1x8x16xi32>
  fsm.return
}

fsm.kernel @one(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 1 : tensor<1xi32>
  %pids = fsm.splat %pid : tensor<1xi32>
  %inside = arith.cmpi slt, %r, %pids : tensor<1xi32>
  %mask = fsm.expand_dims %inside axis 0 : tensor<1xi1> -> tensor<1x1xi1>
  %offsets = fsm.expand_dims %r axis 0 : tensor<1xi32> -> tensor<1x1xi32>
  %other = arith.constant -1.0 : f32
  %x = fsm.load %in[%offsets], %mask, %other : !fsm.ptr<f32>, tensor<1x1xi32> -> tensor<1x1xf32>
  %renamed = fsm.reshape %x : tensor<1x1xf32> -> tensor<1xf32>
  %place = fsm.offset %out, %pid : !fsm.ptr<f32>, i32
  fsm.store %renamed, %place[%r] : tensor<1xf32>, !fsm.ptr<f32>, tensor<1xi32>
  fsm.return
}

fsm.kernel @kept(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %rows = arith.constant 4 : i32
  %turn = arith.remui %pid, %rows : i32
  %left = arith.subi %rows, %turn : i32
  %size = arith.constant 256 : i32
  %first = arith.muli %pid, %size overflow<nsw> : i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  %sums_to = fsm.offset %sums, %first : !fsm.ptr<i32>, i32
  %place = fsm.range 0, 256 : tensor<256xi32>
  %o = fsm.reshape %place : tensor<256xi32> -> tensor<4x64xi32>
  %row = fsm.range 0, 4 : tensor<4xi32>
  %lefts = fsm.splat %left : tensor<4xi32>
  %inside = arith.cmpi slt, %row, %lefts : tensor<4xi32>
  %mask = fsm.broadcast %inside dims [0] : tensor<4xi1> -> tensor<4x64xi1>
  fsm.store %o, %to[%o], %mask : tensor<4x64xi32>, !fsm.ptr<i32>, tensor<4x64xi32>
  %any = fsm.scan <or> %mask axis 1 reverse : tensor<4x64xi1>
  %number = arith.extui %any : tensor<4x64xi1> to tensor<4x64xi32>
  fsm.store %number, %sums_to[%o] : tensor<4x64xi32>, !fsm.ptr<i32>, tensor<4x64xi32>
  fsm.return
}
