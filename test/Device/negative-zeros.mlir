// The sum of -0 alone is -0, whatever fills the threads that have none of it: rows and blocks of extents that are no powers of two.
// So is what no product is added to, behind a loop of products.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.full(16, -2**31, numpy.int32)); numpy.save(r'%t.in.npy', numpy.full(165, -0.0, numpy.float32))"
// RUN: %fsm_run %s --kernel=sums --device=interp --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --kernel=sums --device=cpu --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --kernel=sums --device=sim --num-warps=1 --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --kernel=sums --device=sim --num-warps=4 --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy

fsm.kernel @sums(%out: !fsm.ptr<i32>, %in: !fsm.ptr<f32>) {
  %flat = fsm.range 0, 165 : tensor<165xi32>
  %line = fsm.load %in[%flat] : !fsm.ptr<f32>, tensor<165xi32> -> tensor<165xf32>
  %all = fsm.reduce <sum> %line axis 0 : tensor<165xf32> -> f32
  %bits = arith.bitcast %all : f32 to i32
  fsm.store %bits, %out : i32, !fsm.ptr<i32>
  %rows = fsm.reshape %line : tensor<165xf32> -> tensor<15x11xf32>
  %sums = fsm.reduce <sum> %rows axis 1 : tensor<15x11xf32> -> tensor<15xf32>
  %words = arith.bitcast %sums : tensor<15xf32> to tensor<15xi32>
  %behind = fsm.range 1, 16 : tensor<15xi32>
  fsm.store %words, %out[%behind] : tensor<15xi32>, !fsm.ptr<i32>, tensor<15xi32>
  fsm.return
}

// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.full(256, -2**31, numpy.int32)); numpy.save(r'%t.in.npy', numpy.full(256, -0.0, numpy.float32))"
// RUN: %fsm_run %s --kernel=products --device=interp --grid=1 --arg=i32[256] --arg=@%t.in.npy --arg=0 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=products --device=cpu --grid=1 --arg=i32[256] --arg=@%t.in.npy --arg=0 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=products --device=sim --num-warps=1 --grid=1 --arg=i32[256] --arg=@%t.in.npy --arg=0 --check=0:%t.npy

fsm.kernel @products(%out: !fsm.ptr<i32>, %in: !fsm.ptr<f32>, %n: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %at = fsm.places strides [16, 1] : tensor<16x16xi32>
  %begin = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %sums = scf.for %i = %none to %n step %step iter_args(%sum = %begin) -> (tensor<16x16xf32>) : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%at] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
    %next = fsm.dot %x, %x, %sum precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  } {fsm.num_stages = 2 : i32}
  %words = arith.bitcast %sums : tensor<16x16xf32> to tensor<16x16xi32>
  fsm.store %words, %out[%at] : tensor<16x16xi32>, !fsm.ptr<i32>, tensor<16x16xi32>
  fsm.return
}
