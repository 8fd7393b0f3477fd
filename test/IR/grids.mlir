// Grids that kernels state: what is read is printed.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

// Brackets only where they are needed.
// CHECK-LABEL: @grid(
// CHECK-SAME:    %p: !fsm.ptr<f32>, %m: i32, %n: i64) grid [ceildiv(%m, 64) * (%n + 1), %n - (%m - -2) + 3 * %m, min(%m, 5) * (%m * 2)] attributes {num_warps = 4 : i32} {
fsm.kernel @grid(%p: !fsm.ptr<f32>, %m: i32, %n: i64) grid [ceildiv(%m, 64) * (%n + 1), %n - (%m - -2) + (3 * %m), min(%m, (5)) * (%m * 2)] attributes {num_warps = 4} {
  fsm.return
}
