// Rows under a mask `%${LEFT} ${ORDER} %${RIGHT}` of numbers of type ${B}: of program p they end behind p elements, or
// wherever sums that wrap make them end, or begin again; `fsm-run` is driven by row_ends.py.
// param LEFT = sum
// param ORDER = slt
// param RIGHT = ends
// param B = i32
// param T = f32
// What is loaded where the mask is false, and how it is reduced.
// param OTHER = 0.0
// param KIND = sum
// param AXIS = 0

!ints = tensor<300xi32>
!mask = tensor<300xi1>
!row = tensor<300x${T}>

func.func private @mask(%base: i32) -> !mask {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 300 : !ints
  %end = arith.addi %base, %pid : i32
  %ends = fsm.splat %end : !ints
  %bases = fsm.splat %base : !ints
  %sum = arith.addi %bases, %r : !ints
  %left = arith.subi %ends, %r : !ints
  %sum_byte = arith.trunci %sum : !ints to tensor<300xi8>
  %ends_byte = arith.trunci %ends : !ints to tensor<300xi8>
  %left_byte = arith.trunci %left : !ints to tensor<300xi8>
  %bases_byte = arith.trunci %bases : !ints to tensor<300xi8>
  %mask = arith.cmpi ${ORDER}, %${LEFT}, %${RIGHT} : tensor<300x${B}>
  func.return %mask : !mask
}

// Rows of the result are one element more apart than they are long, so that they begin at every place of a line.
func.func private @first() -> i32 {
  %pid = fsm.program_id x : i32
  %pitch = arith.constant 301 : i32
  %first = arith.muli %pid, %pitch overflow<nsw> : i32
  func.return %first : i32
}

fsm.kernel @store(%out: !fsm.ptr<${T}> {fsm.large}, %in: !fsm.ptr<${T}>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %x = fsm.load %in[%r], %mask : !fsm.ptr<${T}>, !ints -> !row
  fsm.store %x, %to[%r], %mask : !row, !fsm.ptr<${T}>, !ints
  fsm.return
}

// What is stored everywhere does not end with what is loaded.
fsm.kernel @store_all(%out: !fsm.ptr<${T}> {fsm.large}, %in: !fsm.ptr<${T}>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %other = arith.constant ${OTHER} : ${T}
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<${T}>, !ints -> !row
  fsm.store %x, %to[%r] : !row, !fsm.ptr<${T}>, !ints
  fsm.return
}

// What is stored is masked otherwise than what is loaded.
fsm.kernel @two_masks(%out: !fsm.ptr<${T}> {fsm.large}, %in: !fsm.ptr<${T}>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %other = arith.constant ${OTHER} : ${T}
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<${T}>, !ints -> !row
  %limit = arith.constant dense<290> : !ints
  %wide = arith.cmpi slt, %r, %limit : !ints
  fsm.store %x, %to[%r], %wide : !row, !fsm.ptr<${T}>, !ints
  fsm.return
}

fsm.kernel @reduce(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %other = arith.constant ${OTHER} : ${T}
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<${T}>, !ints -> !row
  %all = fsm.reduce <${KIND}> %x axis ${AXIS} : !row -> ${T}
  fsm.store %all, %to : ${T}, !fsm.ptr<${T}>
  fsm.return
}

// Maxima of numbers that differ where the mask is false, but not from one vector to the next: bit 6 of their places, or what is loaded
// without a mask.
// param NUMBERS = steps
fsm.kernel @numbered(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  %high = arith.constant dense<64> : !ints
  %steps = arith.andi %r, %high : !ints
  %loaded = fsm.load %in[%r] : !fsm.ptr<i32>, !ints -> !ints
  %both = arith.addi %x, %${NUMBERS} : !ints
  %all = fsm.reduce <max> %both axis 0 : !ints -> i32
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %all, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// What is loaded, reduced and stored in one loop.
fsm.kernel @reduce_and_store(%out: !fsm.ptr<i32> {fsm.large}, %in: !fsm.ptr<i32>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %x = fsm.load %in[%r], %mask : !fsm.ptr<i32>, !ints -> !ints
  %seven = arith.constant dense<7> : !ints
  %chosen = arith.select %mask, %x, %seven : !mask, !ints
  %all = fsm.reduce <${KIND}> %chosen axis 0 : !ints -> i32
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %x, %to[%r], %mask : !ints, !fsm.ptr<i32>, !ints
  %last = arith.constant 300 : i32
  %behind = fsm.offset %to, %last : !fsm.ptr<i32>, i32
  fsm.store %all, %behind : i32, !fsm.ptr<i32>
  fsm.return
}

// Powers that are kept for a second loop, which reads them where the mask is true, or everywhere.
// param WHERE = mask
fsm.kernel @kept(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %base: i32) {
  %r = fsm.range 0, 300 : !ints
  %mask = func.call @mask(%base) : (i32) -> !mask
  %first = func.call @first() : () -> i32
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %other = arith.constant 1.0 : f32
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<f32>, !ints -> tensor<300xf32>
  %everywhere = arith.constant dense<true> : !mask
  %power = math.exp %x : tensor<300xf32>
  %all = fsm.reduce <max> %power axis 0 : tensor<300xf32> -> f32
  %most = fsm.splat %all : tensor<300xf32>
  %y = arith.divf %power, %most : tensor<300xf32>
  fsm.store %y, %to[%r], %${WHERE} : tensor<300xf32>, !fsm.ptr<f32>, !ints
  fsm.return
}
