// Programs that are one program by --batch-programs, of which some have an iteration less than others: they count theirs.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.array([[len(range(i, 10, 3))] * 8 for i in range(3)], numpy.int32).ravel())"
// RUN: %fsm_run %s --device=interp --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --device=cpu --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --batch-programs=2 --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --batch-programs=4 --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy

fsm.kernel @counts(%out: !fsm.ptr<i32>, %n: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %none = arith.constant dense<0> : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %count = scf.for %i = %first to %n step %step iter_args(%before = %none) -> (tensor<8xi32>) : i32 {
    %next = arith.addi %before, %one : tensor<8xi32>
    scf.yield %next : tensor<8xi32>
  }
  %eight = arith.constant 8 : i32
  %begin = arith.muli %first, %eight overflow<nsw> : i32
  %row = fsm.offset %out, %begin : !fsm.ptr<i32>, i32
  %at = fsm.range 0, 8 : tensor<8xi32>
  fsm.store %count, %row[%at] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}
