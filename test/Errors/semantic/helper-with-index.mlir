// What a helper holds is checked when it is inlined.
func.func @helper(%n: i32) -> i32 {
  %a = arith.index_cast %n : i32 to index
  %c = arith.muli %a, %a : index
  %b = arith.index_cast %c : index to i32
  return %b : i32
}
fsm.kernel @k(%p: !fsm.ptr<i32>, %n: i32) {
  %a = func.call @helper(%n) : (i32) -> i32
  fsm.store %a, %p : i32, !fsm.ptr<i32>
  fsm.return
}
