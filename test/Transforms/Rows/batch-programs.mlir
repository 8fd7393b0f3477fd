// Programs of small blocks are one program with one more dimension, of as many as have 1024 bytes together.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{remarks=true}))' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{batch-programs=2}))' | FileCheck %s --check-prefix=TWO
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{batch-programs=never}))' | FileCheck %s --check-prefix=NEVER
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-batch-programs{pack=false}))' | FileCheck %s --check-prefix=NEVER
// NEVER-NOT: fsm.batch

// Rows of 8: 32 of them. Rows beyond the grid are neither read nor written, and what is the same for all stays.
// CHECK-LABEL: fsm.kernel @softmax
// CHECK-SAME:    attributes {fsm.batch = 32 : i32}
// CHECK:       %[[NUMBER:.*]] = fsm.program_id x
// CHECK:       %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c32_i32 overflow<nsw>
// CHECK:       %[[PLACES:.*]] = fsm.range 0, 32
// CHECK:       %[[FIRSTS:.*]] = fsm.splat %[[FIRST]]
// CHECK:       %[[ROWS:.*]] = arith.addi %[[FIRSTS]], %[[PLACES]] overflow<nsw>
// CHECK:       %[[COUNT:.*]] = fsm.num_programs x
// CHECK:       %[[REST:.*]] = arith.subi %[[COUNT]], %[[FIRST]]
// CHECK:       %[[RESTS:.*]] = fsm.splat %[[REST]]
// CHECK:       %[[LIVE:.*]] = arith.cmpi ult, %[[PLACES]], %[[RESTS]] : tensor<32xi32>
// CHECK:       %[[OFFS:.*]] = fsm.range 0, 8 : tensor<8xi32>
// CHECK:       %[[WIDE:.*]] = arith.extsi %[[OFFS]] : tensor<8xi32> to tensor<8xi64>
// CHECK:       arith.cmpi slt, %[[OFFS]], %{{.*}} : tensor<8xi32>
// CHECK:       %[[STARTS:.*]] = arith.muli %[[ROWS]], %{{.*}} overflow<nsw> : tensor<32xi32>
// CHECK:       arith.extsi %[[STARTS]] : tensor<32xi32> to tensor<32xi64>
// CHECK:       %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : tensor<32x8xi64>
// CHECK:       %[[MASK:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<32x8xi1>
// CHECK:       fsm.load %{{.*}}[%[[AT]]], %[[MASK]], %{{.*}} : !fsm.ptr<f32>, tensor<32x8xi64> -> tensor<32x8xf32>
// CHECK:       fsm.reduce <max> %{{.*}} axis 1 : tensor<32x8xf32> -> tensor<32xf32>
// CHECK:       fsm.reduce <sum> %{{.*}} axis 1 : tensor<32x8xf32> -> tensor<32xf32>
// CHECK:       fsm.store %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<32x8xf32>, !fsm.ptr<f32>, tensor<32x8xi64>
// CHECK-NEXT:  fsm.return
// REMARK: :[[@LINE+4]]:1: remark: computes 32 programs at once: their largest block has 8 elements
// TWO-LABEL: fsm.kernel @softmax
// TWO-SAME:    attributes {fsm.batch = 2 : i32}
// TWO:         fsm.load {{.*}} -> tensor<2x8xf32>
fsm.kernel @softmax(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %n = fsm.splat %cols : tensor<8xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<8xi32>
  %ninf = arith.constant 0xFF800000 : f32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%offs], %mask, %ninf : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<8xf32> -> f32
  %maxes = fsm.splat %max : tensor<8xf32>
  %shifted = arith.subf %x, %maxes : tensor<8xf32>
  %num = math.exp %shifted : tensor<8xf32>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<8xf32> -> f32
  %den = fsm.splat %sum : tensor<8xf32>
  %y = arith.divf %num, %den : tensor<8xf32>
  %dst = fsm.offset %out, %i : !fsm.ptr<f32>, i32
  fsm.store %y, %dst[%offs], %mask : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}

// Without blocks there are 256 programs; offsets of a pointer that is the same keep their 32 bits.
// CHECK-LABEL: fsm.kernel @scalars
// CHECK-SAME:    attributes {fsm.batch = 256 : i32}
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %{{.*}} : !fsm.ptr<i32>, tensor<256xi64> -> tensor<256xi32>
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<256xi1>, tensor<256xi32>
fsm.kernel @scalars(%p: !fsm.ptr<i32>, %n: i32) {
  %id = fsm.program_id x : i32
  %at = fsm.offset %p, %id : !fsm.ptr<i32>, i32
  %x = fsm.load %at : !fsm.ptr<i32> -> i32
  %small = arith.cmpi slt, %x, %n : i32
  %y = arith.select %small, %x, %n : i32
  fsm.store %y, %at : i32, !fsm.ptr<i32>
  fsm.return
}

// A loop from the program's number on runs as often as that of the first program; behind its last iteration a
// program keeps what it has. Only on request: a few programs may stay in a loop for long.
// REMARK: :[[@LINE+19]]:{{.*}} remark: programs are not computed several at once: few programs may stay in it for long
// CHECK-LABEL: fsm.kernel @persistent
// CHECK-NOT:     fsm.batch
// TWO-LABEL: fsm.kernel @persistent
// TWO:         %[[FIRST:.*]] = arith.muli
// TWO:         %[[PLACES:.*]] = fsm.range 0, 2
// TWO:         %[[LIVE:.*]] = arith.cmpi ult
// TWO:         scf.for %[[COUNTER:.*]] = %[[FIRST]] to %[[END:.*]] step %{{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (tensor<2xi32>)
// TWO:           %[[LEFT:.*]] = arith.subi %[[END]], %[[COUNTER]]
// TWO:           %[[LEFTS:.*]] = fsm.splat %[[LEFT]]
// TWO:           %[[IN:.*]] = arith.cmpi ult, %[[PLACES]], %[[LEFTS]]
// TWO:           %[[ACTIVE:.*]] = arith.andi %[[IN]], %[[LIVE]]
// TWO:           %[[NEW:.*]] = arith.addi %[[OLD]], %{{.*}} : tensor<2xi32>
// TWO:           %[[KEPT:.*]] = arith.select %[[ACTIVE]], %[[NEW]], %[[OLD]]
// TWO:           scf.yield %[[KEPT]]
fsm.kernel @persistent(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %rows: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zero = arith.constant 0 : i32
  %sum = scf.for %row = %first to %rows step %step iter_args(%old = %zero) -> (i32) : i32 {
    %at = fsm.offset %in, %row : !fsm.ptr<i32>, i32
    %x = fsm.load %at : !fsm.ptr<i32> -> i32
    %new = arith.addi %old, %x : i32
    scf.yield %new : i32
  }
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %sum, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// Blocks of more than 512 bytes use a warp well enough.
// CHECK-LABEL: fsm.kernel @enough
// CHECK-NOT:     fsm.batch
// TWO-LABEL: fsm.kernel @enough
// TWO-SAME:    attributes {fsm.batch = 2 : i32}
fsm.kernel @enough(%out: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %offs = fsm.range 0, 129 : tensor<129xi32>
  %ids = fsm.splat %id : tensor<129xi32>
  fsm.store %ids, %out[%offs] : tensor<129xi32>, !fsm.ptr<i32>, tensor<129xi32>
  fsm.return
}

// Of narrower elements there are more: 4 blocks of 128 halves, whatever they are computed in.
// CHECK-LABEL: fsm.kernel @halves
// CHECK-SAME:    attributes {fsm.batch = 4 : i32}
fsm.kernel @halves(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) {
  %id = fsm.program_id x : i32
  %c128 = arith.constant 128 : i32
  %i = arith.muli %id, %c128 : i32
  %offs = fsm.range 0, 128 : tensor<128xi32>
  %from = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %x = fsm.load %from[%offs] : !fsm.ptr<f16>, tensor<128xi32> -> tensor<128xf16>
  %wide = arith.extf %x : tensor<128xf16> to tensor<128xf32>
  %y = math.exp %wide : tensor<128xf32>
  %narrow = arith.truncf %y : tensor<128xf32> to tensor<128xf16>
  %to = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  fsm.store %narrow, %to[%offs] : tensor<128xf16>, !fsm.ptr<f16>, tensor<128xi32>
  fsm.return
}

// All programs do the same.
// TWO-LABEL: fsm.kernel @same
// TWO-NOT:     fsm.batch
fsm.kernel @same(%out: !fsm.ptr<i32>) {
  %id = fsm.program_id y : i32
  fsm.store %id, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// What an author promises of a number is promised of each program's, and of lines of a block of the same lines behind the programs.
// TWO-LABEL: fsm.kernel @hinted
// TWO:         %[[STARTS:.*]] = fsm.hint %{{.*}} {max_contiguous = array<i64: 1>, multiple_of = array<i64: 4>} : tensor<2xi32>
// TWO:         fsm.hint %{{.*}} {max_constancy = array<i64: 1, 1>, max_contiguous = array<i64: 1, 4>, multiple_of = array<i64: 1, 4>} : tensor<2x8xi32>
// TWO-NOT:     fsm.hint
// TWO:         fsm.return
fsm.kernel @hinted(%out: !fsm.ptr<f32>, %stride: i32) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %start = fsm.hint %i {multiple_of = array<i64: 4>} : i32
  %alone = fsm.hint %start {max_contiguous = array<i64: 1>} : i32
  %range = fsm.range 0, 8 : tensor<8xi32>
  %starts = fsm.splat %alone : tensor<8xi32>
  %at = arith.addi %starts, %range overflow<nsw> : tensor<8xi32>
  %offs = fsm.hint %at {multiple_of = array<i64: 4>, max_contiguous = array<i64: 4>, max_constancy = array<i64: 1>} : tensor<8xi32>
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  fsm.store %zeros, %out[%offs] : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}
