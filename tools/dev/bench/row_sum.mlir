// What a loop gains when its loads run ahead: one program a row, BLOCK columns at a time.
//
// param BLOCK = 4096
// param STAGES = 4 in 1, 2, 3, 4

fsm.kernel @row_sum(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %in_stride: i32, %cols: i32) {
  %zero = arith.constant 0 : i32
  %block = arith.constant ${BLOCK} : i32
  %none = arith.constant dense<0.0> : tensor<${BLOCK}xf32>
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32
  %range = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %sums = scf.for %first = %zero to %cols step %block iter_args(%sum = %none) -> (tensor<${BLOCK}xf32>) : i32 {
    %start = fsm.splat %first : tensor<${BLOCK}xi32>
    %offs = arith.addi %start, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %x = fsm.load %src[%offs], %mask : !fsm.ptr<f32>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}xf32>
    %next = arith.addf %sum, %x : tensor<${BLOCK}xf32>
    scf.yield %next : tensor<${BLOCK}xf32>
  } {fsm.num_stages = ${STAGES} : i32}
  %total = fsm.reduce <sum> %sums axis 0 : tensor<${BLOCK}xf32> -> f32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %total, %dst : f32, !fsm.ptr<f32>
  fsm.return
}
