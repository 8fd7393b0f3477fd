// A rank sort, written from the docs: each number of a row is held against each other one, and its rank is how many come before
// it. The row is broadcast along rows and along columns, and what is computed of it 64 x 64 times is never held as a whole.
// Whole numbers, of which many are equal, are held against NumPy's order.
// RUN: mkdir -p %t && cd %t && %python -c "import numpy as np; x = np.random.default_rng(3).integers(-9, 9, (5, 64)).astype('f4'); np.save('in', x); np.save('sorted', np.sort(x))"
// RUN: %fsm_run %s --device=interp --grid=5 --arg=f32[5x64] --arg=@%t/in.npy --check=out:%t/sorted.npy
// RUN: %fsm_run %s --device=cpu --grid=5 --arg=f32[5x64] --arg=@%t/in.npy --check=out:%t/sorted.npy
// RUN: %fsm_run %s --device=sim --grid=5 --arg=f32[5x64] --arg=@%t/in.npy --check=out:%t/sorted.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --strict --grid=5 --arg=f32[5x64] --arg=@%t/in.npy --check=out:%t/sorted.npy
fsm.kernel @rank_sort(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %width = arith.constant 64 : i32
  %begin = arith.muli %pid, %width : i32
  %row = fsm.offset %in, %begin : !fsm.ptr<f32>, i32
  %sorted = fsm.offset %out, %begin : !fsm.ptr<f32>, i32
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %row[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %x1 = fsm.expand_dims %x axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %x0 = fsm.expand_dims %x axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %mine = fsm.broadcast %x1 : tensor<64x1xf32> -> tensor<64x64xf32>
  %others = fsm.broadcast %x0 : tensor<1x64xf32> -> tensor<64x64xf32>
  %i1 = fsm.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %i0 = fsm.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %my_place = fsm.broadcast %i1 : tensor<64x1xi32> -> tensor<64x64xi32>
  %their_place = fsm.broadcast %i0 : tensor<1x64xi32> -> tensor<64x64xi32>
  %less = arith.cmpf olt, %others, %mine : tensor<64x64xf32>
  %equal = arith.cmpf oeq, %others, %mine : tensor<64x64xf32>
  %first = arith.cmpi slt, %their_place, %my_place : tensor<64x64xi32>
  %tie = arith.andi %equal, %first : tensor<64x64xi1>
  %before = arith.ori %less, %tie : tensor<64x64xi1>
  %one = arith.extui %before : tensor<64x64xi1> to tensor<64x64xi32>
  %rank = fsm.reduce <sum> %one axis 1 : tensor<64x64xi32> -> tensor<64xi32>
  fsm.store %x, %sorted[%rank] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
