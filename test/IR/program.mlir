// Kernels, programs and facts, as they are printed and parsed again.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic --mlir-print-debuginfo | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: fsm.kernel @empty() {
// CHECK-NEXT:    fsm.return
fsm.kernel @empty() {
  fsm.return
}

// CHECK-LABEL: fsm.kernel @arguments(%{{.*}}: !fsm.ptr<f32>, %{{.*}}: !fsm.ptr<!fsm.ptr<bf16>>, %{{.*}}: i1, %{{.*}}: i64, %{{.*}}: f8E4M3FN)
fsm.kernel @arguments(%p: !fsm.ptr<f32>, %pp: !fsm.ptr<!fsm.ptr<bf16>>, %b: i1, %n: i64, %x: f8E4M3FN) {
  fsm.return
}

// CHECK-LABEL: fsm.kernel @promises(
// CHECK-SAME:    !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias, fsm.readonly}
// CHECK-SAME:    i32 {fsm.divisible = 4 : i32, fsm.equal_to = 1 : i32}
// CHECK-SAME:    attributes {max_registers = 64 : i32, num_ctas = 2 : i32, num_warps = 8 : i32}
// GENERIC: "fsm.kernel"() <{arg_attrs
// GENERIC-SAME: max_registers = 64 : i32, num_ctas = 2 : i32, num_warps = 8 : i32, sym_name = "promises"
fsm.kernel @promises(%p: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias, fsm.readonly},
                     %n: i32 {fsm.divisible = 4 : i32, fsm.equal_to = 1 : i32})
    attributes {num_warps = 8 : i32, num_ctas = 2 : i32, max_registers = 64 : i32} {
  fsm.return
}

// Numbers may be written without their type.
// CHECK-LABEL: fsm.kernel @numbers()
// CHECK-SAME:    attributes {max_registers = 64 : i32, num_ctas = 2 : i32, num_warps = 8 : i32}
fsm.kernel @numbers() attributes {num_warps = 8, num_ctas = 2, max_registers = 64} {
  fsm.return
}

// CHECK-LABEL: fsm.kernel @grid
// CHECK-NEXT:    fsm.program_id x : i32
// CHECK-NEXT:    fsm.program_id y : i32
// CHECK-NEXT:    fsm.program_id z : i32
// CHECK-NEXT:    fsm.num_programs x : i32
// CHECK-NEXT:    fsm.num_programs z {note = "text"} : i32
fsm.kernel @grid() {
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %z = fsm.program_id z : i32
  %nx = fsm.num_programs x : i32
  %nz = fsm.num_programs z {note = "text"} : i32
  fsm.return
}

// CHECK-LABEL: fsm.kernel @facts
// CHECK:         fsm.assume %{{.*}}
// CHECK-NEXT:    fsm.hint %{{.*}} {multiple_of = array<i64: 16>} : i32
// CHECK-NEXT:    fsm.splat
// CHECK-NEXT:    fsm.hint %{{.*}} {max_constancy = array<i64: 1, 8>, max_contiguous = array<i64: 4, 1>} : tensor<4x8xi64>
fsm.kernel @facts(%c: i1, %n: i32, %m: i64) {
  fsm.assume %c
  %a = fsm.hint %n {multiple_of = array<i64: 16>} : i32
  %b = fsm.splat %m : tensor<4x8xi64>
  %d = fsm.hint %b {max_contiguous = array<i64: 4, 1>, max_constancy = array<i64: 1, 8>} : tensor<4x8xi64>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @stages
// CHECK:         scf.for
// CHECK:         } {fsm.num_stages = 3 : i32}
fsm.kernel @stages(%n: i32) {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
  } {fsm.num_stages = 3 : i32}
  fsm.return
}
