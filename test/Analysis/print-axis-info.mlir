// What axis info knows of each number, with the facts computed by hand from the
// definitions in include/fsm/Analysis/AxisInfo.h. 1073741824 is kMaxDivisor, which
// zero has.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-print-axis-info))' 2>&1 | FileCheck %s

!b = tensor<1024xi32>

// Sums, comparisons and their masks.
fsm.kernel @linear(
    %p: !fsm.ptr<f32> {fsm.align = 16 : i32},
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
    %half: !fsm.ptr<f16>,
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [2], constancy [1]{{$}}
    %n: i32 {fsm.divisible = 48 : i32},
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
    %u: i32,
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
    %one: i32 {fsm.equal_to = 1 : i32}
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], constant 1{{$}}
    ) {
  %pid = fsm.program_id x : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], not negative{{$}}
  %size = arith.constant 1024 : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1024], constancy [1], constant 1024{{$}}
  %base = arith.muli %pid, %size overflow<nsw> : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1024], constancy [1], not negative{{$}}
  %base_w = arith.muli %pid, %size : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1024], constancy [1]{{$}}
  %r = fsm.range 0, 1024 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1073741824], constancy [1], not negative{{$}}
  %bs = fsm.splat %base : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1024], constancy [1024], not negative{{$}}
  %o = arith.addi %bs, %r overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1024], constancy [1], not negative{{$}}
  %ow = arith.addi %bs, %r : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1024], constancy [1]{{$}}
  %us = fsm.splat %u : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1024]{{$}}
  %u_w = arith.addi %us, %r : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %u_nsw = arith.addi %us, %r overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1], constancy [1]{{$}}
  %ns = fsm.splat %n : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1024]{{$}}
  %on = arith.addi %ns, %r : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16], divisibility [16], constancy [1]{{$}}
  %minus = arith.constant dense<-8> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1024], constant -8{{$}}
  %before = arith.addi %o, %minus overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [8], constancy [1]{{$}}
  %before_w = arith.addi %o, %minus : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [8], divisibility [8], constancy [1]{{$}}
  %down = arith.subi %bs, %r overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %apart = arith.subi %o, %r overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1024], constancy [1024]{{$}}
  %mask = arith.cmpi slt, %o, %ns : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [16], ending [1024]{{$}}
  %mask_sgt = arith.cmpi sgt, %ns, %o : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [16], ending [1024]{{$}}
  %mask_sle = arith.cmpi sle, %o, %ns : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], ending [1024]{{$}}
  %mask_u = arith.cmpi slt, %o, %us : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], ending [1024]{{$}}
  %row = fsm.offset %p, %base : !fsm.ptr<f32>, i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
  %step = fsm.offset %p, %u : !fsm.ptr<f32>, i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1]{{$}}
  %half_row = fsm.offset %half, %base : !fsm.ptr<f16>, i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [2], constancy [1]{{$}}
  %x = fsm.load %row[%o], %mask : !fsm.ptr<f32>, !b -> tensor<1024xf32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [16], alignment [16]{{$}}
  fsm.store %x, %row[%o] : tensor<1024xf32>, !fsm.ptr<f32>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1024], alignment [16]{{$}}
  fsm.store %x, %step[%o] : tensor<1024xf32>, !fsm.ptr<f32>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1024], alignment [4]{{$}}
  fsm.store %x, %row[%u_w] : tensor<1024xf32>, !fsm.ptr<f32>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1], alignment [4]{{$}}
  fsm.store %x, %row[%o], %mask_u : tensor<1024xf32>, !fsm.ptr<f32>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1], alignment [4]{{$}}
  fsm.return
}

// The rest of arithmetic on %o, which is not negative, and %ow, which may be.
fsm.kernel @arithmetic(%n: i32 {fsm.divisible = 16 : i32}) {
  %pid = fsm.program_id x : i32
  %size = arith.constant 1024 : i32
  %base = arith.muli %pid, %size overflow<nsw> : i32
  %r = fsm.range 0, 1024 : !b
  %bs = fsm.splat %base : !b
  %ns = fsm.splat %n : !b
  %o = arith.addi %bs, %r overflow<nsw> : !b
  %ow = arith.addi %bs, %r : !b
  %c3 = arith.constant dense<3> : !b
  %c4 = arith.constant dense<4> : !b
  %c63 = arith.constant dense<63> : !b
  %c64 = arith.constant dense<64> : !b
  %high = arith.constant dense<-64> : !b
  %strided = arith.muli %o, %c4 overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1], not negative{{$}}
  %quotient = arith.divsi %o, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [64], not negative{{$}}
  %quotient_w = arith.divsi %ow, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %quotient_n = arith.divsi %o, %ns : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [16]{{$}}
  %floor = arith.floordivsi %ow, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [64]{{$}}
  %ceil = arith.ceildivsi %o, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], not negative{{$}}
  %exact = arith.divsi %bs, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1024], not negative{{$}}
  %remainder = arith.remsi %o, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [64], divisibility [64], constancy [1], not negative{{$}}
  %remainder_w = arith.remsi %ow, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %remainder_n = arith.remui %ow, %ns : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16], divisibility [16], constancy [1]{{$}}
  %low_bits = arith.andi %ow, %c63 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [64], divisibility [64], constancy [1], not negative{{$}}
  %high_bits = arith.andi %ow, %high : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [64], constancy [64]{{$}}
  %flipped = arith.xori %ow, %c64 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [64], divisibility [64], constancy [1]{{$}}
  %set = arith.ori %ow, %c3 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [4]{{$}}
  %right = arith.shrui %o, %c4 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [16], not negative{{$}}
  %left = arith.shli %o, %c3 overflow<nsw> : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1], not negative{{$}}
  %wide = arith.extsi %o : !b to tensor<1024xi64>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1024], constancy [1], not negative{{$}}
  %narrow = arith.trunci %wide : tensor<1024xi64> to tensor<1024xi8>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [128], divisibility [128], constancy [1]{{$}}
  %three = arith.constant dense<3> : tensor<1024xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1024], constant 3{{$}}
  %seven = arith.addi %three, %c4 : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1024], constant 7{{$}}
  %on = arith.addi %ns, %r : !b
  %mask = arith.cmpi slt, %o, %ns : !b
  %either = arith.select %mask, %o, %on : tensor<1024xi1>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16], divisibility [16], constancy [1]{{$}}
  %mixed = arith.select %mask, %o, %ns : tensor<1024xi1>, !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %most = arith.maxsi %o, %on : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16], divisibility [16], constancy [1], not negative{{$}}
  %known = fsm.hint %ns {multiple_of = array<i64: 64>} : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [64], constancy [1024]{{$}}
  %promised = fsm.hint %strided {multiple_of = array<i64: 8>, max_contiguous = array<i64: 4>} : !b
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [4], divisibility [8], constancy [1], not negative{{$}}
  fsm.return
}

// Facts that hold in every iteration, and on both ways.
fsm.kernel @control(%p: !fsm.ptr<f32> {fsm.align = 64 : i32}, %n: i32, %flag: i1,
    %m: i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1]{{$}}
    ) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c24 = arith.constant 24 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant dense<64> : tensor<64xi32>
  %false = arith.constant false
  %r = fsm.range 0, 64 : tensor<64xi32>
  %rest = arith.remsi %m, %c8 : i32
  %divides = arith.cmpi eq, %rest, %c0 : i32
  fsm.assume %divides
  %last, %at = scf.for
      %i = %c0 to %n step %c32
      iter_args(%o = %r,
                %q = %p)
      -> (tensor<64xi32>, !fsm.ptr<f32>) : i32 {
// CHECK: :[[#@LINE-5]]:{{.*}} remark: contiguity [64], divisibility [64], constancy [1], not negative{{$}}
// CHECK: :[[#@LINE-6]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
// CHECK: :[[#@LINE-6]]:{{.*}} remark: contiguity [1], divisibility [32], constancy [1], not negative{{$}}
// CHECK: :[[#@LINE-6]]:{{.*}} remark: contiguity [64], divisibility [64], constancy [1], not negative{{$}}
// CHECK: :[[#@LINE-6]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
    %next = arith.addi %o, %c64 overflow<nsw> : tensor<64xi32>
    %ahead = fsm.offset %q, %c4 : !fsm.ptr<f32>, i32
    scf.yield %next, %ahead : tensor<64xi32>, !fsm.ptr<f32>
  }
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  scf.for %row = %first to %n step %step : i32 {
    %start = arith.muli %row, %c32 overflow<nsw> : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [32], constancy [1], not negative{{$}}
  }
  %way = scf.if %flag -> i32 {
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1], not negative{{$}}
    scf.yield %c8 : i32
  } else {
    scf.yield %c24 : i32
  }
  %only = scf.if %false -> i32 {
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1], constant 24{{$}}
    scf.yield %n : i32
  } else {
    scf.yield %c24 : i32
  }
  %counted = scf.while (%x = %c0) : (i32) -> i32 {
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1]{{$}}
    %more = arith.cmpi slt, %x, %n : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%y: i32):
    %z = arith.addi %y, %c4 : i32
    scf.yield %z : i32
  }
  fsm.return
}

// Tiles of 16 rows and 64 columns, row by row and column by column.
!t = tensor<16x64xi32>
fsm.kernel @tiles(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) {
  %r1 = fsm.range 0, 16 : tensor<16xi32>
  %c1 = fsm.range 0, 64 : tensor<64xi32>
  %r2 = fsm.expand_dims %r1 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16, 1], divisibility [1073741824, 1], constancy [1, 1], not negative{{$}}
  %r = fsm.broadcast %r2 : tensor<16x1xi32> -> !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16, 1], divisibility [1073741824, 1], constancy [1, 64], not negative{{$}}
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c = fsm.broadcast %c2 : tensor<1x64xi32> -> !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 64], divisibility [1, 1073741824], constancy [16, 1], not negative{{$}}
  %stride = fsm.splat %n : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 1], divisibility [16, 16], constancy [16, 64]{{$}}
  %down = arith.muli %r, %stride overflow<nsw> : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 1], divisibility [16, 16], constancy [1, 64]{{$}}
  %rows = arith.addi %down, %c overflow<nsw> : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 64], divisibility [1, 16], constancy [1, 1]{{$}}
  %across = arith.muli %c, %stride overflow<nsw> : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 1], divisibility [16, 16], constancy [16, 1]{{$}}
  %columns = arith.addi %across, %r overflow<nsw> : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16, 1], divisibility [16, 1], constancy [1, 1]{{$}}
  %mask = arith.cmpi slt, %c, %stride : !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 1], divisibility [1, 1], constancy [16, 16], ending [1, 64]{{$}}
  %x = fsm.load %p[%rows], %mask : !fsm.ptr<f16>, !t -> tensor<16x64xf16>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1, 64], alignment [2, 16]{{$}}
  fsm.store %x, %p[%columns], %mask : tensor<16x64xf16>, !fsm.ptr<f16>, !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [16, 1], alignment [16, 2]{{$}}
  %flat = fsm.range 0, 1024 : tensor<1024xi32>
  %tile = fsm.reshape %flat : tensor<1024xi32> -> !t
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 64], divisibility [1, 64], constancy [1, 1], not negative{{$}}
  %line = fsm.reshape %c : !t -> tensor<1024xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [64], divisibility [1073741824], constancy [1], not negative{{$}}
  %turned = fsm.transpose %rows order [1, 0] : !t -> tensor<64x16xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [64, 1], divisibility [16, 1], constancy [1, 1]{{$}}
  %wide = fsm.join %r2, %r2 : tensor<16x1xi32> -> tensor<16x1x2xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [16, 1, 1], divisibility [1073741824, 1, 1], constancy [1, 1, 2], not negative{{$}}
  %c6 = arith.constant dense<6> : tensor<16xi32>
  %c7 = arith.constant dense<7> : tensor<16xi32>
  %next = fsm.join %c6, %c7 : tensor<16xi32> -> tensor<16x2xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 2], divisibility [1, 2], constancy [16, 1], not negative{{$}}
  %numbers = fsm.range 8, 40 : tensor<32xi32>
  %pairs = fsm.reshape %numbers : tensor<32xi32> -> tensor<16x2xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 2], divisibility [1, 2], constancy [1, 1], not negative{{$}}
  %even, %odd = fsm.split %pairs : tensor<16x2xi32> -> tensor<16xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [2], constancy [1], not negative{{$}}
// CHECK: :[[#@LINE-2]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], not negative{{$}}
  %sums = fsm.reduce <sum> %down axis 1 : !t -> tensor<16xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
  fsm.return
}

// Extents that are no powers of two: the last group is cut short.
fsm.kernel @odd_extents(%u: i32) {
  %r = fsm.range 0, 781 : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1073741824], constancy [1], not negative{{$}}
  %later = fsm.range -3, 778 : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1], constancy [1]{{$}}
  %c781 = arith.constant 781 : i32
  %pid = fsm.program_id x : i32
  %base = arith.muli %pid, %c781 overflow<nsw> : i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], not negative{{$}}
  %bs = fsm.splat %base : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1024], not negative{{$}}
  %o = arith.addi %bs, %r overflow<nsw> : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1024], divisibility [1], constancy [1], not negative{{$}}
  %c768 = arith.constant dense<768> : tensor<781xi32>
  %tail = arith.cmpi slt, %r, %c768 : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [256], ending [1024]{{$}}
  %quotient = arith.divui %r, %c768 : tensor<781xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [256], not negative{{$}}
  %r96 = fsm.range 0, 96 : tensor<96xi32>
  %tile = fsm.reshape %r96 : tensor<96xi32> -> tensor<4x24xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1, 32], divisibility [1, 8], constancy [1, 1], not negative{{$}}
  %listed = arith.constant dense<[0, 1, 2, 3, 24, 25]> : tensor<6xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [4], divisibility [8], constancy [1], not negative{{$}}
  %single = fsm.range 12, 13 : tensor<1xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1], not negative{{$}}
  fsm.return
}

// What is assumed of an address is known of its pointer where that is computed, and an address that is a multiple gives a
// pointer that is.
fsm.kernel @addresses(%p: !fsm.ptr<f16>, %addresses: !fsm.ptr<i64>, %flag: i1) {
  %c0 = arith.constant 0 : i64
  %c15 = arith.constant 15 : i64
  %r = fsm.range 0, 64 : tensor<64xi32>
  %address = fsm.load %addresses : !fsm.ptr<i64> -> i64
  %q = fsm.int_to_ptr %address : i64 -> !fsm.ptr<f16>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [2], constancy [1]{{$}}
  %hinted = fsm.hint %address {multiple_of = array<i64: 32>} : i64
  %aligned = fsm.int_to_ptr %hinted : i64 -> !fsm.ptr<f16>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [32], constancy [1]{{$}}
  %back = fsm.ptr_to_int %aligned : !fsm.ptr<f16> -> i64
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [32], constancy [1]{{$}}
  %number = fsm.ptr_to_int %p : !fsm.ptr<f16> -> i64
  %low = arith.andi %number, %c15 : i64
  %is_multiple = arith.cmpi eq, %low, %c0 : i64
  fsm.assume %is_multiple
  %x = fsm.load %p[%r] : !fsm.ptr<f16>, tensor<64xi32> -> tensor<64xf16>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [64], alignment [16]{{$}}
  scf.if %flag {
    %number_of_q = fsm.ptr_to_int %q : !fsm.ptr<f16> -> i64
    %rest = arith.andi %number_of_q, %c15 : i64
    %is_so_here = arith.cmpi eq, %rest, %c0 : i64
    fsm.assume %is_so_here
  }
  %y = fsm.load %q[%r] : !fsm.ptr<f16>, tensor<64xi32> -> tensor<64xf16>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [64], alignment [2]{{$}}
  fsm.return
}

// An assumption counts where its number is computed, and not from inside an if.
fsm.kernel @assumptions(%p: !fsm.ptr<i32> {fsm.align = 32 : i32}, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %positive = fsm.load %p : !fsm.ptr<i32> -> i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1], not negative{{$}}
  %multiple = fsm.load %p : !fsm.ptr<i32> -> i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [8], constancy [1]{{$}}
  %unknown = fsm.load %p : !fsm.ptr<i32> -> i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %is_positive = arith.cmpi sge, %positive, %c0 : i32
  fsm.assume %is_positive
  %low = arith.andi %multiple, %c7 : i32
  %is_multiple = arith.cmpi eq, %low, %c0 : i32
  fsm.assume %is_multiple
  scf.if %flag {
    %rest = arith.remsi %unknown, %c8 : i32
    %divides = arith.cmpi eq, %rest, %c0 : i32
    fsm.assume %divides
  }
  %moved = fsm.offset %p, %multiple : !fsm.ptr<i32>, i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [32], constancy [1]{{$}}
  %near = fsm.offset %p, %c7 : !fsm.ptr<i32>, i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1]{{$}}
  %chosen = arith.select %flag, %moved, %near : !fsm.ptr<i32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [4], constancy [1]{{$}}
  %x = fsm.load %moved : !fsm.ptr<i32> -> i32
// CHECK: :[[#@LINE-1]]:{{.*}} remark: access: contiguity [1], alignment [32]{{$}}
  %loaded = fsm.range 0, 64 : tensor<64xi32>
  %any = fsm.load %p[%loaded] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %starts = fsm.hint %any {multiple_of = array<i64: 16>} : tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  %runs = fsm.hint %starts {max_contiguous = array<i64: 8>} : tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [8], divisibility [16], constancy [1]{{$}}
  %stays = fsm.hint %any {max_constancy = array<i64: 12>} : tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [4]{{$}}
  %each = fsm.hint %any {multiple_of = array<i64: 16>, max_contiguous = array<i64: 1>} : tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [16], constancy [1]{{$}}
  %threes = fsm.hint %any {multiple_of = array<i64: 16>, max_contiguous = array<i64: 3>} : tensor<64xi32>
// CHECK: :[[#@LINE-1]]:{{.*}} remark: contiguity [1], divisibility [1], constancy [1]{{$}}
  fsm.return
}
