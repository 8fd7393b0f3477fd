// Rotary position embedding (Su et al., "RoFormer", 2021): the pair of columns (2 i, 2 i + 1) of token t is rotated by the angle
// t frequencies[i]. Neighbours are taken apart by fsm.split and put together by fsm.join. Arrays are tokens x WIDTH. Grid:
// blocks of TOKENS tokens.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=rotary-embedding
//
// param TOKENS = 4
// param WIDTH = 64
// param HALF = 32

!ints = tensor<${TOKENS}x${WIDTH}xi32>
!tile = tensor<${TOKENS}x${WIDTH}xf32>
!half = tensor<${TOKENS}x${HALF}xf32>
!pairs = tensor<${TOKENS}x${HALF}x2xf32>

fsm.kernel @rotary(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %frequencies: !fsm.ptr<f32>, %tokens: i32) {
  %pid = fsm.program_id x : i32
  %block = arith.constant ${TOKENS} : i32
  %first = arith.muli %pid, %block overflow<nsw> : i32
  %r = fsm.range 0, ${TOKENS} : tensor<${TOKENS}xi32>
  %firsts = fsm.splat %first : tensor<${TOKENS}xi32>
  %token = arith.addi %r, %firsts overflow<nsw> : tensor<${TOKENS}xi32>
  %token1 = fsm.expand_dims %token axis 1 : tensor<${TOKENS}xi32> -> tensor<${TOKENS}x1xi32>
  %limit = fsm.splat %tokens : tensor<${TOKENS}x1xi32>
  %is_token = arith.cmpi slt, %token1, %limit : tensor<${TOKENS}x1xi32>
  %mask = fsm.broadcast %is_token : tensor<${TOKENS}x1xi1> -> tensor<${TOKENS}x${WIDTH}xi1>
  %width = arith.constant dense<${WIDTH}> : tensor<${TOKENS}x1xi32>
  %rows1 = arith.muli %token1, %width overflow<nsw> : tensor<${TOKENS}x1xi32>
  %rows = fsm.broadcast %rows1 : tensor<${TOKENS}x1xi32> -> !ints
  %c = fsm.range 0, ${WIDTH} : tensor<${WIDTH}xi32>
  %c1 = fsm.expand_dims %c axis 0 : tensor<${WIDTH}xi32> -> tensor<1x${WIDTH}xi32>
  %columns = fsm.broadcast %c1 : tensor<1x${WIDTH}xi32> -> !ints
  %offs = arith.addi %rows, %columns overflow<nsw> : !ints
  %x = fsm.load %in[%offs], %mask : !fsm.ptr<f32>, !ints -> !tile
  %pairs = fsm.reshape %x : !tile -> !pairs
  %even, %odd = fsm.split %pairs : !pairs -> !half

  %i = fsm.range 0, ${HALF} : tensor<${HALF}xi32>
  %f = fsm.load %frequencies[%i] : !fsm.ptr<f32>, tensor<${HALF}xi32> -> tensor<${HALF}xf32>
  %f1 = fsm.expand_dims %f axis 0 : tensor<${HALF}xf32> -> tensor<1x${HALF}xf32>
  %f2 = fsm.broadcast %f1 : tensor<1x${HALF}xf32> -> !half
  %t = arith.sitofp %token1 : tensor<${TOKENS}x1xi32> to tensor<${TOKENS}x1xf32>
  %t1 = fsm.broadcast %t : tensor<${TOKENS}x1xf32> -> !half
  %angle = arith.mulf %t1, %f2 : !half
  %cos = math.cos %angle : !half
  %sin = math.sin %angle : !half
  %ec = arith.mulf %even, %cos : !half
  %os = arith.mulf %odd, %sin : !half
  %es = arith.mulf %even, %sin : !half
  %oc = arith.mulf %odd, %cos : !half
  %new_even = arith.subf %ec, %os : !half
  %new_odd = arith.addf %es, %oc : !half
  %joined = fsm.join %new_even, %new_odd : !half -> !pairs
  %y = fsm.reshape %joined : !pairs -> !tile
  fsm.store %y, %out[%offs], %mask : !tile, !fsm.ptr<f32>, !ints
  fsm.return
}
