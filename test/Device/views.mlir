// Blocks that are read in another order than they were made in: rows shorter than a vector of the host, rows that are no power
// of two, and a mask that one op takes as it is and another one turned.
//
// RUN: %python %S/Inputs/views.py %t
// RUN: %fsm_run %s --device=interp --kernel=turned_mask --grid=1 --arg=i32[1024]:full:-1 --check=0:%t.turned.npy
// RUN: %fsm_run %s --device=cpu --kernel=turned_mask --grid=1 --arg=i32[1024]:full:-1 --check=0:%t.turned.npy
// RUN: %fsm_run %s --device=cpu --without=fsm-combine --kernel=turned_mask --grid=1 --arg=i32[1024]:full:-1 --check=0:%t.turned.npy
// RUN: %fsm_run %s --device=sim --kernel=turned_mask --grid=1 --arg=i32[1024]:full:-1 --check=0:%t.turned.npy
//
// The last rows of a column end where the array does; nobody may touch what is behind.
// RUN: %fsm_run %s --device=interp --kernel=short_rows --grid=1 --arg=out=f32[64x4]:full:-1 --arg=in=@%t.in.npy --check=out:%t.rows.npy
// RUN: %fsm_run %s --device=cpu --guard=end --kernel=short_rows --grid=1 --arg=out=f32[64x4]:full:-1 --arg=in=@%t.in.npy --check=out:%t.rows.npy
// RUN: %fsm_run %s --device=sim --kernel=short_rows --grid=1 --arg=out=f32[64x4]:full:-1 --arg=in=@%t.in.npy --check=out:%t.rows.npy
//
// RUN: %fsm_run %s --device=cpu --kernel=square --grid=1 --arg=out=f32[64] --arg=in=@%t.64.npy --check=out:%t.square.npy
// RUN: %fsm_run %s --device=sim --kernel=square --grid=1 --arg=out=f32[64] --arg=in=@%t.64.npy --check=out:%t.square.npy
//
// A GPU has no threads for 48 elements.
// RUN: %fsm_run %s --device=interp --kernel=odd_rows --grid=1 --arg=out=i32[48] --check=out:%t.odd.npy
// RUN: %fsm_run %s --device=cpu --kernel=odd_rows --grid=1 --arg=out=i32[48] --check=out:%t.odd.npy
// RUN: %fsm_run %s --device=interp --kernel=odd_columns --grid=1 --arg=column=i32[127] --arg=turned=i32[240] --check=column:%t.column.npy --check=turned:%t.turned_rows.npy
// RUN: %fsm_run %s --device=cpu --kernel=odd_columns --grid=1 --arg=column=i32[127] --arg=turned=i32[240] --check=column:%t.column.npy --check=turned:%t.turned_rows.npy
//
// RUN: %fsm_run %s --device=interp --kernel=turns --grid=1 --arg=out=f32[64] --arg=in=@%t.64.npy --arg=n=5 --check=out:%t.turns.npy
// RUN: %fsm_run %s --device=cpu --kernel=turns --grid=1 --arg=out=f32[64] --arg=in=@%t.64.npy --arg=n=5 --check=out:%t.turns.npy
// RUN: %fsm_run %s --device=sim --kernel=turns --grid=1 --arg=out=f32[64] --arg=in=@%t.64.npy --arg=n=5 --check=out:%t.turns.npy

// out[i, j, k] = k < 20 i ? (k < 20 j) : as it was.
fsm.kernel @turned_mask(%out: !fsm.ptr<i32>) {
  %i = fsm.range 0, 4 : tensor<4xi32>
  %twenty = arith.constant dense<20> : tensor<4xi32>
  %bound = arith.muli %i, %twenty : tensor<4xi32>
  %k = fsm.range 0, 64 : tensor<64xi32>
  %bounds = fsm.broadcast %bound dims [0] : tensor<4xi32> -> tensor<4x4x64xi32>
  %ks = fsm.broadcast %k dims [2] : tensor<64xi32> -> tensor<4x4x64xi32>
  %mask = arith.cmpi slt, %ks, %bounds : tensor<4x4x64xi32>
  %turned = fsm.transpose %mask order [1, 0, 2] : tensor<4x4x64xi1> -> tensor<4x4x64xi1>
  %value = arith.extui %turned : tensor<4x4x64xi1> to tensor<4x4x64xi32>
  %place = fsm.range 0, 1024 : tensor<1024xi32>
  %o = fsm.reshape %place : tensor<1024xi32> -> tensor<4x4x64xi32>
  fsm.store %value, %out[%o], %mask : tensor<4x4x64xi32>, !fsm.ptr<i32>, tensor<4x4x64xi32>
  fsm.return
}

// Four columns of 64 rows that are 7 apart; of every third element 10 times as much, of others 0.5.
fsm.kernel @short_rows(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %row = fsm.range 0, 64 : tensor<64xi32>
  %column = fsm.range 0, 4 : tensor<4xi32>
  %seven = arith.constant dense<7> : tensor<64xi32>
  %four = arith.constant dense<4> : tensor<64xi32>
  %from = arith.muli %row, %seven overflow<nsw> : tensor<64xi32>
  %to = arith.muli %row, %four overflow<nsw> : tensor<64xi32>
  %columns = fsm.broadcast %column dims [1] : tensor<4xi32> -> tensor<64x4xi32>
  %from2 = fsm.broadcast %from dims [0] : tensor<64xi32> -> tensor<64x4xi32>
  %to2 = fsm.broadcast %to dims [0] : tensor<64xi32> -> tensor<64x4xi32>
  %source = arith.addi %from2, %columns overflow<nsw> : tensor<64x4xi32>
  %target = arith.addi %to2, %columns overflow<nsw> : tensor<64x4xi32>
  %three = arith.constant dense<3> : tensor<64x4xi32>
  %zero = arith.constant dense<0> : tensor<64x4xi32>
  %half = arith.constant dense<0.5> : tensor<64x4xf32>
  %ten = arith.constant dense<10.0> : tensor<64x4xf32>
  %third = arith.remui %source, %three : tensor<64x4xi32>
  %mask = arith.cmpi eq, %third, %zero : tensor<64x4xi32>
  %tenth = arith.constant 0.05 : f32
  %x = fsm.load %in[%source], %mask, %tenth : !fsm.ptr<f32>, tensor<64x4xi32> -> tensor<64x4xf32>
  %y = arith.mulf %x, %ten : tensor<64x4xf32>
  fsm.store %y, %out[%target] : tensor<64x4xf32>, !fsm.ptr<f32>, tensor<64x4xi32>
  fsm.return
}

// Columns become rows as long as they were.
fsm.kernel @square(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %o = fsm.reshape %i : tensor<64xi32> -> tensor<8x8xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %t = fsm.transpose %x order [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  fsm.store %t, %out[%o] : tensor<8x8xf32>, !fsm.ptr<f32>, tensor<8x8xi32>
  fsm.return
}

// Pairs of three rows of eight, turned.
fsm.kernel @odd_rows(%out: !fsm.ptr<i32>) {
  %i = fsm.range 0, 24 : tensor<24xi32>
  %square = arith.muli %i, %i : tensor<24xi32>
  %a = fsm.reshape %square : tensor<24xi32> -> tensor<8x3xi32>
  %b = fsm.transpose %a order [1, 0] : tensor<8x3xi32> -> tensor<3x8xi32>
  %c = fsm.reshape %i : tensor<24xi32> -> tensor<3x8xi32>
  %pairs = fsm.join %b, %c : tensor<3x8xi32> -> tensor<3x8x2xi32>
  %turned = fsm.transpose %pairs order [2, 1, 0] : tensor<3x8x2xi32> -> tensor<2x8x3xi32>
  %place = fsm.range 0, 48 : tensor<48xi32>
  %o = fsm.reshape %place : tensor<48xi32> -> tensor<2x8x3xi32>
  fsm.store %turned, %out[%o] : tensor<2x8x3xi32>, !fsm.ptr<i32>, tensor<2x8x3xi32>
  fsm.return
}

// A column of 127 as a row; and rows of 8, 6 times 5 of them, as 8 rows of 30: cheap enough to be made where they are read.
fsm.kernel @odd_columns(%column: !fsm.ptr<i32>, %turned: !fsm.ptr<i32>) {
  %i = fsm.range 0, 127 : tensor<127xi32>
  %twice = arith.addi %i, %i : tensor<127xi32>
  %c = fsm.reshape %twice : tensor<127xi32> -> tensor<127x1xi32>
  %r = fsm.transpose %c order [1, 0] : tensor<127x1xi32> -> tensor<1x127xi32>
  %o = fsm.reshape %i : tensor<127xi32> -> tensor<1x127xi32>
  fsm.store %r, %column[%o] : tensor<1x127xi32>, !fsm.ptr<i32>, tensor<1x127xi32>
  %a = fsm.range 0, 6 : tensor<6xi32>
  %b = fsm.range 0, 5 : tensor<5xi32>
  %as = fsm.broadcast %a dims [0] : tensor<6xi32> -> tensor<6x5x8xi32>
  %bs = fsm.broadcast %b dims [1] : tensor<5xi32> -> tensor<6x5x8xi32>
  %sum = arith.subi %as, %bs : tensor<6x5x8xi32>
  %flat = fsm.reshape %sum : tensor<6x5x8xi32> -> tensor<30x8xi32>
  %back = fsm.transpose %flat order [1, 0] : tensor<30x8xi32> -> tensor<8x30xi32>
  %place = fsm.range 0, 240 : tensor<240xi32>
  %places = fsm.reshape %place : tensor<240xi32> -> tensor<8x30xi32>
  fsm.store %back, %turned[%places] : tensor<8x30xi32>, !fsm.ptr<i32>, tensor<8x30xi32>
  fsm.return
}

// A block that a loop carries is turned and cut in two in each iteration: the halves are added and subtracted.
fsm.kernel @turns(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = scf.for %k = %zero to %n step %one iter_args(%a = %x) -> (tensor<64xf32>) : i32 {
    %cut = fsm.reshape %a : tensor<64xf32> -> tensor<8x2x4xf32>
    %turned = fsm.transpose %cut order [2, 0, 1] : tensor<8x2x4xf32> -> tensor<4x8x2xf32>
    %l, %r = fsm.split %turned : tensor<4x8x2xf32> -> tensor<4x8xf32>
    %sum = arith.addf %l, %r : tensor<4x8xf32>
    %difference = arith.subf %l, %r : tensor<4x8xf32>
    %pairs = fsm.join %sum, %difference : tensor<4x8xf32> -> tensor<4x8x2xf32>
    %next = fsm.reshape %pairs : tensor<4x8x2xf32> -> tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  fsm.store %y, %out[%i] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
