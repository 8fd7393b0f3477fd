// Kernels that state their grid, and one that does not.

// The extents of the grid, from the program that is first of all.
fsm.kernel @tiles(%out: !fsm.ptr<i32>, %m: i32, %n: i32) grid [ceildiv(%m, 64), %n + 1] {
  %x = fsm.num_programs x : i32
  %y = fsm.num_programs y : i32
  %z = fsm.num_programs z : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %at1 = fsm.offset %out, %one : !fsm.ptr<i32>, i32
  %at2 = fsm.offset %out, %two : !fsm.ptr<i32>, i32
  fsm.store %x, %out : i32, !fsm.ptr<i32>
  fsm.store %y, %at1 : i32, !fsm.ptr<i32>
  fsm.store %z, %at2 : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @divided(%m: i32) grid [ceildiv(1, %m)] {
  fsm.return
}

fsm.kernel @silent() {
  fsm.return
}
