// Numbers of 16 bits, made f32 and divided by one number, of each program its own; what is stored is an R.
// param T = f16
// param R = f32
// param ROUND = arith.bitcast

fsm.kernel @divide(%out: !fsm.ptr<${R}>, %in: !fsm.ptr<${T}>, %divisors: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %chunk = fsm.program_id y : i32
  %from = fsm.offset %divisors, %pid : !fsm.ptr<f32>, i32
  %divisor = fsm.load %from : !fsm.ptr<f32> -> f32
  %size = arith.constant 8192 : i32
  %first = arith.muli %chunk, %size overflow<nsw> : i32
  %in_row = fsm.offset %in, %first : !fsm.ptr<${T}>, i32
  %i = fsm.range 0, 8192 : tensor<8192xi32>
  %x = fsm.load %in_row[%i] : !fsm.ptr<${T}>, tensor<8192xi32> -> tensor<8192x${T}>
  %wide = arith.extf %x : tensor<8192x${T}> to tensor<8192xf32>
  %all = fsm.splat %divisor : tensor<8192xf32>
  %q = fsm.div_rn %wide, %all : tensor<8192xf32>
  %rounded = ${ROUND} %q : tensor<8192xf32> to tensor<8192x${R}>
  %row = arith.constant 65536 : i32
  %begin = arith.muli %pid, %row overflow<nsw> : i32
  %at = arith.addi %begin, %first overflow<nsw> : i32
  %out_row = fsm.offset %out, %at : !fsm.ptr<${R}>, i32
  fsm.store %rounded, %out_row[%i] : tensor<8192x${R}>, !fsm.ptr<${R}>, tensor<8192xi32>
  fsm.return
}
