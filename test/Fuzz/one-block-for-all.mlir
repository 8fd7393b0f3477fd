// Reductions and scans of one block for all that they combine, of a row that a GPU walks piece by piece: what has been found of
// each is a block of its own, and all were taken for the last (seed 20263619).
//
// RUN: %fsm_run %s --kernel=reduced --device=sim --compare=interp --grid=1 --arg=i64[3]
// RUN: %fsm_run %s --kernel=reduced -D N=70 -D PIECE=16 --device=sim --compare=interp --grid=1 --arg=i64[3]
// RUN: %fsm_run %s --kernel=scanned --device=sim --compare=interp --grid=1 --arg=i32[1537] --arg=i32[1537] --arg=i32[1537]:uniform:7
// RUN: %fsm_run %s --kernel=scanned -D N=70 -D PIECE=16 --device=sim --compare=interp --grid=1 --arg=i32[70] --arg=i32[70] --arg=i32[70]:uniform:7
//
// param N = 1537
// param PIECE = 256
fsm.kernel @reduced(%out: !fsm.ptr<i64>) attributes {num_warps = 1 : i32, fsm.piece = ${PIECE} : i32} {
  %x = arith.constant dense<9223372036854775807> : tensor<${N}xi64>
  %all:3 = fsm.reduce_with %x, %x, %x axis 0 : tensor<${N}xi64>, tensor<${N}xi64>, tensor<${N}xi64> -> i64, i64, i64 {
  ^bb0(%a0: i64, %a1: i64, %a2: i64, %b0: i64, %b1: i64, %b2: i64):
    %most = arith.maxsi %a0, %b0 : i64
    %sum = arith.addi %a1, %b1 : i64
    %product = arith.muli %a2, %b2 : i64
    fsm.yield %most, %sum, %product : i64, i64, i64
  }
  %one = arith.constant 1 : i32
  %second = fsm.offset %out, %one : !fsm.ptr<i64>, i32
  %third = fsm.offset %second, %one : !fsm.ptr<i64>, i32
  fsm.store %all#0, %out : i64, !fsm.ptr<i64>
  fsm.store %all#1, %second : i64, !fsm.ptr<i64>
  fsm.store %all#2, %third : i64, !fsm.ptr<i64>
  fsm.return
}

// From both ends, so that what is ahead of each piece is found first.
fsm.kernel @scanned(%most: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %in: !fsm.ptr<i32> {fsm.noalias})
    attributes {num_warps = 1 : i32, fsm.piece = ${PIECE} : i32} {
  %at = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<${N}xi32> -> tensor<${N}xi32>
  %ahead:2 = fsm.scan_with %x, %x axis 0 reverse : tensor<${N}xi32>, tensor<${N}xi32> {
  ^bb0(%a0: i32, %a1: i32, %b0: i32, %b1: i32):
    %m = arith.maxsi %a0, %b0 : i32
    %s = arith.addi %a1, %b1 : i32
    fsm.yield %m, %s : i32, i32
  }
  %past:2 = fsm.scan_with %x, %x axis 0 : tensor<${N}xi32>, tensor<${N}xi32> {
  ^bb0(%a0: i32, %a1: i32, %b0: i32, %b1: i32):
    %m = arith.minsi %a0, %b0 : i32
    %s = arith.addi %a1, %b1 : i32
    fsm.yield %m, %s : i32, i32
  }
  %span = arith.subi %ahead#0, %past#0 : tensor<${N}xi32>
  %sum = arith.xori %ahead#1, %past#1 : tensor<${N}xi32>
  fsm.store %span, %most[%at] : tensor<${N}xi32>, !fsm.ptr<i32>, tensor<${N}xi32>
  fsm.store %sum, %sums[%at] : tensor<${N}xi32>, !fsm.ptr<i32>, tensor<${N}xi32>
  fsm.return
}
