// A block of f64 ends in the first half of a vector, whose other half AVX2 has in a register of its own: LLVM 22 loaded all of that
// register, behind the end of the array (examples/02 of f64 at 1590 numbers, on a CPU without AVX-512).
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=2 --arg=f64[1590]:full:7 --arg=f64[1590]:uniform:1 --arg=f64[1590]:uniform:2 --arg=1590 --guard=begin
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=2 --arg=f64[1590]:full:7 --arg=f64[1590]:uniform:1 --arg=f64[1590]:uniform:2 --arg=1590 --guard=end

fsm.kernel @sums(%out: !fsm.ptr<f64>, %a: !fsm.ptr<f64>, %b: !fsm.ptr<f64>, %n: i32) {
  %program = fsm.program_id x : i32
  %size = arith.constant 1170 : i32
  %start = arith.muli %program, %size overflow<nsw> : i32
  %left = arith.subi %n, %start overflow<nsw> : i32
  %limit = fsm.splat %left : tensor<1170xi32>
  %offs = fsm.range 0, 1170 : tensor<1170xi32>
  %mask = arith.cmpi slt, %offs, %limit : tensor<1170xi32>
  %pa = fsm.offset %a, %start : !fsm.ptr<f64>, i32
  %x = fsm.load %pa[%offs], %mask : !fsm.ptr<f64>, tensor<1170xi32> -> tensor<1170xf64>
  %pb = fsm.offset %b, %start : !fsm.ptr<f64>, i32
  %y = fsm.load %pb[%offs], %mask : !fsm.ptr<f64>, tensor<1170xi32> -> tensor<1170xf64>
  %sum = arith.addf %x, %y : tensor<1170xf64>
  %dst = fsm.offset %out, %start : !fsm.ptr<f64>, i32
  fsm.store %sum, %dst[%offs], %mask : tensor<1170xf64>, !fsm.ptr<f64>, tensor<1170xi32>
  fsm.return
}
