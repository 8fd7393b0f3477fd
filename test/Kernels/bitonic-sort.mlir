// A bitonic sort of rows of 64 (Batcher, "Sorting networks and their applications", 1968), by reshapes: elements DISTANCE apart
// come side by side when the row is looked at as (64 / 2 DISTANCE) x 2 x DISTANCE and the middle goes last; a split gives both
// as blocks, the lesser and the greater go back. Runs of SIZE elements are sorted upwards where the bit SIZE of their place is
// zero, else downwards. Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=bitonic-sort

func.func private @exchange_32(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<1x2x32xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<1x2x32xf32> -> tensor<1x32x2xf32>
  %first, %second = fsm.split %turned : tensor<1x32x2xf32> -> tensor<1x32xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<1x2x32xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<1x2x32xi32> -> tensor<1x32x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<1x32x2xi32> -> tensor<1x32xi32>
  %sizes = fsm.splat %size : tensor<1x32xi32>
  %bit = arith.andi %first_place, %sizes : tensor<1x32xi32>
  %zeros = arith.constant dense<0> : tensor<1x32xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<1x32xi32>
  %less = arith.minimumf %first, %second : tensor<1x32xf32>
  %more = arith.maximumf %first, %second : tensor<1x32xf32>
  %new_first = arith.select %up, %less, %more : tensor<1x32xi1>, tensor<1x32xf32>
  %new_second = arith.select %up, %more, %less : tensor<1x32xi1>, tensor<1x32xf32>
  %joined = fsm.join %new_first, %new_second : tensor<1x32xf32> -> tensor<1x32x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<1x32x2xf32> -> tensor<1x2x32xf32>
  %result = fsm.reshape %back : tensor<1x2x32xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

func.func private @exchange_16(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<2x2x16xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<2x2x16xf32> -> tensor<2x16x2xf32>
  %first, %second = fsm.split %turned : tensor<2x16x2xf32> -> tensor<2x16xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<2x2x16xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<2x2x16xi32> -> tensor<2x16x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<2x16x2xi32> -> tensor<2x16xi32>
  %sizes = fsm.splat %size : tensor<2x16xi32>
  %bit = arith.andi %first_place, %sizes : tensor<2x16xi32>
  %zeros = arith.constant dense<0> : tensor<2x16xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<2x16xi32>
  %less = arith.minimumf %first, %second : tensor<2x16xf32>
  %more = arith.maximumf %first, %second : tensor<2x16xf32>
  %new_first = arith.select %up, %less, %more : tensor<2x16xi1>, tensor<2x16xf32>
  %new_second = arith.select %up, %more, %less : tensor<2x16xi1>, tensor<2x16xf32>
  %joined = fsm.join %new_first, %new_second : tensor<2x16xf32> -> tensor<2x16x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<2x16x2xf32> -> tensor<2x2x16xf32>
  %result = fsm.reshape %back : tensor<2x2x16xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

func.func private @exchange_8(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<4x2x8xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<4x2x8xf32> -> tensor<4x8x2xf32>
  %first, %second = fsm.split %turned : tensor<4x8x2xf32> -> tensor<4x8xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<4x2x8xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<4x2x8xi32> -> tensor<4x8x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<4x8x2xi32> -> tensor<4x8xi32>
  %sizes = fsm.splat %size : tensor<4x8xi32>
  %bit = arith.andi %first_place, %sizes : tensor<4x8xi32>
  %zeros = arith.constant dense<0> : tensor<4x8xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<4x8xi32>
  %less = arith.minimumf %first, %second : tensor<4x8xf32>
  %more = arith.maximumf %first, %second : tensor<4x8xf32>
  %new_first = arith.select %up, %less, %more : tensor<4x8xi1>, tensor<4x8xf32>
  %new_second = arith.select %up, %more, %less : tensor<4x8xi1>, tensor<4x8xf32>
  %joined = fsm.join %new_first, %new_second : tensor<4x8xf32> -> tensor<4x8x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<4x8x2xf32> -> tensor<4x2x8xf32>
  %result = fsm.reshape %back : tensor<4x2x8xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

func.func private @exchange_4(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<8x2x4xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<8x2x4xf32> -> tensor<8x4x2xf32>
  %first, %second = fsm.split %turned : tensor<8x4x2xf32> -> tensor<8x4xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<8x2x4xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<8x2x4xi32> -> tensor<8x4x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<8x4x2xi32> -> tensor<8x4xi32>
  %sizes = fsm.splat %size : tensor<8x4xi32>
  %bit = arith.andi %first_place, %sizes : tensor<8x4xi32>
  %zeros = arith.constant dense<0> : tensor<8x4xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<8x4xi32>
  %less = arith.minimumf %first, %second : tensor<8x4xf32>
  %more = arith.maximumf %first, %second : tensor<8x4xf32>
  %new_first = arith.select %up, %less, %more : tensor<8x4xi1>, tensor<8x4xf32>
  %new_second = arith.select %up, %more, %less : tensor<8x4xi1>, tensor<8x4xf32>
  %joined = fsm.join %new_first, %new_second : tensor<8x4xf32> -> tensor<8x4x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<8x4x2xf32> -> tensor<8x2x4xf32>
  %result = fsm.reshape %back : tensor<8x2x4xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

func.func private @exchange_2(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<16x2x2xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<16x2x2xf32> -> tensor<16x2x2xf32>
  %first, %second = fsm.split %turned : tensor<16x2x2xf32> -> tensor<16x2xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<16x2x2xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<16x2x2xi32> -> tensor<16x2x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<16x2x2xi32> -> tensor<16x2xi32>
  %sizes = fsm.splat %size : tensor<16x2xi32>
  %bit = arith.andi %first_place, %sizes : tensor<16x2xi32>
  %zeros = arith.constant dense<0> : tensor<16x2xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<16x2xi32>
  %less = arith.minimumf %first, %second : tensor<16x2xf32>
  %more = arith.maximumf %first, %second : tensor<16x2xf32>
  %new_first = arith.select %up, %less, %more : tensor<16x2xi1>, tensor<16x2xf32>
  %new_second = arith.select %up, %more, %less : tensor<16x2xi1>, tensor<16x2xf32>
  %joined = fsm.join %new_first, %new_second : tensor<16x2xf32> -> tensor<16x2x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<16x2x2xf32> -> tensor<16x2x2xf32>
  %result = fsm.reshape %back : tensor<16x2x2xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

func.func private @exchange_1(%x: tensor<64xf32>, %size: i32) -> tensor<64xf32> {
  %cut = fsm.reshape %x : tensor<64xf32> -> tensor<32x2x1xf32>
  %turned = fsm.transpose %cut order [0, 2, 1] : tensor<32x2x1xf32> -> tensor<32x1x2xf32>
  %first, %second = fsm.split %turned : tensor<32x1x2xf32> -> tensor<32x1xf32>
  %place = fsm.range 0, 64 : tensor<64xi32>
  %place1 = fsm.reshape %place : tensor<64xi32> -> tensor<32x2x1xi32>
  %place2 = fsm.transpose %place1 order [0, 2, 1] : tensor<32x2x1xi32> -> tensor<32x1x2xi32>
  %first_place, %second_place = fsm.split %place2 : tensor<32x1x2xi32> -> tensor<32x1xi32>
  %sizes = fsm.splat %size : tensor<32x1xi32>
  %bit = arith.andi %first_place, %sizes : tensor<32x1xi32>
  %zeros = arith.constant dense<0> : tensor<32x1xi32>
  %up = arith.cmpi eq, %bit, %zeros : tensor<32x1xi32>
  %less = arith.minimumf %first, %second : tensor<32x1xf32>
  %more = arith.maximumf %first, %second : tensor<32x1xf32>
  %new_first = arith.select %up, %less, %more : tensor<32x1xi1>, tensor<32x1xf32>
  %new_second = arith.select %up, %more, %less : tensor<32x1xi1>, tensor<32x1xf32>
  %joined = fsm.join %new_first, %new_second : tensor<32x1xf32> -> tensor<32x1x2xf32>
  %back = fsm.transpose %joined order [0, 2, 1] : tensor<32x1x2xf32> -> tensor<32x2x1xf32>
  %result = fsm.reshape %back : tensor<32x2x1xf32> -> tensor<64xf32>
  func.return %result : tensor<64xf32>
}

fsm.kernel @bitonic_sort(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %row = fsm.program_id x : i32
  %width = arith.constant 64 : i32
  %begin = arith.muli %row, %width overflow<nsw> : i32
  %from = fsm.offset %in, %begin : !fsm.ptr<f32>, i32
  %to = fsm.offset %out, %begin : !fsm.ptr<f32>, i32
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x0 = fsm.load %from[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %size_2 = arith.constant 2 : i32
  %size_4 = arith.constant 4 : i32
  %size_8 = arith.constant 8 : i32
  %size_16 = arith.constant 16 : i32
  %size_32 = arith.constant 32 : i32
  %size_64 = arith.constant 64 : i32
  %x1 = func.call @exchange_1(%x0, %size_2) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x2 = func.call @exchange_2(%x1, %size_4) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x3 = func.call @exchange_1(%x2, %size_4) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x4 = func.call @exchange_4(%x3, %size_8) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x5 = func.call @exchange_2(%x4, %size_8) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x6 = func.call @exchange_1(%x5, %size_8) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x7 = func.call @exchange_8(%x6, %size_16) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x8 = func.call @exchange_4(%x7, %size_16) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x9 = func.call @exchange_2(%x8, %size_16) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x10 = func.call @exchange_1(%x9, %size_16) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x11 = func.call @exchange_16(%x10, %size_32) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x12 = func.call @exchange_8(%x11, %size_32) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x13 = func.call @exchange_4(%x12, %size_32) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x14 = func.call @exchange_2(%x13, %size_32) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x15 = func.call @exchange_1(%x14, %size_32) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x16 = func.call @exchange_32(%x15, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x17 = func.call @exchange_16(%x16, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x18 = func.call @exchange_8(%x17, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x19 = func.call @exchange_4(%x18, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x20 = func.call @exchange_2(%x19, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  %x21 = func.call @exchange_1(%x20, %size_64) : (tensor<64xf32>, i32) -> tensor<64xf32>
  fsm.store %x21, %to[%i] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
