// Loops that CTAs share, of sums that are no products: terms of integers and of floats that may be added in any order, counters that are
// numbers, pointers and blocks, sums that begin at something, and iterations for some CTAs only. What is stored over what was loaded they do
// not share.

// DEFINE: %{ctas} = 2
// DEFINE: %{run} = %fsm_run %s --device=sim -D CTAS=%{ctas} --compare=interp
// RUN: %{run} --kernel=counters --grid=3 --arg=f32[64] --arg=f32[4096]:arange --arg=33
// RUN: %{run} --kernel=counters --grid=3 --arg=f32[64] --arg=f32[4096]:arange --arg=1
// RUN: %{run} --kernel=counters --grid=3 --arg=f32[64] --arg=f32[4096]:arange --arg=2
// RUN: %{run} --kernel=columns --grid=2 --arg=i32[512]:arange --arg=i32[12800]:arange --arg=50
// RUN: %{run} --kernel=columns --grid=2 --arg=i32[512]:arange --arg=i32[12800]:arange --arg=3
// RUN: %{run} --kernel=in_place --grid=2 --arg=i64[4096]:arange --arg=16
// REDEFINE: %{ctas} = 8
// RUN: %{run} --kernel=counters --grid=3 --arg=f32[64] --arg=f32[4096]:arange --arg=33
// RUN: %{run} --kernel=columns --grid=2 --arg=i32[512]:arange --arg=i32[12800]:arange --arg=50 --num-warps=8
// RUN: %{run} --kernel=in_place --grid=2 --arg=i64[4096]:arange --arg=16 --num-warps=1
// RUN: env FSM_SIMULATOR=seed=3,landing=2,global_races=2 %{run} --kernel=in_place --grid=2 --arg=i64[4096]:arange --arg=16
// RUN: %{run} --kernel=odd --grid=1 -D T=i16 -D N=64 --arg=i16[64] --arg=i16[640]:arange --arg=10
// RUN: %{run} --kernel=odd --grid=1 -D T=i32 -D N=48 --arg=i32[48] --arg=i32[480]:arange --arg=10
// RUN: %{run} --kernel=odd --grid=1 -D T=i64 -D N=1 --arg=i64[1] --arg=i64[10]:arange --arg=10
// RUN: %fsm_run %s --device=cpu -D CTAS=4 --kernel=columns --compare=interp --grid=2 --arg=i32[512]:arange --arg=i32[12800]:arange --arg=50

// RUN: %fsm_run %s --device=sim -D CTAS=4 --remarks --kernel=columns --grid=2 --arg=i32[512]:arange --arg=i32[12800]:arange --arg=50 2>&1 | FileCheck %s
// CHECK: remark: 4 ctas share this loop: 'fsm.split' says so
// RUN: %fsm_run %s --device=sim -D CTAS=4 --remarks --kernel=counters --grid=3 --arg=f32[64] --arg=f32[4096]:arange --arg=33 2>&1 | FileCheck %s
// RUN: %fsm_run %s --device=sim -D CTAS=4 --remarks --kernel=in_place --grid=2 --arg=i64[4096]:arange --arg=16 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: remark: one cta runs all of this loop: the kernel may write what 'fsm.load' reads, while other ctas read it

// param CTAS = 2
// param N = 48
// param T = i32

// A pointer and a block of offsets move on; the sum begins at a number that is loaded.
fsm.kernel @counters(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %n: i32) {
  %program = fsm.program_id x : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 4 : i32
  %steps = arith.constant dense<4> : tensor<16xi32>
  %width = arith.constant 16 : i32
  %first = arith.muli %program, %width overflow<nsw> : i32
  %row = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %init = fsm.load %a : !fsm.ptr<f32> -> f32
  %r = fsm.range 0, 16 : tensor<16xi32>
  %start = fsm.splat %init : tensor<16xf32>
  %s, %p, %o = scf.for %i = %one to %n step %step iter_args(%sum = %start, %q = %a, %at = %r) -> (tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>) : i32 {
    %x = fsm.load %q[%at] : !fsm.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
    %numbers = fsm.splat %i : tensor<16xi32>
    %floats = arith.sitofp %numbers : tensor<16xi32> to tensor<16xf32>
    %more = arith.addf %x, %sum fastmath<reassoc> : tensor<16xf32>
    %next = arith.addf %more, %floats fastmath<reassoc> : tensor<16xf32>
    %q2 = fsm.offset %q, %width : !fsm.ptr<f32>, i32
    %at2 = arith.addi %steps, %at overflow<nsw> : tensor<16xi32>
    scf.yield %next, %q2, %at2 : tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>
  } {fsm.split = ${CTAS} : i32}
  fsm.store %s, %row[%r] : tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>
  fsm.return
}

// Two sums of each column of rows, which run ahead.
fsm.kernel @columns(%out: !fsm.ptr<i32>, %a: !fsm.ptr<i32>, %rows: i32) {
  %program = fsm.program_id x : i32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %stride = arith.constant 256 : i32
  %first = arith.muli %program, %width overflow<nsw> : i32
  %columns = fsm.offset %a, %first : !fsm.ptr<i32>, i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %sums, %squares = scf.for %i = %none to %rows step %one iter_args(%sum = %zeros, %square = %r) -> (tensor<128xi32>, tensor<128xi32>) : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %row = fsm.offset %columns, %at : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%r] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %y = arith.muli %x, %x : tensor<128xi32>
    %next = arith.addi %sum, %x : tensor<128xi32>
    %then = arith.addi %y, %square : tensor<128xi32>
    scf.yield %next, %then : tensor<128xi32>, tensor<128xi32>
  } {fsm.num_stages = 3 : i32, fsm.split = ${CTAS} : i32}
  %of_program = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %sums, %of_program[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  %behind = fsm.offset %of_program, %stride : !fsm.ptr<i32>, i32
  fsm.store %squares, %behind[%r] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

// The sum of a program's rows is stored over the first of them.
fsm.kernel @in_place(%a: !fsm.ptr<i64>, %rows: i32) {
  %program = fsm.program_id x : i32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %of_program = arith.constant 2048 : i32
  %first = arith.muli %program, %of_program overflow<nsw> : i32
  %own = fsm.offset %a, %first : !fsm.ptr<i64>, i32
  %r = fsm.range 0, 128 : tensor<128xi32>
  %zeros = arith.constant dense<0> : tensor<128xi64>
  %sums = scf.for %i = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<128xi64>) : i32 {
    %at = arith.muli %i, %width overflow<nsw> : i32
    %row = fsm.offset %own, %at : !fsm.ptr<i64>, i32
    %x = fsm.load %row[%r] : !fsm.ptr<i64>, tensor<128xi32> -> tensor<128xi64>
    %next = arith.addi %sum, %x : tensor<128xi64>
    scf.yield %next : tensor<128xi64>
  } {fsm.split = ${CTAS} : i32}
  fsm.store %sums, %own[%r] : tensor<128xi64>, !fsm.ptr<i64>, tensor<128xi32>
  fsm.return
}

// Sums of few bytes, and as many as no power of two: what CTAs cannot hand to one another one of them adds up.
fsm.kernel @odd(%out: !fsm.ptr<${T}> {fsm.noalias}, %a: !fsm.ptr<${T}> {fsm.noalias}, %rows: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %stride = arith.constant ${N} : i32
  %r = fsm.range 0, ${N} : tensor<${N}xi32>
  %zeros = arith.constant dense<0> : tensor<${N}x${T}>
  %sums = scf.for %i = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<${N}x${T}>) : i32 {
    %at = arith.muli %i, %stride overflow<nsw> : i32
    %row = fsm.offset %a, %at : !fsm.ptr<${T}>, i32
    %x = fsm.load %row[%r] : !fsm.ptr<${T}>, tensor<${N}xi32> -> tensor<${N}x${T}>
    %next = arith.addi %sum, %x : tensor<${N}x${T}>
    scf.yield %next : tensor<${N}x${T}>
  } {fsm.split = ${CTAS} : i32}
  fsm.store %sums, %out[%r] : tensor<${N}x${T}>, !fsm.ptr<${T}>, tensor<${N}xi32>
  fsm.return
}
