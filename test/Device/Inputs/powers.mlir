// Powers of f32, a block of 1024 a program.
fsm.kernel @powers(%out: !fsm.ptr<f32>, %x: !fsm.ptr<f32>, %y: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %p = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %p, %block : i32
  %r = fsm.range 0, 1024 : tensor<1024xi32>
  %firsts = fsm.splat %first : tensor<1024xi32>
  %i = arith.addi %firsts, %r : tensor<1024xi32>
  %a = fsm.load %x[%i] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %b = fsm.load %y[%i] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %z = math.powf %a, %b : tensor<1024xf32>
  fsm.store %z, %out[%i] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}
