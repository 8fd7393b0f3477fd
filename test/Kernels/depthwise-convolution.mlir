// Depthwise convolution by SIZE x SIZE weights of each channel, with zeros around the image: out[c, y, x] is the sum of
// weights[c, i, j] in[c, y + i - HALF, x + j - HALF]. One program does ROWS x COLS points of a channel. Grid: tiles across, tiles
// down, channels.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=depthwise-convolution
//
// param ROWS = 8
// param COLS = 32
// param SIZE = 3
// param HALF = 1

!ints = tensor<${ROWS}x${COLS}xi32>
!mask = tensor<${ROWS}x${COLS}xi1>
!tile = tensor<${ROWS}x${COLS}xf32>

func.func private @inside(%y: !ints, %x: !ints, %height: i32, %width: i32) -> !mask {
  // A number below zero is a large one without a sign.
  %heights = fsm.splat %height : !ints
  %widths = fsm.splat %width : !ints
  %in_rows = arith.cmpi ult, %y, %heights : !ints
  %in_columns = arith.cmpi ult, %x, %widths : !ints
  %mask = arith.andi %in_rows, %in_columns : !mask
  func.return %mask : !mask
}

func.func private @places(%y: !ints, %x: !ints, %width: i32) -> !ints {
  %widths = fsm.splat %width : !ints
  %down = arith.muli %y, %widths overflow<nsw> : !ints
  %offs = arith.addi %down, %x overflow<nsw> : !ints
  func.return %offs : !ints
}

fsm.kernel @convolution(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %weights: !fsm.ptr<f32>, %height: i32, %width: i32) {
  %px = fsm.program_id x : i32
  %py = fsm.program_id y : i32
  %channel = fsm.program_id z : i32
  %rows = arith.constant ${ROWS} : i32
  %cols = arith.constant ${COLS} : i32
  %y_first = arith.muli %py, %rows overflow<nsw> : i32
  %x_first = arith.muli %px, %cols overflow<nsw> : i32
  %ry = fsm.range 0, ${ROWS} : tensor<${ROWS}xi32>
  %rx = fsm.range 0, ${COLS} : tensor<${COLS}xi32>
  %ry1 = fsm.expand_dims %ry axis 1 : tensor<${ROWS}xi32> -> tensor<${ROWS}x1xi32>
  %rx1 = fsm.expand_dims %rx axis 0 : tensor<${COLS}xi32> -> tensor<1x${COLS}xi32>
  %ry2 = fsm.broadcast %ry1 : tensor<${ROWS}x1xi32> -> !ints
  %rx2 = fsm.broadcast %rx1 : tensor<1x${COLS}xi32> -> !ints
  %y_firsts = fsm.splat %y_first : !ints
  %x_firsts = fsm.splat %x_first : !ints
  %y = arith.addi %ry2, %y_firsts overflow<nsw> : !ints
  %x = arith.addi %rx2, %x_firsts overflow<nsw> : !ints
  %area = arith.muli %height, %width overflow<nsw> : i32
  %image = arith.muli %channel, %area overflow<nsw> : i32
  %from = fsm.offset %in, %image : !fsm.ptr<f32>, i32
  %to = fsm.offset %out, %image : !fsm.ptr<f32>, i32

  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant ${SIZE} : i32
  %half = arith.constant ${HALF} : i32
  %taps = arith.constant dense<0.0> : !tile
  %first_weight = arith.muli %channel, %size overflow<nsw> : i32
  %sum = scf.for %i = %none to %size step %one iter_args(%sum0 = %taps) -> (!tile) : i32 {
    %row_sum = scf.for %j = %none to %size step %one iter_args(%sum1 = %sum0) -> (!tile) : i32 {
      %up = arith.subi %i, %half : i32
      %left = arith.subi %j, %half : i32
      %ups = fsm.splat %up : !ints
      %lefts = fsm.splat %left : !ints
      %yy = arith.addi %y, %ups overflow<nsw> : !ints
      %xx = arith.addi %x, %lefts overflow<nsw> : !ints
      %mask = func.call @inside(%yy, %xx, %height, %width) : (!ints, !ints, i32, i32) -> !mask
      %offs = func.call @places(%yy, %xx, %width) : (!ints, !ints, i32) -> !ints
      %points = fsm.load %from[%offs], %mask : !fsm.ptr<f32>, !ints -> !tile
      %line = arith.addi %first_weight, %i overflow<nsw> : i32
      %line_first = arith.muli %line, %size overflow<nsw> : i32
      %place = arith.addi %line_first, %j overflow<nsw> : i32
      %weight_at = fsm.offset %weights, %place : !fsm.ptr<f32>, i32
      %weight = fsm.load %weight_at : !fsm.ptr<f32> -> f32
      %weight_block = fsm.splat %weight : !tile
      %next = math.fma %points, %weight_block, %sum1 : !tile
      scf.yield %next : !tile
    }
    scf.yield %row_sum : !tile
  }
  %mask = func.call @inside(%y, %x, %height, %width) : (!ints, !ints, i32, i32) -> !mask
  %offs = func.call @places(%y, %x, %width) : (!ints, !ints, i32) -> !ints
  fsm.store %sum, %to[%offs], %mask : !tile, !fsm.ptr<f32>, !ints
  fsm.return
}
