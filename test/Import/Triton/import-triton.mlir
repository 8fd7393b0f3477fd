// What Triton's front end makes becomes a kernel: pointers a base and offsets, offsets what does not wrap.

// RUN: %fsm_opt %s --fsm-import-triton | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-import-triton{num-warps=8 max-registers=64 num-stages=4 exact-offsets fp-fusion=false})' \
// RUN:   | FileCheck %s --check-prefix=OPTIONS
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-import-triton{print-forms})' | FileCheck %s --check-prefix=FORMS

// CHECK-LABEL:   fsm.kernel @add(%x: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments} {
// CHECK:           %[[RANGE:.*]] = fsm.range 0, 64
// CHECK:           %[[START:.*]] = fsm.splat
// CHECK:           %[[AT:.*]] = arith.addi %[[START]], %[[RANGE]] overflow<nsw>
// CHECK:           %[[X:.*]] = fsm.load %x[%[[AT]]], %{{.*}} cache = cg evict = first volatile :
// CHECK:           %[[Y:.*]] = arith.addf %[[X]], %[[X]] fastmath<contract>
// CHECK:           fsm.store %[[Y]], %x[%[[AT]]], %{{.*}} cache = wt evict = last
// CHECK:           fsm.return

// OPTIONS-LABEL: fsm.kernel @add
// OPTIONS-SAME:    attributes {fsm.unordered_arguments, max_registers = 64 : i32, num_warps = 8 : i32}
// OPTIONS-NOT:     nsw
// OPTIONS-NOT:     contract
// OPTIONS-LABEL: fsm.kernel @loop
tt.func public @add(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
  %length = arith.constant 64 : i32
  %program = tt.get_program_id x : i32
  %first = arith.muli %program, %length : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %start, %range : tensor<64xi32>
  %bound = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %at, %bound : tensor<64xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %pointers = tt.addptr %base, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %pointers, %mask cacheModifier = cg evictionPolicy = evict_first {isVolatile = true} : tensor<64x!tt.ptr<f32>>
  %sum = arith.addf %value, %value : tensor<64xf32>
  tt.store %pointers, %sum, %mask cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
  tt.return
}

// What moves all pointers of a block is a number of its own, and the offsets stay as they are. What moves each of
// them by another number takes 64 bits, since no sum of such may wrap.
//
// FORMS:         %1: %p{{$}}
// FORMS-NEXT:    %2: %p + i32{{$}}
// FORMS-NEXT:    %3#0: %p + i32{{$}}
// FORMS-NEXT:    %3#1: %p + i64{{$}}
// FORMS-NEXT:    %arg1: %p + i32{{$}}
// FORMS-NEXT:    %arg2: %p + i64{{$}}
// FORMS-NEXT:    %7: %p + i32{{$}}
// FORMS-NEXT:    %8: %p + i64{{$}}
//
// CHECK-LABEL:   fsm.kernel @loop
// CHECK:           %[[RANGE:.*]] = fsm.range 0, 8
// CHECK:           %[[WIDE:.*]] = arith.extsi %[[RANGE]] : tensor<8xi32> to tensor<8xi64>
// CHECK:           scf.for {{.*}} iter_args(%[[MOVED:.*]] = %{{.*}}, %[[SAME:.*]] = %[[RANGE]], %{{.*}} = %{{.*}}, %[[FAR:.*]] = %[[WIDE]]) -> (i64, tensor<8xi32>, i64, tensor<8xi64>)
// CHECK:             %[[HERE:.*]] = fsm.offset %p, %[[MOVED]] : !fsm.ptr<f16>, i64
// CHECK:             fsm.load %[[HERE]][%[[SAME]]] : !fsm.ptr<f16>, tensor<8xi32>
// CHECK:             fsm.load %{{.*}}[%[[FAR]]] : !fsm.ptr<f16>, tensor<8xi64>
// CHECK:             arith.addi %[[FAR]], %{{.*}} overflow<nsw> : tensor<8xi64>
// CHECK:           } {fsm.num_stages = 3 : i32}
tt.func public @loop(%p: !tt.ptr<f16>, %n: i32, %stride: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  %first = tt.addptr %base, %range : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
  %last:2 = scf.for %i = %zero to %n step %one iter_args(%near = %first, %far = %first) -> (tensor<8x!tt.ptr<f16>>, tensor<8x!tt.ptr<f16>>) : i32 {
    %x = tt.load %near : tensor<8x!tt.ptr<f16>>
    %y = tt.load %far : tensor<8x!tt.ptr<f16>>
    tt.store %near, %y : tensor<8x!tt.ptr<f16>>
    tt.store %far, %x : tensor<8x!tt.ptr<f16>>
    %strides = tt.splat %stride : i32 -> tensor<8xi32>
    %next = tt.addptr %near, %strides : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
    %other = tt.addptr %far, %range : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
    scf.yield %next, %other : tensor<8x!tt.ptr<f16>>, tensor<8x!tt.ptr<f16>>
  } {tt.num_stages = 3 : i32}
  tt.return
}

// Loops that hold a product get the stages that the launch asks for, and results of half formats are added up in f32.
//
// CHECK-LABEL:   fsm.kernel @product
// CHECK-NOT:       fsm.num_stages
// CHECK:           %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<16x16xf16> to tensor<16x16xf32>
// CHECK:           %[[SUM:.*]] = fsm.dot %{{.*}}, %{{.*}}, %[[WIDE]] precision = tf32 :
// CHECK:           arith.truncf %[[SUM]] : tensor<16x16xf32> to tensor<16x16xf16>
// CHECK-NOT:       fsm.num_stages
// OPTIONS-LABEL: fsm.kernel @product
// OPTIONS:         {fsm.num_stages = 4 : i32}
tt.func public @product(%p: !tt.ptr<f16>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.constant dense<2.0> : tensor<16x16xf32>
  %none = arith.constant dense<0.0> : tensor<16x16xf16>
  %all = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> (tensor<16x16xf16>) : i32 {
    %next = tt.dot %a, %a, %sum, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf16>
    scf.yield %next : tensor<16x16xf16>
  }
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  tt.store %base, %all : tensor<16x16x!tt.ptr<f16>>
  tt.return
}

// Without one base there are addresses: here of two arguments, one of which is chosen for each element.
//
// FORMS:         %1: %p{{$}}
// FORMS-NEXT:    %3: %p{{$}}
// FORMS-NEXT:    %4: %q{{$}}
// FORMS-NEXT:    %5: addresses{{$}}
//
// CHECK-LABEL:   fsm.kernel @choice
// CHECK:           %[[P:.*]] = fsm.ptr_to_int %p
// CHECK:           %[[Q:.*]] = fsm.ptr_to_int %q
// CHECK:           %[[EITHER:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xi64>
// CHECK:           %[[SHIFT:.*]] = arith.constant dense<1> : tensor<4xi64>
// CHECK:           %[[AT:.*]] = arith.shrui %[[EITHER]], %[[SHIFT]]
// CHECK:           %[[NULL:.*]] = fsm.int_to_ptr
// CHECK:           fsm.load %[[NULL]][%[[AT]]]
tt.func public @choice(%p: !tt.ptr<bf16>, %q: !tt.ptr<bf16>, %n: i32) {
  %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %bound = tt.splat %n : i32 -> tensor<4xi32>
  %which = arith.cmpi slt, %range, %bound : tensor<4xi32>
  %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<4x!tt.ptr<bf16>>
  %qs = tt.splat %q : !tt.ptr<bf16> -> tensor<4x!tt.ptr<bf16>>
  %either = arith.select %which, %ps, %qs : tensor<4xi1>, tensor<4x!tt.ptr<bf16>>
  %x = tt.load %either : tensor<4x!tt.ptr<bf16>>
  tt.store %either, %x : tensor<4x!tt.ptr<bf16>>
  tt.return
}

// A constant of outside stands in a region again, and outside stays what it was. What is said of integers is a hint.
//
// CHECK-LABEL:   fsm.kernel @region
// CHECK:           %[[TWO:.*]] = arith.constant 2 : i32
// CHECK:           %[[HINTED:.*]] = fsm.hint %{{.*}} {max_contiguous = array<i64: 4>, multiple_of = array<i64: 4>} : tensor<4xi32>
// CHECK:           fsm.reduce_with %[[HINTED]] axis 0
// CHECK:             %[[INNER:.*]] = arith.constant 2 : i32
// CHECK:             arith.muli %{{.*}}, %[[INNER]]
// CHECK:           arith.muli %{{.*}}, %[[TWO]]
tt.func public @region(%p: !tt.ptr<i32>) {
  %two = arith.constant 2 : i32
  %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %x = arith.addi %range, %range {tt.contiguity = dense<4> : tensor<1xi32>, tt.divisibility = dense<4> : tensor<1xi32>} : tensor<4xi32>
  %y = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.muli %a, %two : i32
    %d = arith.addi %c, %b : i32
    tt.reduce.return %d : i32
  }) : (tensor<4xi32>) -> i32
  %z = arith.muli %y, %two : i32
  tt.store %p, %z : !tt.ptr<i32>
  tt.return
}

// What a loop carries is no argument: what is promised of it is kept.
//
// CHECK-LABEL:   fsm.kernel @carried
// CHECK:           scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}) -> (!fsm.ptr<f32>)
// CHECK:             %[[NEXT:.*]] = fsm.offset %[[AT]], %{{.*}} : !fsm.ptr<f32>, i32
// CHECK:             %[[ADDRESS:.*]] = fsm.ptr_to_int %[[NEXT]]
// CHECK:             %[[PROMISED:.*]] = fsm.hint %[[ADDRESS]] {multiple_of = array<i64: 16>} : i64
// CHECK:             %[[ALIGNED:.*]] = fsm.int_to_ptr %[[PROMISED]]
// CHECK:             scf.yield %[[ALIGNED]]
tt.func public @carried(%table: !tt.ptr<i64>, %n: i32, %step: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %address = tt.load %table : !tt.ptr<i64>
  %first = tt.int_to_ptr %address : i64 -> !tt.ptr<f32>
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %first) -> (!tt.ptr<f32>) : i32 {
    %x = tt.load %at : !tt.ptr<f32>
    tt.store %at, %x : !tt.ptr<f32>
    %next = tt.addptr %at, %step {tt.divisibility = dense<16> : tensor<1xi32>} : !tt.ptr<f32>, i32
    scf.yield %next : !tt.ptr<f32>
  }
  tt.return
}

// A hash of 64 bits wraps, and is an offset only at its end. What is compared with a bound alone is one.
//
// CHECK-LABEL:   fsm.kernel @hashed
// CHECK:           arith.addi %{{[0-9a-z]+}}, %{{[0-9a-z]+}} : tensor<8xi64>
// CHECK:           arith.muli %{{[0-9a-z]+}}, %{{[0-9a-z]+}} : tensor<8xi64>
// CHECK:           arith.divsi
// CHECK:           arith.muli %{{[0-9a-z]+}}, %{{[0-9a-z]+}} overflow<nsw> : tensor<8xi64>
// CHECK:           arith.subi %{{[0-9a-z]+}}, %{{[0-9a-z]+}} overflow<nsw> : tensor<8xi64>
// CHECK:           arith.muli %{{[0-9a-z]+}}, %{{[0-9a-z]+}} overflow<nsw> : i64
// CHECK:           arith.addi %{{[0-9a-z]+}}, %{{[0-9a-z]+}} overflow<nsw> : tensor<8xi64>
tt.func public @hashed(%x: !tt.ptr<f32>, %key: i64, %n: i64) {
  %three = arith.constant dense<3> : tensor<8xi64>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %wide = arith.extsi %range : tensor<8xi32> to tensor<8xi64>
  %keys = tt.splat %key : i64 -> tensor<8xi64>
  %sum = arith.addi %wide, %keys : tensor<8xi64>
  %hash = arith.muli %sum, %three : tensor<8xi64>
  %quotient = arith.divsi %hash, %three : tensor<8xi64>
  %multiple = arith.muli %quotient, %three : tensor<8xi64>
  %slot = arith.subi %hash, %multiple : tensor<8xi64>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %from = tt.addptr %base, %slot : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
  %value = tt.load %from : tensor<8x!tt.ptr<f32>>
  %row = arith.muli %key, %n : i64
  %rows = tt.splat %row : i64 -> tensor<8xi64>
  %at = arith.addi %rows, %wide : tensor<8xi64>
  %bound = tt.splat %n : i64 -> tensor<8xi64>
  %mask = arith.cmpi slt, %at, %bound : tensor<8xi64>
  %to = tt.addptr %base, %at : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
  tt.store %to, %value, %mask : tensor<8x!tt.ptr<f32>>
  tt.return
}

// A number of 32 bits that is an offset is taken not to wrap, also where something else is made of it, which takes one that wraps:
// no address is made of the shifted number, and the remainder of a product by so much depends on how it wrapped.
//
// CHECK-LABEL:   fsm.kernel @hashed_words
// CHECK:           %[[OFFSET:.*]] = arith.muli %key, %{{[0-9a-z_]+}} overflow<nsw> : i32
// CHECK-NEXT:      %[[HASH:.*]] = arith.muli %key, %{{[0-9a-z_]+}} : i32
// CHECK:           arith.shrsi %[[HASH]]
// CHECK:           arith.remsi %[[HASH]]
// CHECK:           fsm.offset %x, %[[OFFSET]]
tt.func public @hashed_words(%x: !tt.ptr<i32>, %key: i32, %n: i32) {
  %factor = arith.constant 1640531527 : i32
  %hash = arith.muli %key, %factor : i32
  %upper = arith.shrsi %hash, %n : i32
  %slot = arith.remsi %hash, %n : i32
  %first = tt.addptr %x, %slot : !tt.ptr<i32>, i32
  tt.store %first, %upper : !tt.ptr<i32>
  %inside = arith.cmpi ult, %hash, %n : i32
  %second = tt.addptr %x, %hash : !tt.ptr<i32>, i32
  tt.store %second, %upper, %inside : !tt.ptr<i32>
  tt.return
}

// What counts the elements of programs does not wrap either where it is divided into rows and columns; a number that is
// multiplied by more than a program has, before it is divided, may be a hash.
//
// CHECK-LABEL:   fsm.kernel @rows_and_columns
// CHECK:           %[[FIRST:.*]] = arith.muli %{{[0-9a-z_]+}}, %{{[0-9a-z_]+}} overflow<nsw> : i32
// CHECK:           %[[COUNT:.*]] = arith.addi %{{.*}} overflow<nsw> : tensor<64xi32>
// CHECK:           arith.divsi %[[COUNT]]
// CHECK:           arith.remsi %[[COUNT]]
// CHECK:           %[[KEY:.*]] = arith.muli %{{[0-9a-z_]+}}, %{{[0-9a-z_]+}} : i32
// CHECK:           arith.remsi %[[KEY]]
tt.func public @rows_and_columns(%x: !tt.ptr<f32>, %width: i32, %stride: i32) {
  %length = arith.constant 64 : i32
  %factor = arith.constant 1640531527 : i32
  %program = tt.get_program_id x : i32
  %first = arith.muli %program, %length : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %start, %range : tensor<64xi32>
  %widths = tt.splat %width : i32 -> tensor<64xi32>
  %row = arith.divsi %at, %widths : tensor<64xi32>
  %column = arith.remsi %at, %widths : tensor<64xi32>
  %strides = tt.splat %stride : i32 -> tensor<64xi32>
  %above = arith.muli %row, %strides : tensor<64xi32>
  %offset = arith.addi %above, %column : tensor<64xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %base, %offset : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %from : tensor<64x!tt.ptr<f32>>
  %key = arith.muli %program, %factor : i32
  %slot = arith.remsi %key, %width : i32
  %table = tt.addptr %x, %slot : !tt.ptr<f32>, i32
  %to = tt.splat %table : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  tt.store %to, %value : tensor<64x!tt.ptr<f32>>
  tt.return
}

// The extent of a tensor that a descriptor has of arguments is taken not to wrap either, which a launch may compute then; a
// copy of it that is stored wraps. What a program's number is part of is no extent.
//
// CHECK-LABEL:   fsm.kernel @extents
// CHECK:           %[[ROWS:.*]] = arith.muli %n, %m overflow<nsw> : i32
// CHECK-NEXT:      %[[NUMBER:.*]] = arith.muli %n, %m : i32
// CHECK:           arith.extsi %[[ROWS]] : i32 to i64
// CHECK:           arith.muli %{{.*}}, %m : i32
// CHECK:           fsm.store %[[NUMBER]]
tt.func public @extents(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %rows = arith.muli %n, %m : i32
  %bound = arith.extsi %rows : i32 to i64
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %at = arith.extsi %range : tensor<8xi32> to tensor<8xi64>
  %bounds = tt.splat %bound : i64 -> tensor<8xi64>
  %inside = arith.cmpi slt, %at, %bounds : tensor<8xi64>
  %program = tt.get_program_id x : i32
  %more = arith.muli %program, %m : i32
  %end = arith.extsi %more : i32 to i64
  %ends = tt.splat %end : i64 -> tensor<8xi64>
  %before = arith.cmpi slt, %at, %ends : tensor<8xi64>
  %both = arith.andi %inside, %before : tensor<8xi1>
  %base = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %base, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi64>
  tt.store %to, %range, %both : tensor<8x!tt.ptr<i32>>
  tt.store %x, %rows : !tt.ptr<i32>
  tt.return
}

// Which element of all it is that a program walks does not wrap where an offset takes its remainder and its quotient; what has a
// factor as hashes have it may.
//
// CHECK-LABEL:   fsm.kernel @columns
// CHECK:           %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:           %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : tensor<8xi32>
// CHECK:           arith.remsi %[[AT]]
// CHECK:           arith.divsi %[[AT]]
// CHECK:           %[[HASH:.*]] = arith.muli %{{[0-9a-z_]+}}, %{{[0-9a-z_]+}} : i32
// CHECK:           arith.remsi %[[HASH]]
tt.func public @columns(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %length = arith.constant 8 : i32
  %factor = arith.constant 1640531527 : i32
  %columns = arith.constant dense<64> : tensor<8xi32>
  %rows = arith.constant dense<4096> : tensor<8xi32>
  %program = tt.get_program_id x : i32
  %first = arith.muli %program, %length : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %start = tt.splat %first : i32 -> tensor<8xi32>
  %at = arith.addi %start, %range : tensor<8xi32>
  %column = arith.remsi %at, %columns : tensor<8xi32>
  %row = arith.divsi %at, %columns : tensor<8xi32>
  %begin = arith.muli %row, %rows : tensor<8xi32>
  %place = arith.addi %column, %begin : tensor<8xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %from = tt.addptr %base, %place : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %value = tt.load %from : tensor<8x!tt.ptr<f32>>
  %hash = arith.muli %program, %factor : i32
  %slot = arith.remsi %hash, %length : i32
  %table = tt.addptr %y, %slot : !tt.ptr<f32>, i32
  %to = tt.splat %table : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  tt.store %to, %value : tensor<8x!tt.ptr<f32>>
  tt.return
}

// Nor does it in 64 bits, to which the number of the program is widened; a number that is stored as well wraps.
//
// CHECK-LABEL:   fsm.kernel @wide_columns
// CHECK:           %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK:           %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : tensor<8xi64>
// CHECK:           arith.remsi %[[AT]]
// CHECK:           arith.divsi %[[AT]]
tt.func public @wide_columns(%x: !tt.ptr<f32>, %width: i64) {
  %length = arith.constant 8 : i64
  %program = tt.get_program_id x : i32
  %wide = arith.extsi %program : i32 to i64
  %first = arith.muli %wide, %length : i64
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %more = arith.extsi %range : tensor<8xi32> to tensor<8xi64>
  %start = tt.splat %first : i64 -> tensor<8xi64>
  %at = arith.addi %start, %more : tensor<8xi64>
  %widths = tt.splat %width : i64 -> tensor<8xi64>
  %column = arith.remsi %at, %widths : tensor<8xi64>
  %row = arith.divsi %at, %widths : tensor<8xi64>
  %begin = arith.muli %row, %widths : tensor<8xi64>
  %place = arith.addi %column, %begin : tensor<8xi64>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %from = tt.addptr %base, %place : tensor<8x!tt.ptr<f32>>, tensor<8xi64>
  %value = tt.load %from : tensor<8x!tt.ptr<f32>>
  tt.store %from, %value : tensor<8x!tt.ptr<f32>>
  tt.return
}
