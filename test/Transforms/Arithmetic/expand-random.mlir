// Random words become both halves of products, and exclusive ors; a key that is
// the same for all elements is stepped as a scalar.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-random))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-random,fsm-combine))' | FileCheck %s --check-prefix=COMBINED

// The first round of (M1 c2 >> 32) ^ c1 ^ k0, M1 c2, (M0 c0 >> 32) ^ c3 ^ k1, M0 c0 with M0 = 0xD2511F53 and M1 = 0xCD9E8D57.
// CHECK-LABEL: @scalars
// CHECK-SAME:    %out: !fsm.ptr<i32>, %c0: i32, %c1: i32, %c2: i32, %c3: i32, %k0: i32, %k1: i32
// CHECK:         %[[M0:.*]] = arith.constant -766435501 : i32
// CHECK:         %[[H0:.*]] = fsm.umulhi %c0, %[[M0]] : i32
// CHECK:         %[[L0:.*]] = arith.muli %c0, %[[M0]] : i32
// CHECK:         %[[M1:.*]] = arith.constant -845247145 : i32
// CHECK:         %[[H1:.*]] = fsm.umulhi %c2, %[[M1]] : i32
// CHECK:         %[[L1:.*]] = arith.muli %c2, %[[M1]] : i32
// CHECK:         %[[A:.*]] = arith.xori %[[H1]], %c1 : i32
// CHECK:         %[[N0:.*]] = arith.xori %[[A]], %k0 : i32
// CHECK:         %[[B:.*]] = arith.xori %[[H0]], %c3 : i32
// CHECK:         %[[N2:.*]] = arith.xori %[[B]], %k1 : i32
// The keys of the second, the bits of 0x9E3779B9 and 0xBB67AE85.
// CHECK:         %[[Y0:.*]] = arith.constant -1640531527 : i32
// CHECK:         arith.addi %k0, %[[Y0]] : i32
// CHECK:         %[[Y1:.*]] = arith.constant -1150833019 : i32
// CHECK:         arith.addi %k1, %[[Y1]] : i32
// CHECK:         fsm.umulhi %[[N0]],
// CHECK:         fsm.umulhi %[[N2]],
// CHECK-NOT:     fsm.philox
fsm.kernel @scalars(%out: !fsm.ptr<i32>, %c0: i32, %c1: i32, %c2: i32, %c3: i32, %k0: i32, %k1: i32) {
  %a, %b, %c, %d = fsm.philox counter %c0, %c1, %c2, %c3 key %k0, %k1 : i32
  %ab = arith.xori %a, %b : i32
  %cd = arith.xori %c, %d : i32
  %all = arith.xori %ab, %cd : i32
  fsm.store %all, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// COMBINED-LABEL: @one_key
// COMBINED-SAME:    %out: !fsm.ptr<i32>, %k0: i32, %k1: i32
// COMBINED-DAG:     arith.addi %k0, %{{.*}} : i32
// COMBINED-DAG:     arith.addi %k1, %{{.*}} : i32
// COMBINED-NOT:     arith.addi {{.*}} : tensor
// COMBINED:         fsm.store
fsm.kernel @one_key(%out: !fsm.ptr<i32>, %k0: i32, %k1: i32) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %low = fsm.splat %k0 : tensor<64xi32>
  %high = fsm.splat %k1 : tensor<64xi32>
  %a, %b, %c, %d = fsm.philox counter %i, %zero, %zero, %zero key %low, %high : tensor<64xi32>
  fsm.store %a, %out[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
