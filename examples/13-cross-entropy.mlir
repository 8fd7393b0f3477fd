// Cross-entropy of softmax and a label per row, with its derivative. A scalar load
// fetches the one element that the label names; a row whose label is negative
// counts for nothing. The loss is log(sum(exp(x))) - x[label], the derivative
// (softmax(x) - (column == label)) * scale.
// Grid: one program per row of at most BLOCK columns.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast
// param NINF = 0xFF800000

fsm.kernel @cross_entropy(%losses: !fsm.ptr<${C}>, %out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %labels: !fsm.ptr<i32>, %in_stride: i32, %out_stride: i32, %cols: i32, %scale: ${C}) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %ninf = arith.constant ${NINF} : ${T}
  %zero = arith.constant 0.0 : ${C}
  %none = arith.constant 0 : i32

  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %raw = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %label_at = fsm.offset %labels, %row : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %counts = arith.cmpi sge, %label, %none : i32
  %named_at = fsm.offset %src, %label : !fsm.ptr<${T}>, i32
  %named_raw = fsm.load %named_at, %counts : !fsm.ptr<${T}> -> ${T}
  %named = ${WIDEN} %named_raw : ${T} to ${C}

  %max = fsm.reduce <max> %x axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %maxes = fsm.splat %max : tensor<${BLOCK}x${C}>
  %shifted = arith.subf %x, %maxes : tensor<${BLOCK}x${C}>
  %num = math.exp %shifted : tensor<${BLOCK}x${C}>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %log = math.log %sum : ${C}
  // The maximum cancels: subtracting first keeps what is small.
  %distance = arith.subf %max, %named : ${C}
  %loss = arith.addf %log, %distance : ${C}
  %counted = arith.select %counts, %loss, %zero : ${C}
  %loss_at = fsm.offset %losses, %row : !fsm.ptr<${C}>, i32
  fsm.store %counted, %loss_at : ${C}, !fsm.ptr<${C}>

  %den = fsm.splat %sum : tensor<${BLOCK}x${C}>
  %y = arith.divf %num, %den : tensor<${BLOCK}x${C}>
  %label_block = fsm.splat %label : tensor<${BLOCK}xi32>
  %is_label = arith.cmpi eq, %offs, %label_block : tensor<${BLOCK}xi32>
  %ones = arith.constant dense<1.0> : tensor<${BLOCK}x${C}>
  %zeros = arith.constant dense<0.0> : tensor<${BLOCK}x${C}>
  %target = arith.select %is_label, %ones, %zeros : tensor<${BLOCK}xi1>, tensor<${BLOCK}x${C}>
  %difference = arith.subf %y, %target : tensor<${BLOCK}x${C}>
  %factor = arith.select %counts, %scale, %zero : ${C}
  %factors = fsm.splat %factor : tensor<${BLOCK}x${C}>
  %scaled = arith.mulf %difference, %factors : tensor<${BLOCK}x${C}>
  %d = ${NARROW} %scaled : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  fsm.store %d, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
