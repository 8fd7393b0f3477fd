// Products of matrices of any shape; `fsm-run` is driven by dots.py. A, B and C are the shapes of the
// matrices, AN, BN and CN their numbers of elements.
// param T
// param S
// param A
// param B
// param C
// param AN
// param BN
// param CN
// param PRECISION

!left = tensor<${A}x${T}>
!right = tensor<${B}x${T}>
!sum = tensor<${C}x${S}>

func.func private @right(%b: !fsm.ptr<${T}>) -> !right {
  %n = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %o = fsm.reshape %n : tensor<${BN}xi32> -> tensor<${B}xi32>
  %x = fsm.load %b[%o] : !fsm.ptr<${T}>, tensor<${B}xi32> -> !right
  func.return %x : !right
}

func.func private @left(%a: !fsm.ptr<${T}>) -> !left {
  %n = fsm.range 0, ${AN} : tensor<${AN}xi32>
  %o = fsm.reshape %n : tensor<${AN}xi32> -> tensor<${A}xi32>
  %x = fsm.load %a[%o] : !fsm.ptr<${T}>, tensor<${A}xi32> -> !left
  func.return %x : !left
}

func.func private @places() -> tensor<${C}xi32> {
  %n = fsm.range 0, ${CN} : tensor<${CN}xi32>
  %o = fsm.reshape %n : tensor<${CN}xi32> -> tensor<${C}xi32>
  func.return %o : tensor<${C}xi32>
}

fsm.kernel @dot(%out: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %c: !fsm.ptr<${S}>) {
  %left = func.call @left(%a) : (!fsm.ptr<${T}>) -> !left
  %right = func.call @right(%b) : (!fsm.ptr<${T}>) -> !right
  %o = func.call @places() : () -> tensor<${C}xi32>
  %acc = fsm.load %c[%o] : !fsm.ptr<${S}>, tensor<${C}xi32> -> !sum
  %d = fsm.dot %left, %right, %acc ${PRECISION}
    : !left, !right -> !sum
  fsm.store %d, %out[%o] : !sum, !fsm.ptr<${S}>, tensor<${C}xi32>
  fsm.return
}

// The sum is carried by a loop, which adds the product twice.
fsm.kernel @twice(%out: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %c: !fsm.ptr<${S}>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %o = func.call @places() : () -> tensor<${C}xi32>
  %acc = fsm.load %c[%o] : !fsm.ptr<${S}>, tensor<${C}xi32> -> !sum
  %d = scf.for %i = %zero to %two step %one iter_args(%sum = %acc) -> (!sum) : i32 {
    %left = func.call @left(%a) : (!fsm.ptr<${T}>) -> !left
    %right = func.call @right(%b) : (!fsm.ptr<${T}>) -> !right
    %next = fsm.dot %left, %right, %sum ${PRECISION}
      : !left, !right -> !sum
    scf.yield %next : !sum
  }
  fsm.store %d, %out[%o] : !sum, !fsm.ptr<${S}>, tensor<${C}xi32>
  fsm.return
}
