// What is in the way of batching programs, each said at the op; the kernel stays as it is.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{batch-programs=4 remarks=true}))' | FileCheck %s
// RUN: not %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{batch-programs=3}))' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: expected batch-programs 'auto', 'never' or a power of two up to 1024, got '3'
// CHECK-NOT: fsm.batch

fsm.kernel @volatile(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  // expected-remark @below {{programs are not computed several at once: it is made in the order of the programs' own}}
  fsm.store %id, %p volatile : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @atomic(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  // expected-remark @below {{it is made in the order of the programs' own}}
  %old = fsm.atomic_rmw <add> %id, %p sem = relaxed : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @print() {
  %id = fsm.program_id x : i32
  // expected-remark @below {{it is one program's}}
  fsm.print "id" %id : i32
  fsm.return
}

// -----

fsm.kernel @same_store(%p: !fsm.ptr<i32>, %n: i32) {
  %id = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  scf.for %i = %id to %n step %step : i32 {
    // expected-remark @below {{it is the same for all programs in a loop that some leave earlier}}
    fsm.store %n, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// -----

fsm.kernel @bounds(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-remark @below {{its bounds differ between programs}}
  scf.for %i = %zero to %id step %one : i32 {
    fsm.store %i, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// -----

fsm.kernel @begins(%p: !fsm.ptr<i32>, %n: i32) {
  %id = fsm.program_id x : i32
  %one = arith.constant 1 : i32
  %next = arith.addi %id, %one : i32
  // expected-remark @below {{programs begin it at different numbers, which are not those of the programs}}
  scf.for %i = %next to %n step %one : i32 {
    fsm.store %i, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// -----

fsm.kernel @ways(%p: !fsm.ptr<i32>, %n: i32) {
  %id = fsm.program_id x : i32
  %is_first = arith.cmpi slt, %id, %n : i32
  // expected-remark @below {{programs go different ways}}
  scf.if %is_first {
    fsm.store %n, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// -----

fsm.kernel @leaves(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  // expected-remark @below {{programs may leave it at different times}}
  scf.while : () -> () {
    %x = fsm.load %p : !fsm.ptr<i32> -> i32
    %waits = arith.cmpi ne, %x, %id : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  fsm.return
}

// -----

fsm.kernel @stores_pointer(%p: !fsm.ptr<!fsm.ptr<i32>>, %q: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %at = fsm.offset %q, %id : !fsm.ptr<i32>, i32
  // expected-remark @below {{it stores a pointer}}
  fsm.store %at, %p : !fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<i32>>
  fsm.return
}

// -----

fsm.kernel @loads_pointer(%p: !fsm.ptr<!fsm.ptr<i32>>) {
  %id = fsm.program_id x : i32
  %at = fsm.offset %p, %id : !fsm.ptr<!fsm.ptr<i32>>, i32
  // expected-remark @below {{it gives a pointer, which differs between programs}}
  %q = fsm.load %at : !fsm.ptr<!fsm.ptr<i32>> -> !fsm.ptr<i32>
  fsm.store %id, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @rank(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  // expected-remark @below {{a block has no room for one more dimension}}
  %x = fsm.splat %id : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>
  fsm.return
}

// -----

fsm.kernel @address(%p: !fsm.ptr<i32>, %out: !fsm.ptr<i64>) {
  %id = fsm.program_id x : i32
  %at = fsm.offset %p, %id : !fsm.ptr<i32>, i32
  // expected-remark @below {{it has no form for a block of programs}}
  %number = fsm.ptr_to_int %at : !fsm.ptr<i32> -> i64
  fsm.store %number, %out : i64, !fsm.ptr<i64>
  fsm.return
}

// -----

// expected-remark @below {{its blocks would have too many elements}}
fsm.kernel @large(%p: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %o = fsm.range 0, 524288 : tensor<524288xi32>
  %x = fsm.splat %id : tensor<524288xi32>
  fsm.store %x, %p[%o] : tensor<524288xi32>, !fsm.ptr<i32>, tensor<524288xi32>
  fsm.return
}

// -----

// expected-remark @below {{programs are not computed several at once: its blocks would not fit the registers of a cta}}
fsm.kernel @wide(%p: !fsm.ptr<i64>) {
  %id = fsm.program_id x : i32
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %number = arith.extsi %id : i32 to i64
  %x = fsm.splat %number : tensor<16384xi64>
  fsm.store %x, %p[%o] : tensor<16384xi64>, !fsm.ptr<i64>, tensor<16384xi32>
  fsm.return
}
