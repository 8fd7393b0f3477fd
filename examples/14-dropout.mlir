// Dropout: every element is kept with probability p, and then divided by p, or
// becomes 0. Which ones are kept follows from the seed and the element's place
// alone, whatever the device and BLOCK are: Philox makes four words of a counter and
// a key, here of i / 4 and the seed, and element i takes the word i % 4. Its upper 24
// bits are a fraction of 1. `fsm.div_rn` gives the same bits on every device.
// Grid: n / (4 BLOCK), rounded up. p > 0.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 256
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

!pointer = !fsm.ptr<${T}>
!words = tensor<${BLOCK}xi32>
!pairs = tensor<${BLOCK}x2xi32>
!tile = tensor<${BLOCK}x4xi32>
!mask = tensor<${BLOCK}x4xi1>
!stored = tensor<${BLOCK}x4x${T}>
!block = tensor<${BLOCK}x4x${C}>

fsm.kernel @dropout(%out: !pointer, %in: !pointer, %n: i32, %p: ${C}, %seed: i64) {
  // The counters of this program.
  %program = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %program, %size overflow<nsw> : i32
  %starts = fsm.splat %start : !words
  %lane = fsm.range 0, ${BLOCK} : !words
  %counter = arith.addi %starts, %lane overflow<nsw> : !words

  // Four elements for each of them.
  %four = arith.constant dense<4> : !words
  %firsts = arith.muli %counter, %four overflow<nsw> : !words
  %rows = fsm.expand_dims %firsts axis 1 : !words -> tensor<${BLOCK}x1xi32>
  %rows_tile = fsm.broadcast %rows : tensor<${BLOCK}x1xi32> -> !tile
  %place = fsm.range 0, 4 : tensor<4xi32>
  %places = fsm.expand_dims %place axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %places_tile = fsm.broadcast %places : tensor<1x4xi32> -> !tile
  %offs = arith.addi %rows_tile, %places_tile overflow<nsw> : !tile
  %limit = fsm.splat %n : !tile
  %mask = arith.cmpi slt, %offs, %limit : !tile

  // Their words, side by side.
  %zero = arith.constant dense<0> : !words
  %low = arith.trunci %seed : i64 to i32
  %width = arith.constant 32 : i64
  %shifted = arith.shrui %seed, %width : i64
  %high = arith.trunci %shifted : i64 to i32
  %key0 = fsm.splat %low : !words
  %key1 = fsm.splat %high : !words
  %a, %b, %c, %d = fsm.philox counter %counter, %zero, %zero, %zero key %key0, %key1 : !words
  %ac = fsm.join %a, %c : !words -> !pairs
  %bd = fsm.join %b, %d : !words -> !pairs
  %abcd = fsm.join %ac, %bd : !pairs -> tensor<${BLOCK}x2x2xi32>
  %word = fsm.reshape %abcd : tensor<${BLOCK}x2x2xi32> -> !tile

  // word / 2^32, cut to 24 bits: exact in f32.
  %eight = arith.constant dense<8> : !tile
  %upper = arith.shrui %word, %eight : !tile
  %count = arith.uitofp %upper : !tile to !block
  %unit = arith.constant dense<5.9604644775390625e-08> : !block
  %chance = arith.mulf %count, %unit : !block
  %ps = fsm.splat %p : !block
  %keep = arith.cmpf olt, %chance, %ps : !block

  %x_raw = fsm.load %in[%offs], %mask : !pointer, !tile -> !stored
  %x = ${WIDEN} %x_raw : !stored to !block
  %scaled = fsm.div_rn %x, %ps : !block
  %nothing = arith.constant dense<0.0> : !block
  %y = arith.select %keep, %scaled, %nothing : !mask, !block
  %result = ${NARROW} %y : !block to !stored
  fsm.store %result, %out[%offs], %mask : !stored, !pointer, !tile
  fsm.return
}
