// The sum of -0 alone is -0, whatever fills the threads that have none of it: rows and blocks of extents that are no powers of two.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.full(16, -2**31, numpy.int32)); numpy.save(r'%t.in.npy', numpy.full(165, -0.0, numpy.float32))"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --grid=1 --arg=i32[16] --arg=@%t.in.npy --check=0:%t.npy

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
