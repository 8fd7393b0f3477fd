// Squares that are walked in pieces of their rows or of their columns, which are counted alike: elements that indices name along either
// dimension, less what is left of a sum along either. What they name along both, a GPU refuses.
//
// DEFINE: %{run} = %fsm_run %s --grid=1 --arg=i32[64]:arange --arg=i32[8] --arg=i32[64] --check=1:%t.sums.npy --check=2:%t.all.npy
//
// RUN: %python %S/Inputs/squares.py along %t
// RUN: %{run} --kernel=along --device=cpu
// RUN: %{run} --kernel=along --device=sim
// RUN: %python %S/Inputs/squares.py down %t
// RUN: %{run} --kernel=down --device=cpu
// RUN: %{run} --kernel=down --device=sim
// RUN: %python %S/Inputs/squares.py both %t
// RUN: %{run} --kernel=both --device=cpu
// RUN: not %{run} --kernel=both --device=sim 2>&1 | FileCheck %s
// CHECK: error: a block of more than 4 elements cannot be walked piece by piece: it needs more of a block than a piece

// Rows are walked.
fsm.kernel @along(%in: !fsm.ptr<i32> {fsm.noalias}, %sums: !fsm.ptr<i32> {fsm.noalias}, %out: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %i = fsm.range 0, 8 : tensor<8xi32>
  %rows = fsm.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %row = fsm.broadcast %rows : tensor<8x1xi32> -> tensor<8x8xi32>
  %column = fsm.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %eight = arith.constant dense<8> : tensor<8x8xi32>
  %seven = arith.constant dense<7> : tensor<8x8xi32>
  %begin = arith.muli %row, %eight : tensor<8x8xi32>
  %at = arith.addi %begin, %column : tensor<8x8xi32>
  %x0 = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  // Another one in each line.
  %turned = arith.muli %row, %column : tensor<8x8xi32>
  %places = arith.subi %seven, %column : tensor<8x8xi32>
  %sum = arith.addi %places, %turned : tensor<8x8xi32>
  %which = arith.andi %sum, %seven : tensor<8x8xi32>
  %x1 = fsm.gather %x0[%which] axis 1 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %square = arith.muli %x1, %x1 : tensor<8x8xi32>
  %left = fsm.reduce <sum> %square axis 1 : tensor<8x8xi32> -> tensor<8xi32>
  %line = fsm.expand_dims %left axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %lines = fsm.broadcast %line : tensor<8x1xi32> -> tensor<8x8xi32>
  %all = arith.subi %x1, %lines : tensor<8x8xi32>
  fsm.store %all, %out[%at] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  fsm.store %left, %sums[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// Columns are.
fsm.kernel @down(%in: !fsm.ptr<i32> {fsm.noalias}, %sums: !fsm.ptr<i32> {fsm.noalias}, %out: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %i = fsm.range 0, 8 : tensor<8xi32>
  %rows = fsm.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %row = fsm.broadcast %rows : tensor<8x1xi32> -> tensor<8x8xi32>
  %column = fsm.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %eight = arith.constant dense<8> : tensor<8x8xi32>
  %seven = arith.constant dense<7> : tensor<8x8xi32>
  %begin = arith.muli %row, %eight : tensor<8x8xi32>
  %at = arith.addi %begin, %column : tensor<8x8xi32>
  %x0 = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  // Another one in each line.
  %turned = arith.muli %row, %column : tensor<8x8xi32>
  %places = arith.subi %seven, %column : tensor<8x8xi32>
  %sum = arith.addi %places, %turned : tensor<8x8xi32>
  %which = arith.andi %sum, %seven : tensor<8x8xi32>
  %x1 = fsm.gather %x0[%which] axis 0 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %square = arith.muli %x1, %x1 : tensor<8x8xi32>
  %left = fsm.reduce <sum> %square axis 0 : tensor<8x8xi32> -> tensor<8xi32>
  %line = fsm.expand_dims %left axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %lines = fsm.broadcast %line : tensor<1x8xi32> -> tensor<8x8xi32>
  %all = arith.subi %x1, %lines : tensor<8x8xi32>
  fsm.store %all, %out[%at] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  fsm.store %left, %sums[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// Neither are, for any piece may be asked for what another one has.
fsm.kernel @both(%in: !fsm.ptr<i32> {fsm.noalias}, %sums: !fsm.ptr<i32> {fsm.noalias}, %out: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %i = fsm.range 0, 8 : tensor<8xi32>
  %rows = fsm.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %row = fsm.broadcast %rows : tensor<8x1xi32> -> tensor<8x8xi32>
  %column = fsm.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %eight = arith.constant dense<8> : tensor<8x8xi32>
  %seven = arith.constant dense<7> : tensor<8x8xi32>
  %begin = arith.muli %row, %eight : tensor<8x8xi32>
  %at = arith.addi %begin, %column : tensor<8x8xi32>
  %x0 = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  // Another one in each line.
  %turned = arith.muli %row, %column : tensor<8x8xi32>
  %places = arith.subi %seven, %column : tensor<8x8xi32>
  %sum = arith.addi %places, %turned : tensor<8x8xi32>
  %which = arith.andi %sum, %seven : tensor<8x8xi32>
  %x1 = fsm.gather %x0[%which] axis 1 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %x2 = fsm.gather %x1[%which] axis 0 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %square = arith.muli %x2, %x2 : tensor<8x8xi32>
  %left = fsm.reduce <sum> %square axis 1 : tensor<8x8xi32> -> tensor<8xi32>
  %line = fsm.expand_dims %left axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %lines = fsm.broadcast %line : tensor<8x1xi32> -> tensor<8x8xi32>
  %all = arith.subi %x2, %lines : tensor<8x8xi32>
  fsm.store %all, %out[%at] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  fsm.store %left, %sums[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}
