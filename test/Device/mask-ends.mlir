// Rows of f16 that end within 16 bytes: asynchronous copies take the bytes that are there, and loads and stores
// access the last elements of a row one by one. Buffers end where their last rows do, so that whoever reads
// or writes a byte behind them is reported. Rows have more memory than elements: nobody writes to it, and a product
// takes zeros for it.
//
// RUN: %fsm_run %s --kernel=product --device=sim --compare=interp --grid=2,3 --arg=f16[2374] --arg=f16[1581]:randn:1 --arg=f16[3357]:randn:2 --arg=33 --arg=70 --arg=45 --arg=48 --arg=72
// RUN: %fsm_run %s --kernel=product --device=sim --compare=interp --grid=1,3 --arg=f16[70] --arg=f16[7]:randn:1 --arg=f16[3319]:randn:2 --arg=1 --arg=70 --arg=7 --arg=48 --arg=72
// RUN: %fsm_run %s --kernel=product -D BM=64 -D BN=64 -D WARPS=8 --device=sim --compare=interp --grid=1,2 --arg=f16[2633] --arg=f16[2111]:randn:1 --arg=f16[4671]:randn:2 --arg=33 --arg=73 --arg=63 --arg=64 --arg=80
// RUN: %fsm_run %s --kernel=copy --device=sim --compare=interp --grid=2 --arg=f16[1581]:full:7 --arg=f16[1581]:randn:1 --arg=33 --arg=45 --arg=48
// RUN: %fsm_run %s --kernel=copy --device=sim --compare=interp --grid=2 --arg=f16[1584]:full:7 --arg=f16[1584]:randn:1 --arg=33 --arg=48 --arg=48
// RUN: %fsm_run %s --kernel=copy --device=sim --compare=interp --grid=2 --arg=f16[1537]:full:7 --arg=f16[1537]:randn:1 --arg=33 --arg=1 --arg=48
// RUN: %fsm_run %s --kernel=copy -D OTHER=1.0 --device=sim --compare=interp --grid=2 --arg=f16[1581]:full:7 --arg=f16[1581]:randn:1 --arg=33 --arg=45 --arg=48

// param BM = 32
// param BN = 32
// param WARPS = 4
fsm.kernel @product(%c: !fsm.ptr<f16> {fsm.align = 16 : i32}, %a: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias},
                    %b: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32,
                    %wide: i32 {fsm.divisible = 8 : i32}, %wide_c: i32 {fsm.divisible = 8 : i32})
    attributes {num_warps = ${WARPS} : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %row = arith.muli %x, %bm overflow<nsw> : i32
  %column = arith.muli %y, %bn overflow<nsw> : i32
  %in_c = fsm.descriptor %c sizes [%m, %n] strides [%wide_c, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %in_a = fsm.descriptor %a sizes [%m, %k] strides [%wide, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %in_b = fsm.descriptor %b sizes [%n, %k] strides [%wide, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %zeros = arith.constant dense<0.0> : tensor<${BM}x${BN}xf32>
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<${BM}x${BN}xf32>) : i32 {
    %left = fsm.load_tile %in_a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<${BM}x32xf16>
    %right = fsm.load_tile %in_b[%column, %i] : !fsm.descriptor<2 x f16> -> tensor<${BN}x32xf16>
    %across = fsm.transpose %right order [1, 0] : tensor<${BN}x32xf16> -> tensor<32x${BN}xf16>
    %next = fsm.dot %left, %across, %sum : tensor<${BM}x32xf16>, tensor<32x${BN}xf16> -> tensor<${BM}x${BN}xf32>
    scf.yield %next : tensor<${BM}x${BN}xf32>
  } {fsm.num_stages = 3 : i32}
  %result = arith.truncf %sums : tensor<${BM}x${BN}xf32> to tensor<${BM}x${BN}xf16>
  fsm.store_tile %result, %in_c[%row, %column] : tensor<${BM}x${BN}xf16>, !fsm.descriptor<2 x f16>
  fsm.return
}

// The row is whole, or its last elements are loaded one by one; and so it is stored. What a load makes of
// elements that are not there is stored as well, as a second block of rows. Copies of other numbers than zero
// are narrow.
//
// param OTHER = 0.0
fsm.kernel @copy(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %rows: i32, %columns: i32,
                 %wide: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 1 : i32} {
  %size = arith.constant 32 : i32
  %x = fsm.program_id x : i32
  %row = arith.muli %x, %size overflow<nsw> : i32
  %r = fsm.range 0, 32 : tensor<32xi32>
  %rs = fsm.splat %row : tensor<32xi32>
  %from = arith.addi %rs, %r overflow<nsw> : tensor<32xi32>
  %row_of = fsm.expand_dims %from axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c = fsm.range 0, 64 : tensor<64xi32>
  %column_of = fsm.expand_dims %c axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %wides = fsm.splat %wide : tensor<32x1xi32>
  %begins = arith.muli %row_of, %wides overflow<nsw> : tensor<32x1xi32>
  %begin = fsm.broadcast %begins : tensor<32x1xi32> -> tensor<32x64xi32>
  %column = fsm.broadcast %column_of : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %begin, %column overflow<nsw> : tensor<32x64xi32>
  %most_rows = fsm.splat %rows : tensor<32x1xi32>
  %is_row = arith.cmpi slt, %row_of, %most_rows : tensor<32x1xi32>
  %most_columns = fsm.splat %columns : tensor<1x64xi32>
  %is_column = arith.cmpi slt, %column_of, %most_columns : tensor<1x64xi32>
  %is_rows = fsm.broadcast %is_row : tensor<32x1xi1> -> tensor<32x64xi1>
  %is_columns = fsm.broadcast %is_column : tensor<1x64xi1> -> tensor<32x64xi1>
  %mask = arith.andi %is_rows, %is_columns : tensor<32x64xi1>
  %other = arith.constant ${OTHER} : f16
  %value = fsm.load %in[%at], %mask, %other : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
  fsm.store %value, %out[%at], %mask : tensor<32x64xf16>, !fsm.ptr<f16>, tensor<32x64xi32>
  fsm.return
}
