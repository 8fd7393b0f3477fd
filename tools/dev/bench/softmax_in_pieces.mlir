// Softmax as example 04 has it, of a row that is walked in pieces: what bench-gpu holds against rows in registers.
//
// param BLOCK = 65536
// param PIECE = 8192
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast
// param NINF = 0xFF800000

fsm.kernel @softmax(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %in_stride: i32, %out_stride: i32, %cols: i32) attributes {fsm.piece = ${PIECE} : i32} {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %ninf = arith.constant ${NINF} : ${T}

  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %raw = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>

  %max = fsm.reduce <max> %x axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %maxes = fsm.splat %max : tensor<${BLOCK}x${C}>
  %shifted = arith.subf %x, %maxes : tensor<${BLOCK}x${C}>
  %num = math.exp %shifted : tensor<${BLOCK}x${C}>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %den = fsm.splat %sum : tensor<${BLOCK}x${C}>
  %quotient = arith.divf %num, %den : tensor<${BLOCK}x${C}>

  %y = ${NARROW} %quotient : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
