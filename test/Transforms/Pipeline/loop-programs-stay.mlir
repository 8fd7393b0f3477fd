// What is in the way of programs that go on to others, each said at the op; the kernel stays as it is.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{loop-programs=always remarks=true}))' | FileCheck %s
// RUN: not %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{loop-programs=0}))' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: expected loop-programs 'auto', 'never', 'always' or a number of programs, got '0'
// CHECK-NOT: fsm.loop_programs

fsm.kernel @print() attributes {fsm.loop_programs = 0 : i32} {
  %id = fsm.program_id x : i32
  // expected-remark @below {{programs do not go on to others: it says of which program it is}}
  fsm.print "id" %id : i32
  fsm.return
}

// -----

fsm.kernel @assert(%n: i32) {
  %id = fsm.program_id x : i32
  %is_there = arith.cmpi slt, %id, %n : i32
  // expected-remark @below {{it says of which program it is}}
  fsm.assert %is_there, "too many" : i1
  fsm.return
}

// -----

fsm.kernel @waits(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  // expected-remark @below {{it may wait for another one}}
  scf.while : () -> () {
    %x = fsm.load %p volatile : !fsm.ptr<i32> -> i32
    %waits = arith.cmpi ne, %x, %id : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  fsm.return
}

// -----

// expected-remark @below {{several ctas share a loop of each}}
fsm.kernel @parts(%p: !fsm.ptr<i32>) attributes {fsm.parts = 2 : i32} {
  %id = fsm.program_id x : i32
  fsm.end_parts
  fsm.store %id, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-remark @below {{the same threads compute several at once}}
fsm.kernel @batch(%p: !fsm.ptr<i32>) attributes {fsm.batch = 2 : i32} {
  %id = fsm.program_id x : i32
  fsm.store %id, %p : i32, !fsm.ptr<i32>
  fsm.return
}
