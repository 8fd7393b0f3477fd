// Atomics as inline PTX: by the first of the threads that hold an element, which hands on
// what it has found.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

// One warp: lane 0 acts, a shuffle tells the others.
// CHECK-LABEL: gpu.func @scalar
// CHECK:         %[[LANE:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         %[[OLD:.*]] = llvm.inline_asm has_side_effects {{.*}}"@$3 atom.global.gpu.acq_rel.add.u32 $0, [$1], $2;", "=r,l,r,b,0,~{memory}" %{{.*}}, %{{.*}}, %[[FIRST]], %{{.*}}
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK:         nvvm.shfl.sync idx {{.*}}, %[[OLD]], %[[ZERO]]
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @scalar(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %x: i32) attributes {num_warps = 1 : i32} {
  %old = fsm.atomic_rmw <add> %x, %p : i32, !fsm.ptr<i32>
  fsm.store %old, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// Nobody asks: nothing is handed on.
// CHECK-LABEL: gpu.func @unasked
// CHECK:         llvm.inline_asm {{.*}}"@$3 atom.global.sys.relaxed.add.f64 $0, [$1], $2;", "=l,l,l,b,0,~{memory}"
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @unasked(%p: !fsm.ptr<f64>, %x: f64) attributes {num_warps = 4 : i32} {
  %old = fsm.atomic_rmw <add> %x, %p sem = relaxed scope = sys : f64, !fsm.ptr<f64>
  fsm.return
}

// Several warps: what fsm-stage-exchanges has written goes through shared memory; nothing is handed on besides.
// CHECK-LABEL: gpu.func @warps
// CHECK:         llvm.inline_asm {{.*}}"@$4 atom.global.acquire.gpu.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,b,0,~{memory}"
// CHECK-NOT:     nvvm.shfl
// CHECK:         llvm.store {{.*}}, !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK:         llvm.load {{.*}} !llvm.ptr<3> -> i32
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @warps(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %x: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %old = fsm.atomic_cas %x, %x, %p sem = acquire : i32, !fsm.ptr<i32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1xi32>
  fsm.shared_store %old, %a : i32, !fsm.shared<1xi32>
  fsm.shared_barrier <program>
  %seen = fsm.shared_load %a : !fsm.shared<1xi32> -> i32
  fsm.store %seen, %q : i32, !fsm.ptr<i32>
  fsm.return
}

#own = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Every thread has its own elements: 60 of 64 places, so that the second register's update
// has a condition and the first one's none. One fence in front releases for both, and one behind acquires.
// CHECK-LABEL: gpu.func @own
// CHECK:         llvm.inline_asm {{.*}}"fence.acq_rel.gpu;", "~{memory}"
// CHECK-NOT:     fence
// CHECK:         llvm.inline_asm {{.*}}"atom.global.gpu.relaxed.max.s64 $0, [$1], $2;", "=l,l,l,~{memory}"
// CHECK:         arith.cmpi ult
// CHECK:         llvm.inline_asm {{.*}}"@$3 atom.global.gpu.relaxed.max.s64 $0, [$1], $2;"
// CHECK-NOT:     nvvm.shfl
// CHECK:         llvm.inline_asm {{.*}}"fence.acq_rel.gpu;", "~{memory}"
// CHECK-NOT:     fence
// CHECK:         gpu.return
fsm.kernel @own(%p: !fsm.ptr<i64>, %q: !fsm.ptr<i64>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 60 : tensor<60xi32, #own>
  %x = arith.extsi %o : tensor<60xi32, #own> to tensor<60xi64, #own>
  %old = fsm.atomic_rmw <max> %x, %p[%o] : tensor<60xi64, #own>, !fsm.ptr<i64>, tensor<60xi32, #own>
  fsm.store %old, %q[%o] : tensor<60xi64, #own>, !fsm.ptr<i64>, tensor<60xi32, #own>
  fsm.return
}

#lanes = #fsm.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [], cta = []>

// Four lanes hold each element: those with a number below 8 act.
// CHECK-LABEL: gpu.func @lanes
// CHECK:         arith.constant 24 : i32
// CHECK:         llvm.inline_asm {{.*}}"@$3 atom.global.gpu.acq_rel.add.noftz.f16 $0, [$1], $2;", "=h,l,h,b,0,~{memory}"
// CHECK:         %[[KEPT:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %[[FROM:.*]] = arith.andi %{{.*}}, %[[KEPT]]
// CHECK:         nvvm.shfl.sync idx {{.*}}, %[[FROM]],
// CHECK:         gpu.return
fsm.kernel @lanes(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32, #lanes>
  %x = arith.constant dense<1.0> : tensor<8xf16, #lanes>
  %old = fsm.atomic_rmw <add> %x, %p[%o] : tensor<8xf16, #lanes>, !fsm.ptr<f16>, tensor<8xi32, #lanes>
  fsm.store %old, %q[%o] : tensor<8xf16, #lanes>, !fsm.ptr<f16>, tensor<8xi32, #lanes>
  fsm.return
}

// PTX has no max of floats: a loop of the warp, until the one thread that acts is done.
// CHECK-LABEL: gpu.func @loop
// CHECK:         llvm.inline_asm {{.*}}"@$2 ld.relaxed.cta.global.b32 $0, [$1];"
// CHECK:         scf.while (%[[EXPECTED:.*]] = %{{.*}}, %[[ACTIVE:.*]] = %{{.*}})
// CHECK:           %[[SEEN:.*]] = llvm.inline_asm {{.*}}"@$4 atom.global.cta.release.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,b,0,~{memory}" {{.*}}, %[[EXPECTED]], %{{.*}}, %[[ACTIVE]], %{{.*}} :
// CHECK:           %[[OTHER:.*]] = arith.cmpi ne, %[[SEEN]], %[[EXPECTED]]
// CHECK:           %[[AGAIN:.*]] = arith.andi %[[ACTIVE]], %[[OTHER]]
// CHECK:           %[[OLD:.*]] = arith.select %[[ACTIVE]], %[[SEEN]], %[[EXPECTED]]
// CHECK:           %[[ANY:.*]] = nvvm.vote.sync any %{{.*}}, %[[AGAIN]]
// CHECK:           scf.condition(%[[ANY]]) %[[OLD]], %[[AGAIN]]
// CHECK:         gpu.return
fsm.kernel @loop(%p: !fsm.ptr<f32>, %x: f32) attributes {num_warps = 1 : i32} {
  %old = fsm.atomic_rmw <max> %x, %p sem = release scope = cta : f32, !fsm.ptr<f32>
  fsm.return
}

// A volatile load of a scalar: all threads go by what the first one saw.
// CHECK-LABEL: gpu.func @volatile
// CHECK:         %[[SEEN:.*]] = llvm.inline_asm {{.*}}"@$2 ld.volatile.global.b32
// CHECK:         llvm.store {{.*}}, !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK:         llvm.load {{.*}} !llvm.ptr<3> -> i32
// CHECK:         scf.if
// CHECK:         gpu.return
fsm.kernel @volatile(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %x: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %first = fsm.load %p volatile : !fsm.ptr<i32> -> i32
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1xi32>
  fsm.shared_store %first, %a : i32, !fsm.shared<1xi32>
  fsm.shared_barrier <program>
  %seen = fsm.shared_load %a : !fsm.shared<1xi32> -> i32
  %is = arith.cmpi eq, %seen, %x : i32
  scf.if %is {
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// CHECK-LABEL: gpu.func @addresses
// CHECK:         llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
// CHECK:         llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
fsm.kernel @addresses(%p: !fsm.ptr<i32>, %i: i64, %x: i32) attributes {num_warps = 1 : i32} {
  %a = fsm.ptr_to_int %p : !fsm.ptr<i32> -> i64
  %b = arith.addi %a, %i : i64
  %q = fsm.int_to_ptr %b : i64 -> !fsm.ptr<i32>
  fsm.store %x, %q : i32, !fsm.ptr<i32>
  fsm.return
}
