// Each program writes the number that it has in the grid, and how many there are along x; its author wants few to be started.
fsm.kernel @numbers(%out: !fsm.ptr<i32>) attributes {fsm.loop_programs = 4 : i32} {
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %z = fsm.program_id z : i32
  %columns = fsm.num_programs x : i32
  %rows = fsm.num_programs y : i32
  %plane = arith.muli %z, %rows overflow<nsw> : i32
  %row = arith.addi %plane, %y overflow<nsw> : i32
  %first = arith.muli %row, %columns overflow<nsw> : i32
  %number = arith.addi %first, %x overflow<nsw> : i32
  %two = arith.constant 2 : i32
  %begin = arith.muli %number, %two overflow<nsw> : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<i32>, i32
  fsm.store %number, %to : i32, !fsm.ptr<i32>
  %one = arith.constant 1 : i32
  %next = fsm.offset %to, %one : !fsm.ptr<i32>, i32
  fsm.store %columns, %next : i32, !fsm.ptr<i32>
  fsm.return
}
