// Online softmax: rows too long for a block. One pass over a row's blocks carries
// the maximum so far and the sum of exponentials relative to it; when the maximum
// grows, the sum is scaled down (M. Milakov and N. Gimelshein, "Online normalizer
// calculation for softmax", 2018). A second pass writes the row. Loops carry
// scalars here; they may carry blocks as well.
// Grid: one program per row, of any length.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 256 in 256, 1024, 4096
// param STAGES = 3 in 1, 2, 3, 4
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast
// param NINF = 0xFF800000

fsm.kernel @softmax_online(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %in_stride: i32, %out_stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %range = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %begin = arith.constant 0 : i32
  %block = arith.constant ${BLOCK} : i32
  %zero = arith.constant 0.0 : ${C}
  %ninf = arith.constant ${NINF} : ${T}
  %lowest = ${WIDEN} %ninf : ${T} to ${C}
  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32

  %max, %sum = scf.for %start = %begin to %cols step %block iter_args(%m = %lowest, %s = %zero) -> (${C}, ${C}) : i32 {
    %starts = fsm.splat %start : tensor<${BLOCK}xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %raw = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %here = fsm.reduce <max> %x axis 0 : tensor<${BLOCK}x${C}> -> ${C}
    %larger = arith.maxnumf %m, %here : ${C}
    // Nothing but -inf yet: relative to 0, so that -inf - -inf is not met.
    %none = arith.cmpf oeq, %larger, %lowest : ${C}
    %reference = arith.select %none, %zero, %larger : ${C}
    %references = fsm.splat %reference : tensor<${BLOCK}x${C}>
    %shifted = arith.subf %x, %references : tensor<${BLOCK}x${C}>
    %num = math.exp %shifted : tensor<${BLOCK}x${C}>
    %part = fsm.reduce <sum> %num axis 0 : tensor<${BLOCK}x${C}> -> ${C}
    %change = arith.subf %m, %reference : ${C}
    %factor = math.exp %change : ${C}
    %scaled = arith.mulf %s, %factor : ${C}
    %total = arith.addf %scaled, %part : ${C}
    scf.yield %larger, %total : ${C}, ${C}
  } {fsm.num_stages = ${STAGES} : i32}

  %none = arith.cmpf oeq, %max, %lowest : ${C}
  %reference = arith.select %none, %zero, %max : ${C}
  %references = fsm.splat %reference : tensor<${BLOCK}x${C}>
  %den = fsm.splat %sum : tensor<${BLOCK}x${C}>
  scf.for %start = %begin to %cols step %block : i32 {
    %starts = fsm.splat %start : tensor<${BLOCK}xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %raw = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %shifted = arith.subf %x, %references : tensor<${BLOCK}x${C}>
    %num = math.exp %shifted : tensor<${BLOCK}x${C}>
    %quotient = arith.divf %num, %den : tensor<${BLOCK}x${C}>
    %y = ${NARROW} %quotient : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
    fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  } {fsm.num_stages = ${STAGES} : i32}
  fsm.return
}
