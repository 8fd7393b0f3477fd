// Loops that groups of warps of a CTA share: of rows that are reduced and stored beside the sums, of sums alone that begin at something, with
// counters and loads that run ahead; of more groups than rows, and in programs of one warp. Each group has barriers and memory of its own.

// DEFINE: %{groups} = 2
// DEFINE: %{run} = %fsm_run %s --device=sim -D GROUPS=%{groups} --compare=interp
// DEFINE: %{rows} = --kernel=rms_backward --arg=f32[37x512] --arg=f32[3x512] --arg=f32[37x512]:randn:1 --arg=f32[37x512]:randn:2 --arg=f32[512]:randn:3 --arg=f32[37]:uniform:4 --grid=3 --arg=512
// DEFINE: %{ends} = --arg=37 --arg=500
// DEFINE: %{answer} = %fsm_run %s --device=interp %{rows} %{ends} --out=0:%t.dx.npy --out=1:%t.dw.npy
// DEFINE: %{norm} = %fsm_run %s --device=sim -D GROUPS=%{groups} %{rows} %{ends} --check=0:%t.dx.npy,rtol=1e-5,atol=1e-4 --check=1:%t.dw.npy,rtol=1e-5,atol=1e-4
// DEFINE: %{statistics} = --kernel=statistics --arg=i32[2x256] --arg=i32[2x256] --arg=i32[23x256]:arange --arg=23
// DEFINE: %{counters} = --kernel=counters --grid=3 --arg=i32[3x64] --arg=i32[4096]:arange --arg=41
// DEFINE: %{place} = --kernel=in_place --grid=1 --arg=i64[20x128]:arange --arg=i64[128] --arg=20
// RUN: %{answer}
// RUN: %{norm} --num-warps=2
// RUN: %{norm} --num-warps=2 --target=sm_80
// RUN: env FSM_SIMULATOR=seed=3,landing=2,global_races=2 %{norm} --num-warps=2
// RUN: %{run} %{statistics} --num-warps=2 --grid=2
// RUN: %{run} %{counters} --num-warps=1
// RUN: %{run} %{place} --num-warps=4
// REDEFINE: %{groups} = 8
// RUN: %{norm} --num-warps=4
// RUN: %{norm} --num-warps=2 --remarks 2>&1 | FileCheck %s
// RUN: %{run} %{statistics} --num-warps=1 --grid=2
// REDEFINE: %{statistics} = --kernel=statistics -D WIDE=300 --arg=i32[2x300] --arg=i32[2x300] --arg=i32[23x300]:arange --arg=23
// RUN: %{run} %{statistics} --num-warps=2 --grid=2
// RUN: %{run} %{counters} --num-warps=2
// RUN: %{run} %{place} --num-warps=2 --remarks 2>&1 | FileCheck %s
// CHECK: remark: 8 groups of warps share this loop: 'fsm.warp_groups' says so
// RUN: %{run} %{place} --num-warps=8
// RUN: %{run} --kernel=over_another --num-warps=2 --grid=1 --arg=i32[1024]:arange --arg=i32[128] --arg=11 --arg=64
// RUN: %{run} --kernel=over_another --num-warps=2 --grid=1 --arg=i32[1024]:arange --arg=i32[128] --arg=7 --arg=128
// RUN: %{run} --kernel=read_in_front --num-warps=2 --grid=1 --arg=i32[1024]:arange --arg=i32[128] --arg=8
// REDEFINE: %{ends} = --arg=2 --arg=512
// RUN: %{answer}
// RUN: %{norm} --num-warps=4
// REDEFINE: %{ends} = --arg=0 --arg=512
// RUN: %{answer}
// RUN: %{norm} --num-warps=1

// param GROUPS = 2
// param WIDE = 256

// Of RMS norm: the gradient of each row, and what all rows add to that of the weight.
fsm.kernel @rms_backward(%dx: !fsm.ptr<f32>, %dw: !fsm.ptr<f32>, %dy: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %weight: !fsm.ptr<f32>, %scales: !fsm.ptr<f32>, %stride: i32, %rows: i32, %cols: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<512xf32>
  %apart = arith.cmpi sge, %stride, %cols : i32
  fsm.assume %apart
  %offs = fsm.range 0, 512 : tensor<512xi32>
  %n = fsm.splat %cols : tensor<512xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<512xi32>
  %w = fsm.load %weight[%offs], %mask : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
  %sum = scf.for %row = %first to %rows step %step iter_args(%old = %zeros) -> (tensor<512xf32>) : i32 {
    %at = arith.muli %row, %stride overflow<nsw> : i32
    %x_row = fsm.offset %in, %at : !fsm.ptr<f32>, i32
    %x = fsm.load %x_row[%offs], %mask : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
    %dy_row = fsm.offset %dy, %at : !fsm.ptr<f32>, i32
    %y = fsm.load %dy_row[%offs], %mask : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
    %scale_at = fsm.offset %scales, %row : !fsm.ptr<f32>, i32
    %scale = fsm.load %scale_at : !fsm.ptr<f32> -> f32
    %scales_of = fsm.splat %scale : tensor<512xf32>
    %hat = arith.mulf %x, %scales_of : tensor<512xf32>
    %wdy = arith.mulf %w, %y : tensor<512xf32>
    %product = arith.mulf %hat, %wdy : tensor<512xf32>
    %along = fsm.reduce <sum> %product axis 0 : tensor<512xf32> -> f32
    %alongs = fsm.splat %along : tensor<512xf32>
    %taken = arith.mulf %hat, %alongs : tensor<512xf32>
    %left = arith.subf %wdy, %taken : tensor<512xf32>
    %grad = arith.mulf %left, %scales_of : tensor<512xf32>
    %dx_row = fsm.offset %dx, %at : !fsm.ptr<f32>, i32
    fsm.store %grad, %dx_row[%offs], %mask : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
    %term = arith.mulf %hat, %y : tensor<512xf32>
    %next = arith.addf %old, %term fastmath<reassoc> : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  } {fsm.num_stages = 2 : i32, fsm.warp_groups = ${GROUPS} : i32}
  %own = arith.muli %first, %stride overflow<nsw> : i32
  %dw_row = fsm.offset %dw, %own : !fsm.ptr<f32>, i32
  fsm.store %sum, %dw_row[%offs], %mask : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
  fsm.return
}

// Of batch norm: sums of each column and of its squares.
fsm.kernel @statistics(%sums: !fsm.ptr<i32>, %squares: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %rows: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %width = arith.constant ${WIDE} : i32
  %zeros = arith.constant dense<0> : tensor<${WIDE}xi32>
  %r = fsm.range 0, ${WIDE} : tensor<${WIDE}xi32>
  %s, %q = scf.for %row = %first to %rows step %step iter_args(%sum = %zeros, %square = %zeros) -> (tensor<${WIDE}xi32>, tensor<${WIDE}xi32>) : i32 {
    %at = arith.muli %row, %width overflow<nsw> : i32
    %p = fsm.offset %in, %at : !fsm.ptr<i32>, i32
    %x = fsm.load %p[%r] : !fsm.ptr<i32>, tensor<${WIDE}xi32> -> tensor<${WIDE}xi32>
    %xx = arith.muli %x, %x : tensor<${WIDE}xi32>
    %next = arith.addi %sum, %x : tensor<${WIDE}xi32>
    %then = arith.addi %xx, %square : tensor<${WIDE}xi32>
    scf.yield %next, %then : tensor<${WIDE}xi32>, tensor<${WIDE}xi32>
  } {fsm.num_stages = 3 : i32, fsm.warp_groups = ${GROUPS} : i32}
  %own = arith.muli %first, %width overflow<nsw> : i32
  %s_row = fsm.offset %sums, %own : !fsm.ptr<i32>, i32
  fsm.store %s, %s_row[%r] : tensor<${WIDE}xi32>, !fsm.ptr<i32>, tensor<${WIDE}xi32>
  %q_row = fsm.offset %squares, %own : !fsm.ptr<i32>, i32
  fsm.store %q, %q_row[%r] : tensor<${WIDE}xi32>, !fsm.ptr<i32>, tensor<${WIDE}xi32>
  fsm.return
}

// From a constant on; a pointer and a block of offsets move on, and the sum begins at a number that is loaded.
fsm.kernel @counters(%out: !fsm.ptr<i32>, %a: !fsm.ptr<i32>, %n: i32) {
  %program = fsm.program_id x : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 4 : i32
  %steps = arith.constant dense<4> : tensor<64xi32>
  %width = arith.constant 64 : i32
  %first = arith.muli %program, %width overflow<nsw> : i32
  %row = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  %behind = fsm.offset %a, %width : !fsm.ptr<i32>, i32
  %init = fsm.load %behind : !fsm.ptr<i32> -> i32
  %r = fsm.range 0, 64 : tensor<64xi32>
  %start = fsm.splat %init : tensor<64xi32>
  %s, %p, %o = scf.for %i = %one to %n step %step iter_args(%sum = %start, %q = %a, %at = %r) -> (tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>) : i32 {
    %x = fsm.load %q[%at] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %numbers = fsm.splat %i : tensor<64xi32>
    %more = arith.addi %x, %sum : tensor<64xi32>
    %next = arith.addi %more, %numbers : tensor<64xi32>
    %q2 = fsm.offset %q, %width : !fsm.ptr<i32>, i32
    %at2 = arith.addi %steps, %at overflow<nsw> : tensor<64xi32>
    scf.yield %next, %q2, %at2 : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  } {fsm.warp_groups = ${GROUPS} : i32}
  fsm.store %s, %row[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// Each row is stored where it was loaded, with its maximum taken off, and what is stored behind the loop is read in front of it by nobody.
fsm.kernel @in_place(%a: !fsm.ptr<i64>, %out: !fsm.ptr<i64>, %rows: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %zeros = arith.constant dense<0> : tensor<128xi64>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %s = scf.for %row = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<128xi64>) : i32 {
    %at = arith.muli %row, %width overflow<nsw> : i32
    %p = fsm.offset %a, %at : !fsm.ptr<i64>, i32
    %x = fsm.load %p[%r] : !fsm.ptr<i64>, tensor<128xi32> -> tensor<128xi64>
    %most = fsm.reduce <max> %x axis 0 : tensor<128xi64> -> i64
    %mosts = fsm.splat %most : tensor<128xi64>
    %below = arith.subi %x, %mosts : tensor<128xi64>
    fsm.store %below, %p[%r] : tensor<128xi64>, !fsm.ptr<i64>, tensor<128xi32>
    %next = arith.addi %sum, %below : tensor<128xi64>
    scf.yield %next : tensor<128xi64>
  } {fsm.warp_groups = ${GROUPS} : i32}
  %first = fsm.load %a[%r] : !fsm.ptr<i64>, tensor<128xi32> -> tensor<128xi64>
  %both = arith.addi %s, %first : tensor<128xi64>
  fsm.store %both, %out[%r] : tensor<128xi64>, !fsm.ptr<i64>, tensor<128xi32>
  fsm.return
}

// Iterations that store over what others do, or may for all that is known, stay in their order.
fsm.kernel @over_another(%a: !fsm.ptr<i32>, %out: !fsm.ptr<i32>, %rows: i32, %stride: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %s = scf.for %row = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %at = arith.muli %row, %stride overflow<nsw> : i32
    %p = fsm.offset %a, %at : !fsm.ptr<i32>, i32
    %rows_of = fsm.splat %row : tensor<128xi32>
    %x = arith.addi %r, %rows_of : tensor<128xi32>
    %most = fsm.reduce <max> %x axis 0 : tensor<128xi32> -> i32
    %mosts = fsm.splat %most : tensor<128xi32>
    fsm.store %mosts, %p[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %next = arith.addi %sum, %x : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = ${GROUPS} : i32}
  fsm.store %s, %out[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// What is read in front of the loop is stored in it.
fsm.kernel @read_in_front(%a: !fsm.ptr<i32>, %out: !fsm.ptr<i32>, %rows: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %behind = fsm.offset %a, %width : !fsm.ptr<i32>, i32
  %first = fsm.load %behind[%r] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  %s = scf.for %row = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<128xi32>) : i32 {
    %at = arith.muli %row, %width overflow<nsw> : i32
    %p = fsm.offset %a, %at : !fsm.ptr<i32>, i32
    fsm.store %zeros, %p[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
    %next = arith.addi %sum, %first : tensor<128xi32>
    scf.yield %next : tensor<128xi32>
  } {fsm.warp_groups = ${GROUPS} : i32}
  fsm.store %s, %out[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}
