// What one thread does of small kernels: how elements go to instructions, who stores what several
// threads hold, hints, tables, programs that share a cta, and control flow. Reductions, layouts and
// math have tests of their own.
//
// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s
// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s --check-prefix=MODULE

// One module for all kernels, with the shared memory and the tables that any of them needs.
// MODULE-NOT: fsm.kernel
// MODULE-NOT: tensor<{{.*}}#fsm
// MODULE:     gpu.module @kernels {
// MODULE:     llvm.mlir.global external @fsm_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// MODULE:     llvm.mlir.global internal constant @fsm_table{{.*}}(dense<[10, 20, 30, 40, 50]> : tensor<5xi32>) {addr_space = 1 : i32, alignment = 16 : i64}
// MODULE-COUNT-8: gpu.func
// MODULE-NOT: fsm.kernel

#wide = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// As many elements as 'fsm.access_width' says move in one instruction, under the condition of the
// first of them; the rest of the registers are at constant distances.
// CHECK-LABEL: gpu.func @grouped(
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !llvm.ptr<1>, %[[IN:[a-z0-9]+]]: !llvm.ptr<1>, %{{.*}}: i32) kernel attributes {fsm.num_warps = 1 : i32, fsm.programs_per_cta = 1 : i32, fsm.shared_bytes = 0 : i32, known_block_size = array<i32: 32, 1, 1>}
// CHECK:         %[[OFFSETS:[a-z0-9_]+]] = arith.constant dense<[0, 1, 2, 3, 128, 129, 130, 131]> : vector<8xi32>
// CHECK:         %[[MASK:[a-z0-9_]+]] = arith.cmpi slt, {{.*}} : vector<8xi32>
// CHECK:         %[[FROM:[a-z0-9_]+]] = llvm.getelementptr %[[IN]][
// CHECK:         llvm.load %[[FROM]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         %[[SECOND:[a-z0-9_]+]] = llvm.getelementptr %[[FROM]][128]
// CHECK:         llvm.load %[[SECOND]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK:         %[[TO:[a-z0-9_]+]] = llvm.getelementptr %[[OUT]][
// CHECK:         %[[M0:[a-z0-9_]+]] = vector.extract %[[MASK]][0]
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.v2.b32 [$0], {$2, $3};", "l,b,r,r,~{memory}" %[[TO]], %[[M0]], %{{.*}}, %{{.*}} :
// CHECK:         vector.extract %[[MASK]][2]
// CHECK:         llvm.getelementptr %[[TO]][2]
// CHECK:         llvm.inline_asm {{.*}} "@$1 st.global.v2.b32
// CHECK:         vector.extract %[[MASK]][4]
// CHECK:         llvm.getelementptr %[[TO]][128]
// CHECK:         llvm.inline_asm {{.*}} "@$1 st.global.v2.b32
// CHECK:         vector.extract %[[MASK]][6]
// CHECK:         llvm.getelementptr %[[TO]][130]
// CHECK:         llvm.inline_asm {{.*}} "@$1 st.global.v2.b32
// CHECK-NOT:     st.global
// CHECK:         gpu.return
fsm.kernel @grouped(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #wide>
  %ns = fsm.splat %n : tensor<256xi32, #wide>
  %mask = arith.cmpi slt, %o, %ns : tensor<256xi32, #wide>
  %x = fsm.load %in[%o] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<256xi32, #wide> -> tensor<256xf32, #wide>
  fsm.store %x, %out[%o], %mask {fsm.access_dim = 0 : i32, fsm.access_width = 2 : i32} : tensor<256xf32, #wide>, !fsm.ptr<f32>, tensor<256xi32, #wide>
  fsm.return
}

#part = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Of 75 elements in room for 128 the register beyond is not there, and only the last one has a
// bound to check.
// CHECK-LABEL: gpu.func @extent(
// CHECK:         arith.constant dense<[0, 32, 64]> : vector<3xi32>
// CHECK:         arith.trunci {{.*}} : vector<3xi32> to vector<3xi16>
// CHECK-COUNT-2: llvm.store {{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
// CHECK:         %[[END:[a-z0-9_]+]] = arith.constant 75 : i32
// CHECK:         %[[INSIDE:[a-z0-9_]+]] = arith.cmpi ult, %{{.*}}, %[[END]] : i32
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.b16 [$0], $2;", "l,b,h,~{memory}" %{{.*}}, %[[INSIDE]], %{{.*}} :
// CHECK-NOT:     store
// CHECK:         gpu.return
fsm.kernel @extent(%out: !fsm.ptr<i16>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 75 : tensor<75xi32, #part>
  %v = arith.trunci %o : tensor<75xi32, #part> to tensor<75xi16, #part>
  fsm.store %v, %out[%o] : tensor<75xi16, #part>, !fsm.ptr<i16>, tensor<75xi32, #part>
  fsm.return
}

#few = #fsm.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0]], cta = []>

// Eight elements on 64 threads: of those that hold the same one, the first lane of the first
// warp stores it.
// CHECK-LABEL: gpu.func @replicas(
// CHECK:         %[[LANES:[a-z0-9_]+]] = arith.constant 24 : i32
// CHECK:         %[[LANE:[a-z0-9_]+]] = arith.andi %{{.*}}, %[[LANES]] : i32
// CHECK:         %[[ISLANE:[a-z0-9_]+]] = arith.cmpi eq, %[[LANE]],
// CHECK:         %[[WARPS:[a-z0-9_]+]] = arith.constant 1 : i32
// CHECK:         %[[WARP:[a-z0-9_]+]] = arith.andi %{{.*}}, %[[WARPS]] : i32
// CHECK:         %[[ISWARP:[a-z0-9_]+]] = arith.cmpi eq, %[[WARP]],
// CHECK:         %[[FIRST:[a-z0-9_]+]] = arith.andi %[[ISLANE]], %[[ISWARP]] : i1
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.b32 [$0], $2;", "l,b,r,~{memory}" %{{.*}}, %[[FIRST]], %{{.*}} :
// CHECK-NOT:     store
// CHECK:         gpu.return
fsm.kernel @replicas(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32, #few>
  fsm.store %o, %out[%o] : tensor<8xi32, #few>, !fsm.ptr<i32>, tensor<8xi32, #few>
  fsm.return
}

// All threads load a scalar alike, under its mask; one of them stores it.
// CHECK-LABEL: gpu.func @scalar(
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !llvm.ptr<1>, %[[IN:[a-z0-9]+]]: !llvm.ptr<1>, %[[ON:[a-z0-9_]+]]: i1)
// CHECK:         %[[ONE:[a-z0-9_]+]] = vector.broadcast %[[ON]] : i1 to vector<1xi1>
// CHECK:         llvm.intr.masked.load %[[IN]], %[[ONE]], %{{.*}} {alignment = 4 : i32}
// CHECK:         %[[LANE:[a-z0-9_]+]] = arith.cmpi eq
// CHECK:         %[[WARP:[a-z0-9_]+]] = arith.cmpi eq
// CHECK:         %[[FIRST:[a-z0-9_]+]] = arith.andi %[[LANE]], %[[WARP]] : i1
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.b32 [$0], $2;", "l,b,r,~{memory}" %[[OUT]], %[[FIRST]], %{{.*}} :
// CHECK:         gpu.return
fsm.kernel @scalar(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %on: i1) attributes {num_warps = 2 : i32} {
  %c7 = arith.constant 7 : i32
  %x = fsm.load %in, %on, %c7 : !fsm.ptr<i32>, mask i1 -> i32
  fsm.store %x, %out : i32, !fsm.ptr<i32>
  fsm.return
}

#quad = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// LLVM has no op for these hints: they are inline PTX under a predicate, and the registers keep
// what they held where it is false. What says nothing stays a load; 'ca' and 'wb' are said, though they change nothing.
// CHECK-LABEL: gpu.func @hints(
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !llvm.ptr<1>, %[[IN:[a-z0-9]+]]: !llvm.ptr<1>, %[[ON:[a-z0-9_]+]]: i1)
// CHECK:         llvm.inline_asm has_side_effects "@$5 ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %{{.*}}, %[[ON]],
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "@$3 ld.global.L1::evict_last.v2.b32 {$0, $1}, [$2];"
// CHECK-COUNT-4: llvm.inline_asm has_side_effects "@$2 ld.volatile.global.b32 $0, [$1];"
// CHECK:         llvm.inline_asm has_side_effects "@$5 ld.global.ca.v4.b32 {$0, $1, $2, $3}, [$4];"
// CHECK-NOT:     inline_asm
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.wt.v4.b32 [$0], {$2, $3, $4, $5};", "l,b,r,r,r,r,~{memory}"
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.wb.v4.b32 [$0], {$2, $3, $4, $5};"
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.global.L1::evict_first.v4.b32 [$0], {$2, $3, $4, $5};"
// CHECK:         llvm.inline_asm has_side_effects "@$1 st.volatile.global.v4.b32 [$0], {$2, $3, $4, $5};"
// CHECK:         gpu.return
fsm.kernel @hints(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %on: i1) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %a = fsm.load %in[%o], %on cache = cs {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad>, mask i1 -> tensor<128xf32, #quad>
  %b = fsm.load %in[%o] evict = last {fsm.access_width = 2 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %c = fsm.load %in[%o] volatile : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %d = fsm.load %in[%o] cache = ca {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %e = fsm.load %in[%o] {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %ab = arith.addf %a, %b : tensor<128xf32, #quad>
  %de = arith.addf %d, %e : tensor<128xf32, #quad>
  %cd = arith.addf %c, %de : tensor<128xf32, #quad>
  %s = arith.addf %ab, %cd : tensor<128xf32, #quad>
  fsm.store %s, %out[%o] cache = wt {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.store %s, %out[%o] cache = wb {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.store %s, %out[%o] evict = first {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.store %s, %out[%o] volatile {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

// What nobody writes may be loaded at any time, with a hint as without: fsm-plan-threads says so.
// CHECK-LABEL: gpu.func @constant_hints(
// CHECK:         llvm.inline_asm has_side_effects "@$5 ld.global.nc.L1::evict_first.v4.b32 {$0, $1, $2, $3}, [$4];"
// CHECK:         llvm.inline_asm has_side_effects "@$5 ld.global.nc.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];"
// CHECK:         llvm.inline_asm has_side_effects "@$5 ld.global.L1::evict_first.v4.b32 {$0, $1, $2, $3}, [$4];"
fsm.kernel @constant_hints(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #quad>
  %a = fsm.load %in[%o] evict = first {fsm.access_width = 4 : i32, fsm.non_coherent} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %b = fsm.load %in[%o] evict = unkept {fsm.access_width = 4 : i32, fsm.non_coherent} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %c = fsm.load %out[%o] evict = first {fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #quad> -> tensor<128xf32, #quad>
  %ab = arith.addf %a, %b : tensor<128xf32, #quad>
  %s = arith.addf %ab, %c : tensor<128xf32, #quad>
  fsm.store %s, %out[%o] {fsm.access_width = 4 : i32} : tensor<128xf32, #quad>, !fsm.ptr<f32>, tensor<128xi32, #quad>
  fsm.return
}

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

#five = #fsm.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [], cta = []>

// Elements that differ come from a table in global memory; those behind its end are not read.
// CHECK-LABEL: gpu.func @table(
// CHECK:         %[[TABLE:[a-z0-9_]+]] = llvm.mlir.addressof @fsm_table
// CHECK:         %[[INSIDE:[a-z0-9_]+]] = arith.cmpi ult, %[[AT:[a-z0-9_]+]], %{{.*}} : i32
// CHECK:         %[[SAFE:[a-z0-9_]+]] = arith.select %[[INSIDE]], %[[AT]],
// CHECK:         llvm.getelementptr %[[TABLE]][%[[SAFE]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// CHECK:         llvm.load
// CHECK:         gpu.return
fsm.kernel @table(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 5 : tensor<5xi32, #five>
  %v = arith.constant dense<[10, 20, 30, 40, 50]> : tensor<5xi32, #five>
  fsm.store %v, %out[%o] : tensor<5xi32, #five>, !fsm.ptr<i32>, tensor<5xi32, #five>
  fsm.return
}

// Four programs in a cta: a hidden last argument says how many there are, those beyond do nothing,
// and each has its own part of the shared memory.
// CHECK-LABEL: gpu.func @packed(
// CHECK-SAME:    %[[OUT:[a-z0-9_]+]]: !llvm.ptr<1>, %[[COUNT:[a-z0-9_]+]]: i32) kernel attributes {fsm.hidden_arguments = ["program_count"], fsm.num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32, fsm.shared_bytes = 64 : i32, known_block_size = array<i32: 128, 1, 1>}
// CHECK:         %[[BASE:[a-z0-9_]+]] = llvm.mlir.addressof @fsm_shared
// CHECK:         %[[WARP:[a-z0-9_]+]] = arith.shrui
// CHECK:         %[[SIZE:[a-z0-9_]+]] = arith.constant 16 : i32
// CHECK:         %[[PART:[a-z0-9_]+]] = arith.muli %[[WARP]], %[[SIZE]] : i32
// CHECK:         llvm.getelementptr %[[BASE]][%[[PART]]]
// CHECK:         %[[CTA:[a-z0-9_]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK:         %[[FIRST:[a-z0-9_]+]] = arith.muli %[[CTA]], %{{.*}} : i32
// CHECK:         %[[PROGRAM:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[WARP]] : i32
// CHECK:         %[[EXISTS:[a-z0-9_]+]] = arith.cmpi ult, %[[PROGRAM]], %[[COUNT]] : i32
// CHECK-NEXT:    scf.if %[[EXISTS]] {
// CHECK:         %[[Y:[a-z0-9_]+]] = nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK:         arith.addi %[[COUNT]], %[[Y]] : i32
// CHECK-NOT:     nctaid
// CHECK:         gpu.return
fsm.kernel @packed(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %id = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %all = fsm.num_programs x : i32
  %to = fsm.offset %out, %id : !fsm.ptr<i32>, i32
  %s = arith.addi %all, %y : i32
  fsm.store %s, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// Loops count as `fsm-normalize-loops` leaves them; blocks go through loops and branches as vectors.
// CHECK-LABEL: gpu.func @control(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[FROM:[a-z0-9_]+]]: i32, %[[TO:[a-z0-9_]+]]: i32, %[[FLAG:[a-z0-9_]+]]: i1)
// CHECK:         scf.for %[[I:[a-z0-9_]+]] = %{{.*}} to %[[TO]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<1xi32>) : i32 {
// CHECK-NEXT:      vector.broadcast %[[I]]
// CHECK:         } {fsm.no_unroll}
// CHECK:         scf.for unsigned %{{.*}} = %[[FROM]] to %[[TO]] step
// CHECK:         scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %{{.*}} -> (i32) : i32
// CHECK:         scf.if %[[FLAG]] -> (vector<1xi32>)
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, vector<1xi32>) -> (i32, vector<1xi32>)
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : i32, vector<1xi32>
// CHECK:         } do {
// CHECK:           scf.yield %{{.*}}, %{{.*}} : i32, vector<1xi32>
// CHECK:         gpu.return
fsm.kernel @control(%out: !fsm.ptr<i32>, %from: i32, %to: i32, %flag: i1) attributes {num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %o = fsm.range 0, 32 : tensor<32xi32, #row>
  %a = scf.for %i = %c0 to %to step %c3 iter_args(%x = %o) -> (tensor<32xi32, #row>) : i32 {
    %is = fsm.splat %i : tensor<32xi32, #row>
    %n = arith.addi %x, %is : tensor<32xi32, #row>
    scf.yield %n : tensor<32xi32, #row>
  }
  %u = scf.for unsigned %i = %from to %to step %c3 iter_args(%x = %c0) -> (i32) : i32 {
    %n = arith.addi %x, %i : i32
    scf.yield %n : i32
  }
  %p = scf.for %i = %from to %to step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %n = arith.addi %x, %i : i32
    scf.yield %n : i32
  }
  %b = scf.if %flag -> (tensor<32xi32, #row>) {
    %us = fsm.splat %u : tensor<32xi32, #row>
    scf.yield %us : tensor<32xi32, #row>
  } else {
    scf.yield %a : tensor<32xi32, #row>
  }
  %w:2 = scf.while (%k = %p, %v = %b) : (i32, tensor<32xi32, #row>) -> (i32, tensor<32xi32, #row>) {
    %more = arith.cmpi slt, %k, %to : i32
    scf.condition(%more) %k, %v : i32, tensor<32xi32, #row>
  } do {
  ^bb0(%k: i32, %v: tensor<32xi32, #row>):
    %n = arith.addi %k, %c3 : i32
    %d = arith.addi %v, %v : tensor<32xi32, #row>
    scf.yield %n, %d : i32, tensor<32xi32, #row>
  }
  fsm.store %w#1, %out[%o] : tensor<32xi32, #row>, !fsm.ptr<i32>, tensor<32xi32, #row>
  fsm.return
}

// What nobody may look at is zero, a pointer as well; a range whose last places are no i32 any more
// may wrap there.
// CHECK-LABEL: gpu.func @unspecified(
// CHECK:         %[[NULL:[a-z0-9_]+]] = llvm.mlir.zero : !llvm.ptr<1>
// CHECK:         llvm.ptrtoint %[[NULL]]
// CHECK:         arith.addi %{{.*}}, %{{.*}} : vector<1xi32>
// CHECK:         gpu.return
fsm.kernel @unspecified(%out: !fsm.ptr<!fsm.ptr<i32>>, %last: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %p = ub.poison : !fsm.ptr<i32>
  fsm.store %p, %out : !fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<i32>>
  %o = fsm.range 2147483642, 2147483647 : tensor<5xi32, #five>
  fsm.store %o, %last[%o] : tensor<5xi32, #five>, !fsm.ptr<i32>, tensor<5xi32, #five>
  fsm.return
}

// Eight programs that are one: its number is that of the eight, and it is there if the first of them is.
// CHECK-LABEL: gpu.func @batch(
// CHECK-SAME:    %[[OUT:[a-z0-9_]+]]: !llvm.ptr<1>, %[[COUNT:[a-z0-9_]+]]: i32) kernel attributes {fsm.batch = 8 : i32, fsm.hidden_arguments = ["program_count"], fsm.num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32
// CHECK:         %[[WARP:[a-z0-9_]+]] = arith.shrui
// CHECK:         %[[PROGRAM:[a-z0-9_]+]] = arith.addi %{{.*}}, %[[WARP]] : i32
// CHECK:         %[[FIRST:[a-z0-9_]+]] = arith.muli %[[PROGRAM]], %{{.*}} : i32
// CHECK:         %[[EXISTS:[a-z0-9_]+]] = arith.cmpi ult, %[[FIRST]], %[[COUNT]] : i32
// CHECK-NEXT:    scf.if %[[EXISTS]] {
fsm.kernel @batch(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32, fsm.batch = 8 : i32} {
  %id = fsm.program_id x : i32
  %to = fsm.offset %out, %id : !fsm.ptr<i32>, i32
  fsm.store %id, %to : i32, !fsm.ptr<i32>
  fsm.return
}

// Programs that go on to others: how many there are the launch says, and how many are started the hardware.
// CHECK-LABEL: gpu.func @looped(
// CHECK-SAME:    %[[OUT:[a-z0-9_]+]]: !llvm.ptr<1>, %[[COUNT:[a-z0-9_]+]]: i32) kernel attributes {fsm.hidden_arguments = ["program_count"], fsm.loop_programs = 7 : i32
// CHECK:         %[[CTAS:[a-z0-9_]+]] = nvvm.read.ptx.sreg.nctaid.x
// CHECK:         %[[STARTED:[a-z0-9_]+]] = arith.shrui %[[CTAS]], %{{.*}} : i32
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[COUNT]] step %[[STARTED]]
fsm.kernel @looped(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.loop_programs = 7 : i32} {
  %id = fsm.program_id x : i32
  %count = fsm.num_programs x : i32
  %step = fsm.program_step : i32
  scf.for %i = %id to %count step %step : i32 {
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %i, %to : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// One in a cta is there always.
// CHECK-LABEL: gpu.func @batch_of_two_warps(
// CHECK-SAME:    fsm.batch = 8 : i32, fsm.hidden_arguments = ["program_count"]
// CHECK-NOT:     scf.if
// CHECK:         gpu.return
fsm.kernel @batch_of_two_warps(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, fsm.programs_per_cta = 1 : i32, fsm.batch = 8 : i32} {
  %count = fsm.num_programs x : i32
  fsm.store %count, %out : i32, !fsm.ptr<i32>
  fsm.return
}
