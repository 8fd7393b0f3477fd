// Rows and columns of places, of which neighbours have one row, and columns that follow each other, where the width is a multiple of
// as many as a thread has side by side: a quotient is computed once for these. Widths that are none are divided by for each.
//
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=1 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=48
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=4 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=48
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=4 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=20
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=1 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=7
// RUN: %fsm_run %s --kernel=wide --device=sim --num-warps=1 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=48
// RUN: %fsm_run %s --kernel=wide --device=sim --num-warps=4 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=20
// RUN: %fsm_run %s --kernel=wide --device=sim --num-warps=4 --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=7
// RUN: %fsm_run %s --kernel=narrow --device=cpu --compare=interp --grid=3 --arg=i16[3072] --arg=i16[8192]:arange --arg=48

fsm.kernel @narrow(%out: !fsm.ptr<i16>, %in: !fsm.ptr<i16>, %width: i32) {
  %program = fsm.program_id x : i32
  %number = arith.constant 1024 : i32
  %first = arith.muli %program, %number overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %r = fsm.range 0, 1024 : tensor<1024xi32>
  %place = arith.addi %firsts, %r overflow<nsw> : tensor<1024xi32>
  %widths = fsm.splat %width : tensor<1024xi32>
  %column = arith.remsi %place, %widths : tensor<1024xi32>
  %row = arith.divsi %place, %widths : tensor<1024xi32>
  %two = arith.constant dense<2> : tensor<1024xi32>
  %pitches = arith.muli %widths, %two overflow<nsw> : tensor<1024xi32>
  %begin = arith.muli %row, %pitches overflow<nsw> : tensor<1024xi32>
  %from = arith.addi %begin, %column overflow<nsw> : tensor<1024xi32>
  %x = fsm.load %in[%from] : !fsm.ptr<i16>, tensor<1024xi32> -> tensor<1024xi16>
  %rows = arith.trunci %row : tensor<1024xi32> to tensor<1024xi16>
  %columns = arith.trunci %column : tensor<1024xi32> to tensor<1024xi16>
  %both = arith.muli %rows, %columns : tensor<1024xi16>
  %sum = arith.addi %x, %both : tensor<1024xi16>
  fsm.store %sum, %out[%place] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @wide(%out: !fsm.ptr<i16>, %in: !fsm.ptr<i16>, %width: i64) {
  %program = fsm.program_id x : i32
  %number = arith.constant 1024 : i32
  %first = arith.muli %program, %number overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %r = fsm.range 0, 1024 : tensor<1024xi32>
  %narrow = arith.addi %firsts, %r overflow<nsw> : tensor<1024xi32>
  %place = arith.extsi %narrow : tensor<1024xi32> to tensor<1024xi64>
  %widths = fsm.splat %width : tensor<1024xi64>
  %column = arith.remsi %place, %widths : tensor<1024xi64>
  %row = arith.divsi %place, %widths : tensor<1024xi64>
  %two = arith.constant dense<2> : tensor<1024xi64>
  %pitches = arith.muli %widths, %two overflow<nsw> : tensor<1024xi64>
  %begin = arith.muli %row, %pitches overflow<nsw> : tensor<1024xi64>
  %from = arith.addi %begin, %column overflow<nsw> : tensor<1024xi64>
  %x = fsm.load %in[%from] : !fsm.ptr<i16>, tensor<1024xi64> -> tensor<1024xi16>
  %rows = arith.trunci %row : tensor<1024xi64> to tensor<1024xi16>
  %columns = arith.trunci %column : tensor<1024xi64> to tensor<1024xi16>
  %both = arith.muli %rows, %columns : tensor<1024xi16>
  %sum = arith.addi %x, %both : tensor<1024xi16>
  fsm.store %sum, %out[%place] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi64>
  fsm.return
}
