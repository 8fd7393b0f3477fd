// Transposes of blocks whose shape that does not change; `fsm-run` is driven by shapes.py.
// param T
// param FROM
// param TO
// param ORDER
// param N

// Where the elements are read they are written, transposed; twice in a loop, and once more.
fsm.kernel @in_place(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %o = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<${T}>, tensor<${FROM}xi32> -> tensor<${FROM}x${T}>
  fsm.store %x, %out[%o] : tensor<${FROM}x${T}>, !fsm.ptr<${T}>, tensor<${FROM}xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %last = scf.for %i = %zero to %two step %one iter_args(%b = %x) -> tensor<${FROM}x${T}> : i32 {
    %y = fsm.load %out[%o] : !fsm.ptr<${T}>, tensor<${FROM}xi32> -> tensor<${FROM}x${T}>
    %t = fsm.transpose %y order [${ORDER}] : tensor<${FROM}x${T}> -> tensor<${TO}x${T}>
    fsm.store %t, %out[%o] : tensor<${TO}x${T}>, !fsm.ptr<${T}>, tensor<${TO}xi32>
    %next = fsm.transpose %b order [${ORDER}] : tensor<${FROM}x${T}> -> tensor<${TO}x${T}>
    scf.yield %next : tensor<${TO}x${T}>
  }
  %u = fsm.transpose %last order [${ORDER}] : tensor<${FROM}x${T}> -> tensor<${TO}x${T}>
  fsm.store %u, %out[%o] : tensor<${TO}x${T}>, !fsm.ptr<${T}>, tensor<${TO}xi32>
  fsm.return
}
