// Bias and GELU in one pass: a file may hold several kernels, and helpers they
// share, which are inlined. Element i of a row-major matrix is in column i
// modulo cols, so offsets computed element by element pick its bias.
// Grid: n / BLOCK, rounded up. Choose with --kernel=gelu_tanh or gelu_erf.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

!pointer = !fsm.ptr<${T}>
!offsets = tensor<${BLOCK}xi32>
!mask = tensor<${BLOCK}xi1>
!stored = tensor<${BLOCK}x${T}>
!block = tensor<${BLOCK}x${C}>

// Where this program's elements are, which of them are valid, and x + bias.
func.func private @load_biased(%in: !pointer, %bias: !pointer, %n: i32, %cols: i32) -> (!offsets, !mask, !block) {
  %program = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %program, %size overflow<nsw> : i32
  %starts = fsm.splat %start : !offsets
  %lane = fsm.range 0, ${BLOCK} : !offsets
  %offs = arith.addi %starts, %lane overflow<nsw> : !offsets
  %limit = fsm.splat %n : !offsets
  %mask = arith.cmpi slt, %offs, %limit : !offsets
  %x_raw = fsm.load %in[%offs], %mask : !pointer, !offsets -> !stored
  %x = ${WIDEN} %x_raw : !stored to !block
  %divisor = fsm.splat %cols : !offsets
  %column = arith.remsi %offs, %divisor : !offsets
  %b_raw = fsm.load %bias[%column], %mask : !pointer, !offsets -> !stored
  %b = ${WIDEN} %b_raw : !stored to !block
  %sum = arith.addf %x, %b : !block
  func.return %offs, %mask, %sum : !offsets, !mask, !block
}

// x / 2 * (1 + curve)
func.func private @gated(%x: !block, %curve: !block) -> !stored {
  %half = arith.constant dense<0.5> : !block
  %one = arith.constant dense<1.0> : !block
  %halved = arith.mulf %x, %half : !block
  %gate = arith.addf %curve, %one : !block
  %gelu = arith.mulf %halved, %gate : !block
  %y = ${NARROW} %gelu : !block to !stored
  func.return %y : !stored
}

// curve = tanh(sqrt(2 / pi) * (x + 0.044715 x^3))
fsm.kernel @gelu_tanh(%out: !pointer, %in: !pointer, %bias: !pointer, %n: i32, %cols: i32) {
  %offs, %mask, %x = func.call @load_biased(%in, %bias, %n, %cols) : (!pointer, !pointer, i32, i32) -> (!offsets, !mask, !block)
  %one = arith.constant dense<1.0> : !block
  %k0 = arith.constant dense<0.7978845608028654> : !block
  %k1 = arith.constant dense<0.044715> : !block
  %x2 = arith.mulf %x, %x : !block
  %cubic = arith.mulf %x2, %k1 fastmath<contract> : !block
  %factor = arith.addf %cubic, %one fastmath<contract> : !block
  %scaled = arith.mulf %x, %k0 : !block
  %u = arith.mulf %scaled, %factor : !block
  %tanh = math.tanh %u : !block
  %y = func.call @gated(%x, %tanh) : (!block, !block) -> !stored
  fsm.store %y, %out[%offs], %mask : !stored, !pointer, !offsets
  fsm.return
}

// curve = erf(x / sqrt(2))
fsm.kernel @gelu_erf(%out: !pointer, %in: !pointer, %bias: !pointer, %n: i32, %cols: i32) {
  %offs, %mask, %x = func.call @load_biased(%in, %bias, %n, %cols) : (!pointer, !pointer, i32, i32) -> (!offsets, !mask, !block)
  %k = arith.constant dense<0.7071067811865476> : !block
  %u = arith.mulf %x, %k : !block
  %erf = math.erf %u : !block
  %y = func.call @gated(%x, %erf) : (!block, !block) -> !stored
  fsm.store %y, %out[%offs], %mask : !stored, !pointer, !offsets
  fsm.return
}
