// Upper bits of words as floats, against one number of each program, in each of the orders that there are.
// param SHIFT = 8
// param ORDER = olt
// param TO_FLOAT = arith.uitofp

fsm.kernel @compare(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i32>, %limits: !fsm.ptr<f32>) {
  %pid = fsm.program_id x : i32
  %from = fsm.offset %limits, %pid : !fsm.ptr<f32>, i32
  %limit = fsm.load %from : !fsm.ptr<f32> -> f32
  %i = fsm.range 0, 256 : tensor<256xi32>
  %words = fsm.load %in[%i] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  %by = arith.constant dense<${SHIFT}> : tensor<256xi32>
  %upper = arith.shrui %words, %by : tensor<256xi32>
  %numbers = ${TO_FLOAT} %upper : tensor<256xi32> to tensor<256xf32>
  %all = fsm.splat %limit : tensor<256xf32>
  %first = arith.cmpf ${ORDER}, %numbers, %all : tensor<256xf32>
  %second = arith.cmpf ${ORDER}, %all, %numbers : tensor<256xf32>
  %low = arith.extui %first : tensor<256xi1> to tensor<256xi8>
  %high = arith.extui %second : tensor<256xi1> to tensor<256xi8>
  %both = arith.addi %low, %high : tensor<256xi8>
  %more = arith.addi %both, %high : tensor<256xi8>
  %row = arith.constant 256 : i32
  %begin = arith.muli %pid, %row overflow<nsw> : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<i8>, i32
  fsm.store %more, %to[%i] : tensor<256xi8>, !fsm.ptr<i8>, tensor<256xi32>
  fsm.return
}
