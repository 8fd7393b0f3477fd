// Rows that begin anywhere in a buffer larger than the caches: vectors begin at the lines of the result, wherever these are. Rows of
// the result are one element more apart than they are long, so that 17 programs have rows that begin at every place of a line.
//
// Vectors of these stand at any element of a row, and find it in another block by its number: those that began at lines took
// elements for one another of which the numbers have other bits.
// RUN: %fsm_run %s --kernel=turned --device=cpu --compare=interp --grid=17 --arg=f32[17x257] --arg=f32[16x16]:arange --arg=249
// RUN: %fsm_run %s --kernel=paired --device=cpu --compare=interp --grid=17 --arg=f32[17x257] --arg=f32[256]:arange --arg=249
// RUN: %fsm_run %s --kernel=parted --device=cpu --compare=interp --grid=17 --arg=f32[17x257] --arg=f32[512]:arange --arg=249
//
// Rows without a mask, of a row and of several ones.
// RUN: %fsm_run %s --kernel=whole --device=cpu --compare=interp --grid=17 --arg=f32[17x260] --arg=f32[259]:arange
// RUN: %fsm_run %s --kernel=rows --device=cpu --compare=interp --grid=17 --arg=f32[17x781] --arg=f32[3x259]:arange
//
// Pages are touched in front of a reduction; not where what it computes says where the row is, or behind a loop.
// RUN: %fsm_run %s --kernel=scaled --device=cpu --compare=interp --grid=17 --arg=f32[17x260] --arg=f32[259]:uniform:1 --arg=240
// RUN: %fsm_run %s --kernel=placed --device=cpu --compare=interp --grid=17 --arg=f32[17x260] --arg=i32[259]:arange --arg=260
// RUN: %fsm_run %s --kernel=counted --device=cpu --compare=interp --grid=17 --arg=f32[17x260] --arg=f32[259]:uniform:1 --arg=2
// Nor is the mask of a load there yet, with which a row that is stored whole ends.
// RUN: %fsm_run %s --kernel=padded --device=cpu --compare=interp --grid=1 --arg=f32[259] --arg=f32[259]:uniform:1 --arg=i32[8] --arg=240

!ints = tensor<256xi32>
!row = tensor<256xf32>
!odds = tensor<259xi32>
!odd = tensor<259xf32>

func.func private @row(%out: !fsm.ptr<f32>, %pitch: i32) -> !fsm.ptr<f32> {
  %pid = fsm.program_id x : i32
  %first = arith.muli %pid, %pitch overflow<nsw> : i32
  %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  func.return %to : !fsm.ptr<f32>
}

fsm.kernel @turned(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %n: i32) {
  %pitch = arith.constant 257 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %r = fsm.range 0, 256 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %o = fsm.reshape %r : !ints -> tensor<16x16xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %turned = fsm.transpose %x order [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  %y = fsm.reshape %turned : tensor<16x16xf32> -> !row
  fsm.store %y, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @paired(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %n: i32) {
  %pitch = arith.constant 257 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %r = fsm.range 0, 256 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %low = fsm.range 0, 128 : tensor<128xi32>
  %high = fsm.range 128, 256 : tensor<128xi32>
  %x = fsm.load %in[%low] : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  %y = fsm.load %in[%high] : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  %pairs = fsm.join %x, %y : tensor<128xf32> -> tensor<128x2xf32>
  %z = fsm.reshape %pairs : tensor<128x2xf32> -> !row
  fsm.store %z, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @parted(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %n: i32) {
  %pitch = arith.constant 257 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %r = fsm.range 0, 256 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %all = fsm.range 0, 512 : tensor<512xi32>
  %o = fsm.reshape %all : tensor<512xi32> -> tensor<256x2xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256x2xi32> -> tensor<256x2xf32>
  %low, %high = fsm.split %x : tensor<256x2xf32> -> !row
  %y = arith.subf %low, %high : !row
  fsm.store %y, %to[%r], %mask : !row, !fsm.ptr<f32>, !ints
  fsm.return
}

fsm.kernel @whole(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>) {
  %pitch = arith.constant 260 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %r = fsm.range 0, 259 : !odds
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, !odds -> !odd
  %y = arith.addf %x, %x : !odd
  fsm.store %y, %to[%r] : !odd, !fsm.ptr<f32>, !odds
  fsm.return
}

fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>) {
  %pitch = arith.constant 781 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %r = fsm.range 0, 3 : tensor<3xi32>
  %r1 = fsm.expand_dims %r axis 1 : tensor<3xi32> -> tensor<3x1xi32>
  %length = arith.constant dense<259> : tensor<3x1xi32>
  %first = arith.muli %r1, %length overflow<nsw> : tensor<3x1xi32>
  %firsts = fsm.broadcast %first : tensor<3x1xi32> -> tensor<3x259xi32>
  %c = fsm.range 0, 259 : !odds
  %c1 = fsm.expand_dims %c axis 0 : !odds -> tensor<1x259xi32>
  %columns = fsm.broadcast %c1 : tensor<1x259xi32> -> tensor<3x259xi32>
  %o = arith.addi %firsts, %columns overflow<nsw> : tensor<3x259xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<3x259xi32> -> tensor<3x259xf32>
  fsm.store %x, %to[%o] : tensor<3x259xf32>, !fsm.ptr<f32>, tensor<3x259xi32>
  fsm.return
}

fsm.kernel @scaled(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 259 : !odds
  %pid = fsm.program_id x : i32
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, !odds -> !odd
  %max = fsm.reduce <max> %x axis 0 : !odd -> f32
  %maxes = fsm.splat %max : !odd
  %y = arith.divf %x, %maxes : !odd
  %end = arith.addi %n, %pid : i32
  %ends = fsm.splat %end : !odds
  %mask = arith.cmpi slt, %r, %ends : !odds
  %pitch = arith.constant 260 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  fsm.store %y, %to[%r], %mask : !odd, !fsm.ptr<f32>, !odds
  fsm.return
}

fsm.kernel @placed(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<i32>, %pitch: i32) {
  %pid = fsm.program_id x : i32
  %r = fsm.range 0, 259 : !odds
  %x = fsm.load %in[%r] : !fsm.ptr<i32>, !odds -> !odds
  %last = fsm.reduce <max> %x axis 0 : !odds -> i32
  %two = arith.constant 2 : i32
  %length = arith.addi %last, %two : i32
  %to = func.call @row(%out, %length) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  %lengths = fsm.splat %length : !odds
  %left = arith.subi %lengths, %x : !odds
  %y = arith.sitofp %left : !odds to !odd
  fsm.store %y, %to[%r] : !odd, !fsm.ptr<f32>, !odds
  fsm.return
}

fsm.kernel @counted(%out: !fsm.ptr<f32> {fsm.large}, %in: !fsm.ptr<f32>, %n: i32) {
  %r = fsm.range 0, 259 : !odds
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, !odds -> !odd
  %sum = fsm.reduce <sum> %x axis 0 : !odd -> f32
  %sums, %at = scf.for %i = %zero to %n step %one iter_args(%s = %x, %o = %r) -> (!odd, !odds) : i32 {
    %all = fsm.splat %sum : !odd
    %next = arith.addf %s, %all : !odd
    scf.yield %next, %o : !odd, !odds
  }
  %pitch = arith.constant 260 : i32
  %to = func.call @row(%out, %pitch) : (!fsm.ptr<f32>, i32) -> !fsm.ptr<f32>
  fsm.store %sums, %to[%r] : !odd, !fsm.ptr<f32>, !odds
  fsm.return
}

fsm.kernel @padded(%out: !fsm.ptr<f32> {fsm.large, fsm.noalias}, %in: !fsm.ptr<f32>, %few: !fsm.ptr<i32>, %n: i32) {
  %pid = fsm.program_id x : i32
  %eight = fsm.range 0, 8 : tensor<8xi32>
  fsm.store %eight, %few[%eight] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  %r = fsm.range 0, 259 : !odds
  %end = arith.addi %n, %pid : i32
  %ends = fsm.splat %end : !odds
  %mask = arith.cmpi slt, %r, %ends : !odds
  %x = fsm.load %in[%r], %mask : !fsm.ptr<f32>, !odds -> !odd
  fsm.store %x, %out[%r] : !odd, !fsm.ptr<f32>, !odds
  fsm.return
}
