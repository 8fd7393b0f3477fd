// Philox of counters and keys from memory; `fsm-run` is driven by random.py.
// param N
!words = tensor<${N}xi32>
!pointer = !fsm.ptr<i32>

// Word w of input i stands at i + w N.
func.func private @load(%p: !pointer, %word: i32) -> !words {
  %n = arith.constant ${N} : i32
  %first = arith.muli %word, %n overflow<nsw> : i32
  %firsts = fsm.splat %first : !words
  %range = fsm.range 0, ${N} : !words
  %o = arith.addi %firsts, %range overflow<nsw> : !words
  %x = fsm.load %p[%o] : !pointer, !words -> !words
  func.return %x : !words
}

func.func private @store(%p: !pointer, %word: i32, %x: !words) {
  %n = arith.constant ${N} : i32
  %first = arith.muli %word, %n overflow<nsw> : i32
  %firsts = fsm.splat %first : !words
  %range = fsm.range 0, ${N} : !words
  %o = arith.addi %firsts, %range overflow<nsw> : !words
  fsm.store %x, %p[%o] : !words, !pointer, !words
  func.return
}

fsm.kernel @blocks(%out: !pointer, %in: !pointer) {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %c0 = func.call @load(%in, %i0) : (!pointer, i32) -> !words
  %c1 = func.call @load(%in, %i1) : (!pointer, i32) -> !words
  %c2 = func.call @load(%in, %i2) : (!pointer, i32) -> !words
  %c3 = func.call @load(%in, %i3) : (!pointer, i32) -> !words
  %k0 = func.call @load(%in, %i4) : (!pointer, i32) -> !words
  %k1 = func.call @load(%in, %i5) : (!pointer, i32) -> !words
  %a, %b, %c, %d = fsm.philox counter %c0, %c1, %c2, %c3 key %k0, %k1 : !words
  func.call @store(%out, %i0, %a) : (!pointer, i32, !words) -> ()
  func.call @store(%out, %i1, %b) : (!pointer, i32, !words) -> ()
  func.call @store(%out, %i2, %c) : (!pointer, i32, !words) -> ()
  func.call @store(%out, %i3, %d) : (!pointer, i32, !words) -> ()
  fsm.return
}

// One counter and key for all: a matter of scalars.
fsm.kernel @scalars(%out: !pointer, %c0: i32, %c1: i32, %c2: i32, %c3: i32, %k0: i32, %k1: i32) {
  %a, %b, %c, %d = fsm.philox counter %c0, %c1, %c2, %c3 key %k0, %k1 : i32
  %one = arith.constant 1 : i32
  %p1 = fsm.offset %out, %one : !pointer, i32
  %p2 = fsm.offset %p1, %one : !pointer, i32
  %p3 = fsm.offset %p2, %one : !pointer, i32
  fsm.store %a, %out : i32, !pointer
  fsm.store %b, %p1 : i32, !pointer
  fsm.store %c, %p2 : i32, !pointer
  fsm.store %d, %p3 : i32, !pointer
  fsm.return
}
