// One row of words, whose upper bits are numbers, and a program for each limit: which numbers compare as they should with it.

// param N = 4096
// param W = i32
// param T = f32
// param SHIFT = 8
// param PREDICATE = olt
// Which side the limit is on.
// param LEFT = %number
// param RIGHT = %limits

!words = tensor<${N}x${W}>
!numbers = tensor<${N}x${T}>

fsm.kernel @compared(%out: !fsm.ptr<i8>, %in: !fsm.ptr<${W}>, %by: !fsm.ptr<${T}>) {
  %program = fsm.program_id x : i32
  %place = fsm.range 0, ${N} : tensor<${N}xi32>
  %words = fsm.load %in[%place] : !fsm.ptr<${W}>, tensor<${N}xi32> -> !words
  %from = fsm.offset %by, %program : !fsm.ptr<${T}>, i32
  %limit = fsm.load %from : !fsm.ptr<${T}> -> ${T}
  %limits = fsm.splat %limit : !numbers
  %shift = arith.constant dense<${SHIFT}> : !words
  %upper = arith.shrui %words, %shift : !words
  %number = arith.uitofp %upper : !words to !numbers
  %is = arith.cmpf ${PREDICATE}, ${LEFT}, ${RIGHT} : !numbers
  %bytes = arith.extui %is : tensor<${N}xi1> to tensor<${N}xi8>
  %n = arith.constant ${N} : i32
  %row = arith.muli %program, %n overflow<nsw> : i32
  %rows = fsm.splat %row : tensor<${N}xi32>
  %to = arith.addi %rows, %place overflow<nsw> : tensor<${N}xi32>
  fsm.store %bytes, %out[%to] : tensor<${N}xi8>, !fsm.ptr<i8>, tensor<${N}xi32>
  fsm.return
}
