// Quotients and remainders of numbers that a loop loads by one that it does not change: all signs, small and large divisors, and numbers
// around the multiples of them, against the interpreter.
//
// DEFINE: %{d} =
// DEFINE: %{run} = %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[4x256] --arg=%{d}
// REDEFINE: %{d} = 1
// RUN: %{run}
// REDEFINE: %{d} = 3
// RUN: %{run}
// REDEFINE: %{d} = -7
// RUN: %{run}
// REDEFINE: %{d} = 128
// RUN: %{run}
// REDEFINE: %{d} = 65537
// RUN: %{run}
// REDEFINE: %{d} = 2147483647
// RUN: %{run}
// REDEFINE: %{d} = -2147483648
// RUN: %{run}
// REDEFINE: %{d} = -2147483647
// RUN: %{run}

fsm.kernel @divided(%out: !fsm.ptr<i32>, %d: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %count = arith.constant 256 : i32
  %four = arith.constant 4 : i32
  %odd = arith.constant -1640531535 : i32
  scf.for %i = %zero to %count step %one : i32 {
    %mixed = arith.muli %i, %odd : i32
    %multiple = arith.muli %i, %d : i32
    %which = arith.andi %i, %three : i32
    %near = arith.subi %multiple, %which : i32
    %half = arith.andi %i, %four : i32
    %isNear = arith.cmpi ne, %half, %zero : i32
    %n = arith.select %isNear, %near, %mixed : i32
    %q = arith.divsi %n, %d : i32
    %r = arith.remsi %n, %d : i32
    %uq = arith.divui %n, %d : i32
    %ur = arith.remui %n, %d : i32
    %pi = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %q, %pi : i32, !fsm.ptr<i32>
    %i1 = arith.addi %i, %count : i32
    %pi1 = fsm.offset %out, %i1 : !fsm.ptr<i32>, i32
    fsm.store %r, %pi1 : i32, !fsm.ptr<i32>
    %i2 = arith.addi %i1, %count : i32
    %pi2 = fsm.offset %out, %i2 : !fsm.ptr<i32>, i32
    fsm.store %uq, %pi2 : i32, !fsm.ptr<i32>
    %i3 = arith.addi %i2, %count : i32
    %pi3 = fsm.offset %out, %i3 : !fsm.ptr<i32>, i32
    fsm.store %ur, %pi3 : i32, !fsm.ptr<i32>
  }
  fsm.return
}
