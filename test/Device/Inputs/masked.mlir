// A copy of rows under each kind of mask, in place of ${MASK}; `fsm-run` is driven by masks.py.
// param T
// param ONE
// param R
// param C
// param MASK = prefix

// What is not loaded is 1.
fsm.kernel @load_${MASK}(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %flags: !fsm.ptr<i1>, %stride: i32, %n: i32) {
  %r = fsm.range 0, ${R} : tensor<${R}xi32>
  %c = fsm.range 0, ${C} : tensor<${C}xi32>
  %r1 = fsm.expand_dims %r axis 1 : tensor<${R}xi32> -> tensor<${R}x1xi32>
  %rows = fsm.broadcast %r1 : tensor<${R}x1xi32> -> tensor<${R}x${C}xi32>
  %c1 = fsm.expand_dims %c axis 0 : tensor<${C}xi32> -> tensor<1x${C}xi32>
  %columns = fsm.broadcast %c1 : tensor<1x${C}xi32> -> tensor<${R}x${C}xi32>
  %strides = fsm.splat %stride : tensor<${R}x${C}xi32>
  %starts = arith.muli %rows, %strides overflow<nsw> : tensor<${R}x${C}xi32>
  %o = arith.addi %starts, %columns overflow<nsw> : tensor<${R}x${C}xi32>
  %ns = fsm.splat %n : tensor<${R}x${C}xi32>
  %prefix = arith.cmpi slt, %columns, %ns : tensor<${R}x${C}xi32>
  %rowwise = arith.cmpi slt, %rows, %ns : tensor<${R}x${C}xi32>
  %scattered = fsm.load %flags[%o] : !fsm.ptr<i1>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}xi1>
  %one = arith.constant ${ONE} : ${T}
  %x = fsm.load %in[%o], %${MASK}, %one : !fsm.ptr<${T}>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}x${T}>
  fsm.store %x, %out[%o] : tensor<${R}x${C}x${T}>, !fsm.ptr<${T}>, tensor<${R}x${C}xi32>
  fsm.return
}

// What is not stored stays 0.
fsm.kernel @store_${MASK}(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %flags: !fsm.ptr<i1>, %stride: i32, %n: i32) {
  %r = fsm.range 0, ${R} : tensor<${R}xi32>
  %c = fsm.range 0, ${C} : tensor<${C}xi32>
  %r1 = fsm.expand_dims %r axis 1 : tensor<${R}xi32> -> tensor<${R}x1xi32>
  %rows = fsm.broadcast %r1 : tensor<${R}x1xi32> -> tensor<${R}x${C}xi32>
  %c1 = fsm.expand_dims %c axis 0 : tensor<${C}xi32> -> tensor<1x${C}xi32>
  %columns = fsm.broadcast %c1 : tensor<1x${C}xi32> -> tensor<${R}x${C}xi32>
  %strides = fsm.splat %stride : tensor<${R}x${C}xi32>
  %starts = arith.muli %rows, %strides overflow<nsw> : tensor<${R}x${C}xi32>
  %o = arith.addi %starts, %columns overflow<nsw> : tensor<${R}x${C}xi32>
  %ns = fsm.splat %n : tensor<${R}x${C}xi32>
  %prefix = arith.cmpi slt, %columns, %ns : tensor<${R}x${C}xi32>
  %rowwise = arith.cmpi slt, %rows, %ns : tensor<${R}x${C}xi32>
  %scattered = fsm.load %flags[%o] : !fsm.ptr<i1>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}xi1>
  %x = fsm.load %in[%o] : !fsm.ptr<${T}>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}x${T}>
  fsm.store %x, %out[%o], %${MASK} : tensor<${R}x${C}x${T}>, !fsm.ptr<${T}>, tensor<${R}x${C}xi32>
  fsm.return
}
