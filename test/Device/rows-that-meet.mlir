// Rows that a loop loads and stores, and that meet: what one iteration stores other threads load in the next one, or behind it.
// What is known of their places says nothing else: a mask that lets one element more through than rows are apart, a distance
// that is 0, a product that wraps and comes back four elements on, and rows that lie half in one another.
//
// RUN: %python -c "import numpy; x = numpy.arange(1024, dtype=numpy.int32); [numpy.add.at(x, slice(255 * i, 255 * i + 256), 1) for i in range(4)]; numpy.save(r'%t.bounded.npy', x)"
// RUN: %fsm_run %s --kernel=bounded --device=interp --no-specialize --grid=1 --arg=i32[1024]:arange --arg=255 --arg=255 --arg=4 --check=0:%t.bounded.npy
// RUN: %fsm_run %s --kernel=bounded --device=cpu --no-specialize --grid=1 --arg=i32[1024]:arange --arg=255 --arg=255 --arg=4 --check=0:%t.bounded.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --kernel=bounded --device=sim --num-warps=1 --no-specialize --grid=1 --arg=i32[1024]:arange --arg=255 --arg=255 --arg=4 --check=0:%t.bounded.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --kernel=bounded --device=sim --num-warps=4 --no-specialize --grid=1 --arg=i32[1024]:arange --arg=255 --arg=255 --arg=4 --check=0:%t.bounded.npy
// RUN: %python -c "import numpy; x = numpy.arange(1024, dtype=numpy.int32); x[:32] += 4; numpy.save(r'%t.unmoved.npy', x)"
// RUN: %fsm_run %s --kernel=unmoved --device=interp --no-specialize --grid=1 --arg=i32[1024]:arange --arg=0 --arg=256 --check=0:%t.unmoved.npy
// RUN: %fsm_run %s --kernel=unmoved --device=cpu --no-specialize --grid=1 --arg=i32[1024]:arange --arg=0 --arg=256 --check=0:%t.unmoved.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --kernel=unmoved --device=sim --num-warps=1 --no-specialize --grid=1 --arg=i32[1024]:arange --arg=0 --arg=256 --check=0:%t.unmoved.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --kernel=unmoved --device=sim --num-warps=4 --no-specialize --grid=1 --arg=i32[1024]:arange --arg=0 --arg=256 --check=0:%t.unmoved.npy
// RUN: %python -c "import numpy; x = numpy.arange(1024, dtype=numpy.int32); [numpy.add.at(x, slice(i, i + 128), 1) for i in (0, 4, 8)]; numpy.save(r'%t.around.npy', x)"
// RUN: %fsm_run %s --kernel=around --device=interp --no-specialize --grid=1 --arg=i32[1024]:arange --check=0:%t.around.npy
// RUN: %fsm_run %s --kernel=around --device=cpu --no-specialize --grid=1 --arg=i32[1024]:arange --check=0:%t.around.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --kernel=around --device=sim --num-warps=1 --no-specialize --grid=1 --arg=i32[1024]:arange --check=0:%t.around.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --kernel=around --device=sim --num-warps=4 --no-specialize --grid=1 --arg=i32[1024]:arange --check=0:%t.around.npy
// RUN: %python -c "import numpy; p = numpy.arange(1024, dtype=numpy.int32) * 0; p[32:288] = numpy.arange(32, 288); x = p[numpy.arange(8)[:, None] * 32 + numpy.arange(64)].reshape(-1); numpy.save(r'%t.halves.npy', x)"
// RUN: %fsm_run %s --kernel=halves --device=interp --no-specialize --grid=1 --arg=i32[512] --arg=i32[1024] --check=0:%t.halves.npy
// RUN: %fsm_run %s --kernel=halves --device=cpu --no-specialize --grid=1 --arg=i32[512] --arg=i32[1024] --check=0:%t.halves.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --kernel=halves --device=sim --num-warps=1 --no-specialize --grid=1 --arg=i32[512] --arg=i32[1024] --check=0:%t.halves.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --kernel=halves --device=sim --num-warps=4 --no-specialize --grid=1 --arg=i32[512] --arg=i32[1024] --check=0:%t.halves.npy

// The elements 0 to n of each row, which begin n apart.
fsm.kernel @bounded(%p: !fsm.ptr<i32>, %stride: i32, %n: i32, %rows: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %enough = arith.cmpi sge, %stride, %n : i32
  fsm.assume %enough
  %at = fsm.range 0, 256 : tensor<256xi32>
  %ones = arith.constant dense<1> : tensor<256xi32>
  %back = arith.constant dense<-1> : tensor<256xi32>
  %before = arith.addi %at, %back overflow<nsw> : tensor<256xi32>
  %ns = fsm.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %before, %ns : tensor<256xi32>
  scf.for %i = %zero to %rows step %one : i32 {
    %begin = arith.muli %i, %stride overflow<nsw> : i32
    %row = fsm.offset %p, %begin : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%at], %mask : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
    %y = arith.addi %x, %ones : tensor<256xi32>
    fsm.store %y, %row[%at], %mask : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  }
  fsm.return
}

// Four times the same row, of which several warps have a copy.
fsm.kernel @unmoved(%p: !fsm.ptr<i32>, %stride: i32, %trips: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %at = fsm.range 0, 32 : tensor<32xi32>
  %ones = arith.constant dense<1> : tensor<32xi32>
  scf.for %i = %zero to %trips step %step : i32 {
    %begin = arith.muli %i, %stride overflow<nsw> : i32
    %row = fsm.offset %p, %begin : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%at] : !fsm.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
    %y = arith.addi %x, %ones : tensor<32xi32>
    fsm.store %y, %row[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  }
  fsm.return
}

// Lines i and i + 1 of which each fourth is in the array, 2^30 + 1 elements apart: modulo 2^32 line 4 begins at 4.
fsm.kernel @around(%p: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %twelve = arith.constant 12 : i32
  %down = fsm.range 0, 2 : tensor<2xi32>
  %across = fsm.range 0, 128 : tensor<128xi32>
  %columns0 = fsm.expand_dims %across axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %columns = fsm.broadcast %columns0 : tensor<1x128xi32> -> tensor<2x128xi32>
  %ones = arith.constant dense<1> : tensor<2x128xi32>
  %three = arith.constant dense<3> : tensor<2xi32>
  %nothing = arith.constant dense<0> : tensor<2xi32>
  %factor = arith.constant dense<1073741825> : tensor<2xi32>
  scf.for %i = %zero to %twelve step %four : i32 {
    %is = fsm.splat %i : tensor<2xi32>
    %lines = arith.addi %down, %is overflow<nsw> : tensor<2xi32>
    %part = arith.andi %lines, %three : tensor<2xi32>
    %near = arith.cmpi eq, %part, %nothing : tensor<2xi32>
    %near0 = fsm.expand_dims %near axis 1 : tensor<2xi1> -> tensor<2x1xi1>
    %mask = fsm.broadcast %near0 : tensor<2x1xi1> -> tensor<2x128xi1>
    %far = arith.muli %lines, %factor : tensor<2xi32>
    %far0 = fsm.expand_dims %far axis 1 : tensor<2xi32> -> tensor<2x1xi32>
    %rows = fsm.broadcast %far0 : tensor<2x1xi32> -> tensor<2x128xi32>
    %places = arith.addi %rows, %columns overflow<nsw> : tensor<2x128xi32>
    %x = fsm.load %p[%places], %mask : !fsm.ptr<i32>, tensor<2x128xi32> -> tensor<2x128xi32>
    %y = arith.addi %x, %ones : tensor<2x128xi32>
    fsm.store %y, %p[%places], %mask : tensor<2x128xi32>, !fsm.ptr<i32>, tensor<2x128xi32>
  }
  fsm.return
}

// Rows of 64 that are 32 apart: the second half of each is stored, and all is loaded.
fsm.kernel @halves(%out: !fsm.ptr<i32>, %p: !fsm.ptr<i32>) {
  %down = fsm.range 0, 8 : tensor<8xi32>
  %across = fsm.range 0, 64 : tensor<64xi32>
  %pitch = arith.constant dense<32> : tensor<8x64xi32>
  %rows0 = fsm.expand_dims %down axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %rows = fsm.broadcast %rows0 : tensor<8x1xi32> -> tensor<8x64xi32>
  %columns0 = fsm.expand_dims %across axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = fsm.broadcast %columns0 : tensor<1x64xi32> -> tensor<8x64xi32>
  %begins = arith.muli %rows, %pitch overflow<nsw> : tensor<8x64xi32>
  %at = arith.addi %begins, %columns overflow<nsw> : tensor<8x64xi32>
  %half = arith.cmpi sge, %columns, %pitch : tensor<8x64xi32>
  fsm.store %at, %p[%at], %half : tensor<8x64xi32>, !fsm.ptr<i32>, tensor<8x64xi32>
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<8x64xi32> -> tensor<8x64xi32>
  %to = fsm.places strides [64, 1] : tensor<8x64xi32>
  fsm.store %x, %out[%to] : tensor<8x64xi32>, !fsm.ptr<i32>, tensor<8x64xi32>
  fsm.return
}
