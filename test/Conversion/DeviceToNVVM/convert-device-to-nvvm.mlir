// RUN: split-file %s %t
// RUN: %fsm_device_code %t/good.mlir --emit=nvvm | FileCheck %s
// RUN: not %fsm_device_code %t/warps.mlir --emit=nvvm 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: %fsm_device_code %t/clusters.mlir --emit=nvvm | FileCheck %s --check-prefix=CLUSTERS
// RUN: not %fsm_device_code %t/both.mlir --emit=nvvm 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %fsm_device_code %t/programs.mlir --emit=nvvm | FileCheck %s --check-prefix=PROGRAMS
// RUN: %fsm_device_code %t/full.mlir --emit=nvvm | FileCheck %s --check-prefix=FULL
// RUN: not %fsm_device_code %t/twice.mlir --emit=nvvm 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %fsm_device_code %t/attributions.mlir --emit=nvvm 2>&1 | FileCheck %s --check-prefix=ATTRIBUTIONS

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK: gpu.module @kernels
// CHECK-NOT: {{scf|arith|math|vector|cf|gpu}}.{{[a-z]+}} {{[%"]}}
// CHECK: llvm.func @kernel(%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i32)
// CHECK-SAME: fsm.num_warps = 4 : i32, fsm.programs_per_cta = 2 : i32
// CHECK-SAME: nvvm.kernel, nvvm.maxnreg = 64 : i32, nvvm.maxntid = array<i32: 256>, nvvm.minctasm = 3 : i32
// CHECK: llvm.shufflevector {{.*}}vector<8xf32>
// CHECK: llvm.intr.maxnum
// CHECK: llvm.intr.fma
// The loop that stays as it is, and one that nothing is said of.
// CHECK: llvm.br {{.*}} {loop_annotation = #[[KEEP]]}
// CHECK: llvm.cond_br
// CHECK-NOT: loop_annotation
// CHECK: llvm.return

// WARPS: warps.mlir":2:3): error: 'gpu.func' op needs 'fsm.num_warps' times 'fsm.programs_per_cta' between 1 and 32, got 16 times 4
// WARPS-NOT: legalize
// CLUSTERS: nvvm.cluster_dim = array<i32: 8, 1, 1>
// BOTH: error: 'gpu.func' op needs 'fsm.num_ctas' up to 16, and 1 where programs share a cta, got 2
// PROGRAMS: nvvm.cluster_dim = array<i32: 4, 1, 1>
// With a number of registers ptxas forgets that 1,024 threads leave each 64.
// FULL-NOT: nvvm.maxnreg
// FULL: nvvm.maxntid = array<i32: 1024>
// FULL-NOT: nvvm.maxnreg
// TWICE: error: 'gpu.func' op needs programs of one cta each where 'fsm.cluster' is given
// ATTRIBUTIONS: error: 'gpu.func' op needs shared memory as a global, not as attributions

//--- good.mlir
gpu.module @kernels {
  gpu.func @kernel(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32) kernel
      attributes {fsm.num_warps = 4 : i32, fsm.programs_per_cta = 2 : i32, fsm.max_registers = 64 : i32, fsm.resident_ctas = 3 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %v = vector.insert_strided_slice %x, %zero {offsets = [4], strides = [1]} : vector<4xf32> into vector<8xf32>
    %m = arith.maxnumf %v, %zero : vector<8xf32>
    %f = math.fma %m, %m, %v : vector<8xf32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> (vector<8xf32>) : i32 {
      %t = arith.addf %s, %f : vector<8xf32>
      scf.yield %t : vector<8xf32>
    } {fsm.no_unroll}
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (vector<8xf32>) : i32 {
      %t = arith.mulf %s, %f : vector<8xf32>
      scf.yield %t : vector<8xf32>
    }
    %y = vector.extract_strided_slice %b {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    llvm.store %y, %p {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}
//--- warps.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 16 : i32, fsm.programs_per_cta = 4 : i32} {
    gpu.return
  }
}
//--- programs.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 4 : i32, fsm.cluster = 4 : i32} {
    gpu.return
  }
}
//--- full.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 4 : i32, fsm.programs_per_cta = 8 : i32, fsm.max_registers = 255 : i32} {
    gpu.return
  }
}
//--- twice.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 4 : i32, fsm.cluster = 4 : i32, fsm.num_ctas = 2 : i32} {
    gpu.return
  }
}
//--- attributions.mlir
gpu.module @kernels {
  gpu.func @kernel() workgroup(%m: memref<4xf32, 3>) kernel attributes {fsm.num_warps = 1 : i32} {
    gpu.return
  }
}
//--- clusters.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 4 : i32, fsm.num_ctas = 8 : i32} {
    gpu.return
  }
}
//--- both.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel attributes {fsm.num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32, fsm.num_ctas = 2 : i32} {
    gpu.return
  }
}
