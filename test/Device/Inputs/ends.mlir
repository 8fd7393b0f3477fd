// A row whose elements under a mask are loaded, summed, and stored with their sum, under the same mask; twice, for two blocks leave
// no registers for the indices of each.

// param E = 781
// param T = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

func.func @copy(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %mask: tensor<${E}xi1>) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %raw = fsm.load %in[%r], %mask : !fsm.ptr<${T}>, tensor<${E}xi32> -> tensor<${E}x${T}>
  %again = fsm.load %more[%r], %mask : !fsm.ptr<${T}>, tensor<${E}xi32> -> tensor<${E}x${T}>
  %x = ${WIDEN} %raw : tensor<${E}x${T}> to tensor<${E}xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<${E}xf32> -> f32
  %sums = fsm.splat %sum : tensor<${E}xf32>
  %w = ${WIDEN} %again : tensor<${E}x${T}> to tensor<${E}xf32>
  %added = arith.addf %w, %sums : tensor<${E}xf32>
  %y = ${NARROW} %added : tensor<${E}xf32> to tensor<${E}x${T}>
  fsm.store %y, %out[%r], %mask : tensor<${E}x${T}>, !fsm.ptr<${T}>, tensor<${E}xi32>
  return
}

// In a helper of its own, which a kernel gives its bound.
func.func @until(%n: i32) -> tensor<${E}xi1> {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %ns = fsm.splat %n : tensor<${E}xi32>
  %mask = arith.cmpi slt, %r, %ns : tensor<${E}xi32>
  return %mask : tensor<${E}xi1>
}

fsm.kernel @prefix(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %mask = func.call @until(%n) : (i32) -> tensor<${E}xi1>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @swapped(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %places = fsm.range 0, ${E} : tensor<${E}xi32>
  %five = arith.constant dense<5> : tensor<${E}xi32>
  %r = arith.addi %places, %five overflow<nsw> : tensor<${E}xi32>
  %ns = fsm.splat %n : tensor<${E}xi32>
  %mask = arith.cmpi sgt, %ns, %r : tensor<${E}xi32>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @based(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %ms = fsm.splat %m : tensor<${E}xi32>
  %ns = fsm.splat %n : tensor<${E}xi32>
  %at = arith.addi %ms, %r overflow<nsw> : tensor<${E}xi32>
  %mask = arith.cmpi slt, %at, %ns : tensor<${E}xi32>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @between(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %ms = fsm.splat %m : tensor<${E}xi32>
  %below = func.call @until(%n) : (i32) -> tensor<${E}xi1>
  %above = arith.cmpi sge, %r, %ms : tensor<${E}xi32>
  %mask = arith.andi %below, %above : tensor<${E}xi1>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @unsigned(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %ns = fsm.splat %n : tensor<${E}xi32>
  %mask = arith.cmpi ult, %r, %ns : tensor<${E}xi32>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @scattered(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %ns = fsm.splat %n : tensor<${E}xi32>
  %bits = arith.constant dense<85> : tensor<${E}xi32>
  %mixed = arith.xori %r, %bits : tensor<${E}xi32>
  %mask = arith.cmpi slt, %mixed, %ns : tensor<${E}xi32>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @long(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i64, %m: i32) {
  %r = fsm.range 0, ${E} : tensor<${E}xi32>
  %wide = arith.extsi %r : tensor<${E}xi32> to tensor<${E}xi64>
  %ns = fsm.splat %n : tensor<${E}xi64>
  %mask = arith.cmpi slt, %wide, %ns : tensor<${E}xi64>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

// Two calls of one helper, one of which is given less.
fsm.kernel @twice(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %first = func.call @until(%n) : (i32) -> tensor<${E}xi1>
  %second = func.call @until(%m) : (i32) -> tensor<${E}xi1>
  %mask = arith.andi %first, %second : tensor<${E}xi1>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}

fsm.kernel @places(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %more: !fsm.ptr<${T}>, %n: i32, %m: i32) {
  %offsets, %mask = fsm.places bounds [%n] : tensor<${E}xi32>
  func.call @copy(%out, %in, %more, %mask) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, !fsm.ptr<${T}>, tensor<${E}xi1>) -> ()
  fsm.return
}
