// Numbers of bf16, computed with as f32 or f64 and rounded to f16, of all 65,536: one with a constant, and two. InstCombine of LLVM computes
// such in f16, which has more bits than bf16 but a smaller range: 100000 * 0.125 was infinite, 37.5 * 2^-24 / 3 was rounded twice
// (seed 32000938).
//
// RUN: %fsm_run %s --kernel=added --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=subtracted --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=multiplied --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=divided --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=left_over --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=added --device=cpu --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=subtracted --device=cpu --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=multiplied --device=cpu --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=divided --device=cpu --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=left_over --device=cpu --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=multiplied --device=sim --target=sm_75 --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=divided --device=sim --target=sm_75 --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
// RUN: %fsm_run %s --kernel=multiplied -D WIDE=f64 --device=sim --compare=interp --grid=64 --arg=f16[65536] --arg=f16[65536]
//
// param WIDE = f32

fsm.kernel @added(%one: !fsm.ptr<f16>, %two: !fsm.ptr<f16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %odd = arith.constant dense<40503> : tensor<1024xi16>
  %mixed = arith.muli %bits, %odd : tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024xbf16>
  %y = arith.bitcast %mixed : tensor<1024xi16> to tensor<1024xbf16>
  %wide_x = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
  %wide_y = arith.extf %y : tensor<1024xbf16> to tensor<1024xf32>
  %c = arith.constant dense<-98304.0> : tensor<1024xf32>
  %by_constant = arith.addf %wide_x, %c : tensor<1024xf32>
  %by_number = arith.addf %wide_x, %wide_y : tensor<1024xf32>
  %rounded_one = arith.truncf %by_constant : tensor<1024xf32> to tensor<1024xf16>
  %rounded_two = arith.truncf %by_number : tensor<1024xf32> to tensor<1024xf16>
  fsm.store %rounded_one, %one[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.store %rounded_two, %two[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @subtracted(%one: !fsm.ptr<f16>, %two: !fsm.ptr<f16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %odd = arith.constant dense<40503> : tensor<1024xi16>
  %mixed = arith.muli %bits, %odd : tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024xbf16>
  %y = arith.bitcast %mixed : tensor<1024xi16> to tensor<1024xbf16>
  %wide_x = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
  %wide_y = arith.extf %y : tensor<1024xbf16> to tensor<1024xf32>
  %c = arith.constant dense<98304.0> : tensor<1024xf32>
  %by_constant = arith.subf %wide_x, %c : tensor<1024xf32>
  %by_number = arith.subf %wide_x, %wide_y : tensor<1024xf32>
  %rounded_one = arith.truncf %by_constant : tensor<1024xf32> to tensor<1024xf16>
  %rounded_two = arith.truncf %by_number : tensor<1024xf32> to tensor<1024xf16>
  fsm.store %rounded_one, %one[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.store %rounded_two, %two[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @multiplied(%one: !fsm.ptr<f16>, %two: !fsm.ptr<f16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %odd = arith.constant dense<40503> : tensor<1024xi16>
  %mixed = arith.muli %bits, %odd : tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024xbf16>
  %y = arith.bitcast %mixed : tensor<1024xi16> to tensor<1024xbf16>
  %wide_x = arith.extf %x : tensor<1024xbf16> to tensor<1024x${WIDE}>
  %wide_y = arith.extf %y : tensor<1024xbf16> to tensor<1024x${WIDE}>
  %c = arith.constant dense<0.125> : tensor<1024x${WIDE}>
  %by_constant = arith.mulf %wide_x, %c : tensor<1024x${WIDE}>
  %by_number = arith.mulf %wide_x, %wide_y : tensor<1024x${WIDE}>
  %rounded_one = arith.truncf %by_constant : tensor<1024x${WIDE}> to tensor<1024xf16>
  %rounded_two = arith.truncf %by_number : tensor<1024x${WIDE}> to tensor<1024xf16>
  fsm.store %rounded_one, %one[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.store %rounded_two, %two[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @divided(%one: !fsm.ptr<f16>, %two: !fsm.ptr<f16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %odd = arith.constant dense<40503> : tensor<1024xi16>
  %mixed = arith.muli %bits, %odd : tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024xbf16>
  %y = arith.bitcast %mixed : tensor<1024xi16> to tensor<1024xbf16>
  %wide_x = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
  %wide_y = arith.extf %y : tensor<1024xbf16> to tensor<1024xf32>
  %c = arith.constant dense<3.0> : tensor<1024xf32>
  %by_constant = fsm.div_rn %wide_x, %c : tensor<1024xf32>
  %by_number = fsm.div_rn %wide_x, %wide_y : tensor<1024xf32>
  %rounded_one = arith.truncf %by_constant : tensor<1024xf32> to tensor<1024xf16>
  %rounded_two = arith.truncf %by_number : tensor<1024xf32> to tensor<1024xf16>
  fsm.store %rounded_one, %one[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.store %rounded_two, %two[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @left_over(%one: !fsm.ptr<f16>, %two: !fsm.ptr<f16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %odd = arith.constant dense<40503> : tensor<1024xi16>
  %mixed = arith.muli %bits, %odd : tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024xbf16>
  %y = arith.bitcast %mixed : tensor<1024xi16> to tensor<1024xbf16>
  %wide_x = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
  %wide_y = arith.extf %y : tensor<1024xbf16> to tensor<1024xf32>
  %c = arith.constant dense<3.0> : tensor<1024xf32>
  %by_constant = arith.remf %wide_x, %c : tensor<1024xf32>
  %by_number = arith.remf %wide_x, %wide_y : tensor<1024xf32>
  %rounded_one = arith.truncf %by_constant : tensor<1024xf32> to tensor<1024xf16>
  %rounded_two = arith.truncf %by_number : tensor<1024xf32> to tensor<1024xf16>
  fsm.store %rounded_one, %one[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.store %rounded_two, %two[%number] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}
