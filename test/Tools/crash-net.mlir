// MLIR aligns the resource to 1 GiB, for which there is no room here, and aborts: that is said in a sentence, and the
// exit code is 2.

// UNSUPPORTED: sanitized
// RUN: bash -c 'ulimit -v 1000000; %fsm_opt %s; test $? = 2' 2>&1 | FileCheck %s
// RUN: bash -c 'ulimit -v 1000000; %fsm_run --list %s; test $? = 2' 2>&1 | FileCheck %s
// CHECK: crash-net.mlir: error: the compiler crashed; please report this source
// CHECK-NOT: Stack dump

module attributes {fsm.a = dense_resource<x> : tensor<4xi8>} {
}
{-# dialect_resources: { builtin: { x: "0x0000004001020304" } } #-}
