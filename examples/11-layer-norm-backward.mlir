// Layer norm backward: with the rows x, their means and 1 / deviations, the weight
// w and the gradient dy of the result,
//   xhat = (x - mean) * rstd        c1 = mean(xhat * w * dy)    c2 = mean(w * dy)
//   dx = (w * dy - xhat * c1 - c2) * rstd
//   dw = sum over rows of dy * xhat                db = sum over rows of dy
// The sums over rows cross programs. Two ways to partial sums, of which @finish makes
// the whole:
//   @locked   one program per row; rows i, i + groups, ... share a row of partial
//             sums, which a lock lets one program at a time add to. Next to the locks
//             (0: free) stands whether a row of partial sums has anything in it yet.
//             Both must be 0 before the launch, the partial sums need not.
//   @partial  any number of programs; each adds up its rows by itself and writes one
//             row of partial sums. No program waits, and the sums have a fixed order.
// Grids: @locked one program per row, @partial one per row of partial sums, @finish
// one per COLUMNS columns. Rows have at most BLOCK columns.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
// param ROWS = 32
// param COLUMNS = 16
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

// dx of one row, and what it adds to dw and db; zero where masked off.
func.func @row(%dx_row: !fsm.ptr<${T}>, %dy_row: !fsm.ptr<${T}>, %x_row: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %mean: ${C}, %rstd: ${C}, %cols: i32) -> (tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>) {
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %x_raw = fsm.load %x_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %x_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %dy_raw = fsm.load %dy_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %dy = ${WIDEN} %dy_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %w_raw = fsm.load %weight[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %w = ${WIDEN} %w_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>

  %means = fsm.splat %mean : tensor<${BLOCK}x${C}>
  %rstds = fsm.splat %rstd : tensor<${BLOCK}x${C}>
  %centred = arith.subf %x, %means : tensor<${BLOCK}x${C}>
  %xhat = arith.mulf %centred, %rstds : tensor<${BLOCK}x${C}>
  %wdy = arith.mulf %w, %dy : tensor<${BLOCK}x${C}>
  %product = arith.mulf %xhat, %wdy : tensor<${BLOCK}x${C}>
  %count = arith.sitofp %cols : i32 to ${C}
  %sum1 = fsm.reduce <sum> %product axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %c1 = arith.divf %sum1, %count : ${C}
  %sum2 = fsm.reduce <sum> %wdy axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %c2 = arith.divf %sum2, %count : ${C}

  %c1s = fsm.splat %c1 : tensor<${BLOCK}x${C}>
  %c2s = fsm.splat %c2 : tensor<${BLOCK}x${C}>
  %along = arith.mulf %xhat, %c1s fastmath<contract> : tensor<${BLOCK}x${C}>
  %taken = arith.addf %along, %c2s fastmath<contract> : tensor<${BLOCK}x${C}>
  %left = arith.subf %wdy, %taken : tensor<${BLOCK}x${C}>
  %grad = arith.mulf %left, %rstds : tensor<${BLOCK}x${C}>
  %dx = ${NARROW} %grad : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  fsm.store %dx, %dx_row[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  %dw = arith.mulf %dy, %xhat : tensor<${BLOCK}x${C}>
  return %dw, %dy : tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>
}

fsm.kernel @locked(%dx: !fsm.ptr<${T}>, %dw: !fsm.ptr<${C}>, %db: !fsm.ptr<${C}>, %locks: !fsm.ptr<i32>, %dy: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %means: !fsm.ptr<${C}>, %rstds: !fsm.ptr<${C}>, %dx_stride: i32, %dy_stride: i32, %in_stride: i32, %cols: i32, %groups: i32) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %dx_stride overflow<nsw> : i32
  %dx_row = fsm.offset %dx, %i : !fsm.ptr<${T}>, i32
  %j = arith.muli %row, %dy_stride overflow<nsw> : i32
  %dy_row = fsm.offset %dy, %j : !fsm.ptr<${T}>, i32
  %k = arith.muli %row, %in_stride overflow<nsw> : i32
  %x_row = fsm.offset %in, %k : !fsm.ptr<${T}>, i32
  %mean_at = fsm.offset %means, %row : !fsm.ptr<${C}>, i32
  %mean = fsm.load %mean_at : !fsm.ptr<${C}> -> ${C}
  %rstd_at = fsm.offset %rstds, %row : !fsm.ptr<${C}>, i32
  %rstd = fsm.load %rstd_at : !fsm.ptr<${C}> -> ${C}
  %dw_own, %db_own = func.call @row(%dx_row, %dy_row, %x_row, %weight, %mean, %rstd, %cols) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, ${C}, ${C}, i32) -> (tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>)

  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = arith.remui %row, %groups : i32
  %lock = fsm.offset %locks, %group : !fsm.ptr<i32>, i32
  %filled_at = fsm.offset %lock, %groups : !fsm.ptr<i32>, i32
  %at = arith.muli %group, %cols overflow<nsw> : i32
  %dw_row = fsm.offset %dw, %at : !fsm.ptr<${C}>, i32
  %db_row = fsm.offset %db, %at : !fsm.ptr<${C}>, i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>

  scf.while : () -> () {
    %seen = fsm.atomic_cas %zero, %one, %lock sem = acquire : i32, !fsm.ptr<i32>
    %waits = arith.cmpi ne, %seen, %zero : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %filled = fsm.load %filled_at : !fsm.ptr<i32> -> i32
  %has_sums = arith.cmpi ne, %filled, %zero : i32
  %have_sums = fsm.splat %has_sums : tensor<${BLOCK}xi1>
  %there = arith.andi %mask, %have_sums : tensor<${BLOCK}xi1>
  %dw_old = fsm.load %dw_row[%offs], %there : !fsm.ptr<${C}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${C}>
  %db_old = fsm.load %db_row[%offs], %there : !fsm.ptr<${C}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${C}>
  %dw_new = arith.addf %dw_old, %dw_own : tensor<${BLOCK}x${C}>
  %db_new = arith.addf %db_old, %db_own : tensor<${BLOCK}x${C}>
  fsm.store %dw_new, %dw_row[%offs], %mask : tensor<${BLOCK}x${C}>, !fsm.ptr<${C}>, tensor<${BLOCK}xi32>
  fsm.store %db_new, %db_row[%offs], %mask : tensor<${BLOCK}x${C}>, !fsm.ptr<${C}>, tensor<${BLOCK}xi32>
  fsm.store %one, %filled_at : i32, !fsm.ptr<i32>
  %taken = fsm.atomic_rmw <exch> %zero, %lock sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @partial(%dx: !fsm.ptr<${T}>, %dw: !fsm.ptr<${C}>, %db: !fsm.ptr<${C}>, %dy: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %means: !fsm.ptr<${C}>, %rstds: !fsm.ptr<${C}>, %dx_stride: i32, %dy_stride: i32, %in_stride: i32, %rows: i32, %cols: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<${BLOCK}x${C}>
  // Rows of the result lie apart: the stores of one iteration need not wait for those of another.
  %apart = arith.cmpi sge, %dx_stride, %cols : i32
  fsm.assume %apart
  // Where a multiprocessor has room for few programs, the next row arrives while one is reduced: nothing of
  // it, its mean or its deviation is written meanwhile.
  %dw_sum, %db_sum = scf.for %row = %first to %rows step %step iter_args(%dw_old = %zeros, %db_old = %zeros) -> (tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>) : i32 {
    %i = arith.muli %row, %dx_stride overflow<nsw> : i32
    %dx_row = fsm.offset %dx, %i : !fsm.ptr<${T}>, i32
    %j = arith.muli %row, %dy_stride overflow<nsw> : i32
    %dy_row = fsm.offset %dy, %j : !fsm.ptr<${T}>, i32
    %k = arith.muli %row, %in_stride overflow<nsw> : i32
    %x_row = fsm.offset %in, %k : !fsm.ptr<${T}>, i32
    %mean_at = fsm.offset %means, %row : !fsm.ptr<${C}>, i32
    %mean = fsm.load %mean_at : !fsm.ptr<${C}> -> ${C}
    %rstd_at = fsm.offset %rstds, %row : !fsm.ptr<${C}>, i32
    %rstd = fsm.load %rstd_at : !fsm.ptr<${C}> -> ${C}
    %dw_own, %db_own = func.call @row(%dx_row, %dy_row, %x_row, %weight, %mean, %rstd, %cols) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, ${C}, ${C}, i32) -> (tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>)
    %dw_new = arith.addf %dw_old, %dw_own fastmath<reassoc> : tensor<${BLOCK}x${C}>
    %db_new = arith.addf %db_old, %db_own fastmath<reassoc> : tensor<${BLOCK}x${C}>
    scf.yield %dw_new, %db_new : tensor<${BLOCK}x${C}>, tensor<${BLOCK}x${C}>
  } {fsm.num_stages = 2 : i32}
  %at = arith.muli %first, %cols overflow<nsw> : i32
  %dw_row = fsm.offset %dw, %at : !fsm.ptr<${C}>, i32
  %db_row = fsm.offset %db, %at : !fsm.ptr<${C}>, i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  fsm.store %dw_sum, %dw_row[%offs], %mask : tensor<${BLOCK}x${C}>, !fsm.ptr<${C}>, tensor<${BLOCK}xi32>
  fsm.store %db_sum, %db_row[%offs], %mask : tensor<${BLOCK}x${C}>, !fsm.ptr<${C}>, tensor<${BLOCK}xi32>
  fsm.return
}

// Adds up the rows of partial sums, ROWS at a time, while the next ones are on their way.
fsm.kernel @finish(%dw: !fsm.ptr<${T}>, %db: !fsm.ptr<${T}>, %dw_parts: !fsm.ptr<${C}>, %db_parts: !fsm.ptr<${C}>, %parts: i32, %cols: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant ${ROWS} : i32
  %width = arith.constant ${COLUMNS} : i32
  %id = fsm.program_id x : i32
  %start = arith.muli %id, %width overflow<nsw> : i32
  %columns, %mask = fsm.places origin [%start] bounds [%cols] : tensor<${COLUMNS}xi32>
  %zeros = arith.constant dense<0.0> : tensor<${ROWS}x${COLUMNS}x${C}>

  %dw_tile, %db_tile = scf.for %first = %zero to %parts step %step iter_args(%dw_old = %zeros, %db_old = %zeros) -> (tensor<${ROWS}x${COLUMNS}x${C}>, tensor<${ROWS}x${COLUMNS}x${C}>) : i32 {
    %at, %both = fsm.places origin [%first, %start] strides [%cols, 1] bounds [%parts, %cols] : tensor<${ROWS}x${COLUMNS}xi32>
    %dw_part = fsm.load %dw_parts[%at], %both : !fsm.ptr<${C}>, tensor<${ROWS}x${COLUMNS}xi32> -> tensor<${ROWS}x${COLUMNS}x${C}>
    %db_part = fsm.load %db_parts[%at], %both : !fsm.ptr<${C}>, tensor<${ROWS}x${COLUMNS}xi32> -> tensor<${ROWS}x${COLUMNS}x${C}>
    %dw_new = arith.addf %dw_old, %dw_part : tensor<${ROWS}x${COLUMNS}x${C}>
    %db_new = arith.addf %db_old, %db_part : tensor<${ROWS}x${COLUMNS}x${C}>
    scf.yield %dw_new, %db_new : tensor<${ROWS}x${COLUMNS}x${C}>, tensor<${ROWS}x${COLUMNS}x${C}>
  } {fsm.num_stages = 6 : i32}
  %dw_sum = fsm.reduce <sum> %dw_tile axis 0 : tensor<${ROWS}x${COLUMNS}x${C}> -> tensor<${COLUMNS}x${C}>
  %dw_out = ${NARROW} %dw_sum : tensor<${COLUMNS}x${C}> to tensor<${COLUMNS}x${T}>
  fsm.store %dw_out, %dw[%columns], %mask : tensor<${COLUMNS}x${T}>, !fsm.ptr<${T}>, tensor<${COLUMNS}xi32>
  %db_sum = fsm.reduce <sum> %db_tile axis 0 : tensor<${ROWS}x${COLUMNS}x${C}> -> tensor<${COLUMNS}x${C}>
  %db_out = ${NARROW} %db_sum : tensor<${COLUMNS}x${C}> to tensor<${COLUMNS}x${T}>
  fsm.store %db_out, %db[%columns], %mask : tensor<${COLUMNS}x${T}>, !fsm.ptr<${T}>, tensor<${COLUMNS}xi32>
  fsm.return
}
