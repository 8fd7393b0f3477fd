// Joins and splits of blocks in row-major order; `fsm-run` is driven by shapes.py.
// param T
// param FROM
// param N
// param HALF

// The two halves of what is read alternate.
fsm.kernel @join(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %half = fsm.range 0, ${HALF} : tensor<${HALF}xi32>
  %l = fsm.reshape %half : tensor<${HALF}xi32> -> tensor<${FROM}xi32>
  %halves = arith.constant dense<${HALF}> : tensor<${FROM}xi32>
  %r = arith.addi %l, %halves overflow<nsw> : tensor<${FROM}xi32>
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %to = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}x2xi32>
  %x = fsm.load %in[%l] : !fsm.ptr<${T}>, tensor<${FROM}xi32> -> tensor<${FROM}x${T}>
  %y = fsm.load %in[%r] : !fsm.ptr<${T}>, tensor<${FROM}xi32> -> tensor<${FROM}x${T}>
  %z = fsm.join %x, %y : tensor<${FROM}x${T}> -> tensor<${FROM}x2x${T}>
  fsm.store %z, %out[%to] : tensor<${FROM}x2x${T}>, !fsm.ptr<${T}>, tensor<${FROM}x2xi32>
  fsm.return
}

// Every other element, then those between.
fsm.kernel @split(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %half = fsm.range 0, ${HALF} : tensor<${HALF}xi32>
  %l = fsm.reshape %half : tensor<${HALF}xi32> -> tensor<${FROM}xi32>
  %halves = arith.constant dense<${HALF}> : tensor<${FROM}xi32>
  %r = arith.addi %l, %halves overflow<nsw> : tensor<${FROM}xi32>
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %from = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}x2xi32>
  %z = fsm.load %in[%from] : !fsm.ptr<${T}>, tensor<${FROM}x2xi32> -> tensor<${FROM}x2x${T}>
  %x, %y = fsm.split %z : tensor<${FROM}x2x${T}> -> tensor<${FROM}x${T}>
  fsm.store %x, %out[%l] : tensor<${FROM}x${T}>, !fsm.ptr<${T}>, tensor<${FROM}xi32>
  fsm.store %y, %out[%r] : tensor<${FROM}x${T}>, !fsm.ptr<${T}>, tensor<${FROM}xi32>
  fsm.return
}

// The two of each pair change places, three times: in a loop and once more.
fsm.kernel @swap(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %o = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}x2xi32>
  %z = fsm.load %in[%o] : !fsm.ptr<${T}>, tensor<${FROM}x2xi32> -> tensor<${FROM}x2x${T}>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %last = scf.for %i = %zero to %two step %one iter_args(%b = %z) -> tensor<${FROM}x2x${T}> : i32 {
    %x, %y = fsm.split %b : tensor<${FROM}x2x${T}> -> tensor<${FROM}x${T}>
    %next = fsm.join %y, %x : tensor<${FROM}x${T}> -> tensor<${FROM}x2x${T}>
    scf.yield %next : tensor<${FROM}x2x${T}>
  }
  %u, %v = fsm.split %last : tensor<${FROM}x2x${T}> -> tensor<${FROM}x${T}>
  %w = fsm.join %v, %u : tensor<${FROM}x${T}> -> tensor<${FROM}x2x${T}>
  fsm.store %w, %out[%o] : tensor<${FROM}x2x${T}>, !fsm.ptr<${T}>, tensor<${FROM}x2xi32>
  fsm.return
}
