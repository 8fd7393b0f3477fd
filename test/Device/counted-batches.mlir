// Programs that are one program by --batch-programs, of which some have an iteration less than others: they count theirs.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.array([[len(range(i, 10, 3))] * 8 for i in range(3)], numpy.int32).ravel())"
// RUN: %fsm_run %s --kernel=counts --device=interp --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=counts --device=cpu --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=counts --device=sim --batch-programs=2 --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=counts --device=sim --batch-programs=4 --grid=3 --arg=i32[24] --arg=10 --check=0:%t.npy

// They change rows in place, of which those behind the grid's last program have none.
// RUN: %python -c "import numpy; numpy.save(r'%t.rows.npy', numpy.arange(80, dtype=numpy.int32) + 1)"
// RUN: %fsm_run %s --kernel=rows --device=cpu --grid=3 --arg=i32[80]:arange --arg=10 --check=0:%t.rows.npy
// RUN: %fsm_run %s --kernel=rows --device=sim --batch-programs=2 --grid=3 --arg=i32[80]:arange --arg=10 --check=0:%t.rows.npy
// RUN: %fsm_run %s --kernel=rows --device=sim --batch-programs=4 --grid=3 --arg=i32[80]:arange --arg=10 --check=0:%t.rows.npy

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

fsm.kernel @rows(%rows: !fsm.ptr<i32>, %n: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %eight = arith.constant 8 : i32
  %one = arith.constant dense<1> : tensor<8xi32>
  %at = fsm.range 0, 8 : tensor<8xi32>
  scf.for %i = %first to %n step %step : i32 {
    %begin = arith.muli %i, %eight overflow<nsw> : i32
    %row = fsm.offset %rows, %begin : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%at] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
    %y = arith.addi %x, %one : tensor<8xi32>
    fsm.store %y, %row[%at] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  }
  fsm.return
}
