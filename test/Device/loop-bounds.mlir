// Loops whose bounds lie further apart than their type, read as signed, can say, or whose step is such a number: they run as
// often as written, also where all numbers are known.
//
// RUN: %fsm_run %s --kernel=known --device=interp --grid=1 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: %fsm_run %s --kernel=known --device=cpu --grid=1 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: %fsm_run %s --kernel=known --device=cpu --without=canonicalize --grid=1 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: %fsm_run %s --kernel=known --device=sim --num-warps=2 --grid=1 2>&1 | FileCheck %s --check-prefix=KNOWN
//
// RUN: %fsm_run %s --kernel=partly --device=interp --grid=1 --arg=120 --arg=5 --arg=-1 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: %fsm_run %s --kernel=partly --device=cpu --grid=1 --arg=120 --arg=5 --arg=-1 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: %fsm_run %s --kernel=partly --device=sim --num-warps=1 --grid=1 --arg=120 --arg=5 --arg=-1 2>&1 | FileCheck %s --check-prefix=PARTLY
//
// What would be negative is not a step; such a loop of the compiled kernel does not run.
// RUN: %fsm_run %s --kernel=partly --device=cpu --grid=1 --arg=-120 --arg=5 --arg=-1 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not %fsm_run %s --kernel=partly --device=interp --grid=1 --arg=-120 --arg=5 --arg=-1 2>&1 | FileCheck %s --check-prefix=STEP

// So it is where the step is known but the bounds are not; read as unsigned it is a large one.
// RUN: %fsm_run %s --kernel=down --device=cpu --grid=1 --arg=0 --arg=5 2>&1 | FileCheck %s --check-prefix=DOWN
// RUN: %fsm_run %s --kernel=down --device=sim --num-warps=1 --grid=1 --arg=0 --arg=5 2>&1 | FileCheck %s --check-prefix=DOWN
// RUN: %fsm_run %s --kernel=down --device=sim --num-warps=1 --num-stages=3 --grid=1 --arg=0 --arg=5 2>&1 | FileCheck %s --check-prefix=DOWN

// KNOWN:      i8 = -100{{$}}
// KNOWN-NEXT: i8 = 20{{$}}
// KNOWN-NEXT: i32 = -2147483648{{$}}
// KNOWN-NEXT: i32 = -1073741824{{$}}
// KNOWN-NEXT: i32 = 0{{$}}
// KNOWN-NEXT: i32 = 1073741824{{$}}
// KNOWN-NEXT: times = 255{{$}}
// KNOWN-NEXT: unsigned i8 = 1{{$}}
// KNOWN-NEXT: unsigned i8 = -127{{$}}
// KNOWN-NEXT: unsigned i64 = 0{{$}}
// KNOWN-NEXT: unsigned i64 = -9223372036854775808{{$}}
// KNOWN-NEXT: unsigned i1 = 0{{$}}
// KNOWN-NOT:  {{.}}
fsm.kernel @known() {
  %m100 = arith.constant -100 : i8
  %p100 = arith.constant 100 : i8
  %p120 = arith.constant 120 : i8
  scf.for %i = %m100 to %p100 step %p120 : i8 {
    fsm.print "i8" %i : i8
  }
  %low = arith.constant -2147483648 : i32
  %high = arith.constant 2147483647 : i32
  %quarter = arith.constant 1073741824 : i32
  scf.for %i = %low to %high step %quarter : i32 {
    fsm.print "i32" %i : i32
  }
  %least = arith.constant -128 : i8
  %most = arith.constant 127 : i8
  %one8 = arith.constant 1 : i8
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %times = scf.for %i = %least to %most step %one8 iter_args(%n = %zero) -> (i32) : i8 {
    %next = arith.addi %n, %one : i32
    scf.yield %next : i32
  }
  fsm.print "times" %times : i32
  %u255 = arith.constant -1 : i8
  scf.for unsigned %i = %one8 to %u255 step %least : i8 {
    fsm.print "unsigned i8" %i : i8
  }
  %zero64 = arith.constant 0 : i64
  %most64 = arith.constant -1 : i64
  %half64 = arith.constant -9223372036854775808 : i64
  scf.for unsigned %i = %zero64 to %most64 step %half64 : i64 {
    fsm.print "unsigned i64" %i : i64
  }
  %false = arith.constant false
  %true = arith.constant true
  scf.for unsigned %i = %false to %true step %true : i1 {
    fsm.print "unsigned i1" %i : i1
  }
  fsm.return
}

// PARTLY:      step = -100{{$}}
// PARTLY-NEXT: step = 20{{$}}
// PARTLY-NEXT: bounds = 5{{$}}
// PARTLY-NEXT: bounds = -2147483643{{$}}
// PARTLY-NEXT: sum = 5{{$}}
// PARTLY-NEXT: sum = 2000000005{{$}}
// PARTLY-NOT:  {{.}}
// NEVER-NOT:   step
// NEVER:       bounds = 5{{$}}
// STEP:        reaches a loop whose step is -120; a step must be positive
fsm.kernel @partly(%step: i8, %from: i32, %to: i32) {
  %m100 = arith.constant -100 : i8
  %p100 = arith.constant 100 : i8
  scf.for %i = %m100 to %p100 step %step : i8 {
    fsm.print "step" %i : i8
  }
  %half = arith.constant -2147483648 : i32
  scf.for unsigned %i = %from to %to step %half : i32 {
    fsm.print "bounds" %i : i32
  }
  %end = arith.addi %from, %half overflow<nuw> : i32
  %long = arith.constant 2000000000 : i32
  scf.for unsigned %i = %from to %end step %long : i32 {
    fsm.print "sum" %i : i32
  }
  fsm.return
}

// DOWN-NOT:  down
// DOWN:      far = 0{{$}}
// DOWN-NOT:  {{.}}
fsm.kernel @down(%from: i32, %to: i32) {
  %step = arith.constant -1073741824 : i32
  scf.for %i = %from to %to step %step : i32 {
    fsm.print "down" %i : i32
  } {fsm.num_stages = 2 : i32}
  %back = arith.extsi %to : i32 to i64
  %start = arith.extsi %from : i32 to i64
  %wide = arith.extsi %step : i32 to i64
  scf.for %i = %start to %back step %wide : i64 {
    fsm.print "down in i64" %i : i64
  }
  scf.for unsigned %i = %from to %to step %step : i32 {
    fsm.print "far" %i : i32
  }
  fsm.return
}
