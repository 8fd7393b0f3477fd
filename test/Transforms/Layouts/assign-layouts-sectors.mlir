// What is moved in parts of sectors costs what whole ones do.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a}))' --mlir-print-local-scope | FileCheck %s

// A tile of 2 KB: 8 elements a thread, loaded at once along dimension 0. Stored from there, 8 instructions of a warp would touch 4 sectors
// each and fill half of them.
// CHECK-LABEL: fsm.kernel @tile
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32
// CHECK:         fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 8 : i32
fsm.kernel @tile(%out: !fsm.ptr<bf16> {fsm.align = 16 : i32}, %in: !fsm.ptr<bf16> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [1024, 1] bounds [32, 32] : tensor<32x32xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 1024] bounds [32, 32] : tensor<32x32xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<bf16>, tensor<32x32xi32> -> tensor<32x32xbf16>
  fsm.store %x, %out[%along] : tensor<32x32xbf16>, !fsm.ptr<bf16>, tensor<32x32xi32>
  fsm.return
}
