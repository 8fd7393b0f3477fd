// What the CPU keeps in memory is there before a branch reads what is computed from it, also if a reduction behind the branch
// reads it too: kernel 100399 of the fuzzer, by hand.
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=4 --arg=f64[400] --arg=f64[4] --arg=1 --no-specialize
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=4 --arg=f64[400] --arg=f64[4] --arg=0 --no-specialize

fsm.kernel @branch(%o: !fsm.ptr<f64>, %sums: !fsm.ptr<f64>, %wants: i32) {
  %pid = fsm.program_id x : i32
  %size = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %first = arith.muli %pid, %size overflow<nsw> : i32
  %mine = fsm.offset %o, %first : !fsm.ptr<f64>, i32
  %sum_place = fsm.offset %sums, %pid : !fsm.ptr<f64>, i32
  %places = fsm.range 0, 100 : tensor<100xi32>
  %firsts = fsm.splat %first : tensor<100xi32>
  %numbers = arith.addi %places, %firsts : tensor<100xi32>
  %x = arith.sitofp %numbers : tensor<100xi32> to tensor<100xf64>
  %limit = arith.constant dense<250.0> : tensor<100xf64>
  %kept = arith.minimumf %x, %limit : tensor<100xf64>
  %negated = arith.negf %kept : tensor<100xf64>
  %is_wanted = arith.cmpi ne, %wants, %zero : i32
  scf.if %is_wanted {
    fsm.store %negated, %mine[%places] : tensor<100xf64>, !fsm.ptr<f64>, tensor<100xi32>
  }
  %sum = fsm.reduce <sum> %kept axis 0 : tensor<100xf64> -> f64
  %least = fsm.scan <min> %kept axis 0 : tensor<100xf64>
  %last = fsm.reduce <sum> %least axis 0 : tensor<100xf64> -> f64
  %both = arith.addf %sum, %last : f64
  fsm.store %both, %sum_place : f64, !fsm.ptr<f64>
  fsm.return
}
