// Cross-entropy without its gradient: the loss of each row, log(sum(exp(x))) - x[label].
//
// param BLOCK = 1024
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NINF = 0xFF800000

fsm.kernel @cross_entropy(%losses: !fsm.ptr<${C}>, %in: !fsm.ptr<${T}>, %labels: !fsm.ptr<i32>, %in_stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %ninf = arith.constant ${NINF} : ${T}
  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %raw = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %label_at = fsm.offset %labels, %row : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %named_at = fsm.offset %src, %label : !fsm.ptr<${T}>, i32
  %named_raw = fsm.load %named_at : !fsm.ptr<${T}> -> ${T}
  %named = ${WIDEN} %named_raw : ${T} to ${C}
  %max = fsm.reduce <max> %x axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %maxes = fsm.splat %max : tensor<${BLOCK}x${C}>
  %shifted = arith.subf %x, %maxes : tensor<${BLOCK}x${C}>
  %num = math.exp %shifted : tensor<${BLOCK}x${C}>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %log = math.log %sum : ${C}
  %distance = arith.subf %max, %named : ${C}
  %loss = arith.addf %log, %distance : ${C}
  %loss_at = fsm.offset %losses, %row : !fsm.ptr<${C}>, i32
  fsm.store %loss, %loss_at : ${C}, !fsm.ptr<${C}>
  fsm.return
}
