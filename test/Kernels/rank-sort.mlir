// A rank sort of rows of 64: each number of a row is held against each other one, and its rank is how many come before
// it. The row is broadcast along rows and along columns, and what is computed of it 64 x 64 times is never held as a whole.
// Equal ones are ranked by their place. Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=rank-sort
// RUN: %fsm_run %s --device=sim --num-warps=1 --strict --grid=5 --arg=f32[5x64] --arg=f32[5x64]:randn:3 --compare=interp

fsm.kernel @rank_sort(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %width = arith.constant 64 : i32
  %begin = arith.muli %pid, %width overflow<nsw> : i32
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
