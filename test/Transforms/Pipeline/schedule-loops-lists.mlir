// Where an iteration's address follows a list that the iterations before have read, rows run ahead with the list's numbers.

// RUN: %fsm_opt %s --fsm-schedule-loops | FileCheck %s
// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --verify-diagnostics -o %t.mlir
// RUN: %fsm_opt %s --fsm-schedule-loops --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops | FileCheck %s --check-prefix=LOOP

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// The row of the iteration after next is asked for with what has been read for the next one, and the list's number for the one
// after that: in the loop no copy waits for what is read there.
// CHECK-LABEL: fsm.kernel @rows
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK:         fsm.stages = 3 : i32
// LOOP-LABEL:  fsm.kernel @rows
// LOOP:          scf.for {{.*}} iter_args({{.*}}%[[AT:[a-z0-9_]*]] = %{{[^,]*}}) -> ({{.*}}i32)
// LOOP:          fsm.copy_async
// LOOP:          fsm.load
// LOOP:          scf.yield
fsm.kernel @rows(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32> {fsm.noalias}, %list: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %sum, %last = scf.for %i = %zero to %n step %one iter_args(%sum = %none, %at = %zero) -> (tensor<128xf32, #row>, i32) : i32 {
    %from = fsm.offset %in, %at : !fsm.ptr<f32>, i32
    // expected-remark@+1 {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %more = arith.addf %sum, %x : tensor<128xf32, #row>
    %place = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load runs 2 iterations ahead, into registers: a scalar takes one register}}
    %way = fsm.load %place {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    %next = arith.addi %at, %way : i32
    scf.yield %more, %next : tensor<128xf32, #row>, i32
  } {fsm.num_stages = 3 : i32}
  fsm.store %sum, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// Of a list that a store may have written in the same iteration nothing runs ahead, nor does what follows it; nor where two loads wait
// for one another.
// CHECK-LABEL: fsm.kernel @stay
// CHECK-NOT:     fsm.stage
// CHECK:         fsm.return
fsm.kernel @stay(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> i32 : i32 {
    %from = fsm.offset %in, %at : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address needs another load, which stays}}
    %x = fsm.load %from {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %out : i32, !fsm.ptr<i32>
    %place = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: 'fsm.store' before it in the same iteration may write what it reads}}
    %way = fsm.load %place {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    %next = arith.addi %at, %way : i32
    scf.yield %next : i32
  } {fsm.num_stages = 3 : i32}
  %end = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> i32 : i32 {
    %from = fsm.offset %in, %at : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address follows what the iteration before has loaded}}
    %x = fsm.load %from {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    %place = fsm.offset %in, %x : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address follows what the iteration before has loaded}}
    %y = fsm.load %place {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    scf.yield %y : i32
  } {fsm.num_stages = 3 : i32}
  %sum = arith.addi %last, %end : i32
  fsm.store %sum, %out : i32, !fsm.ptr<i32>
  fsm.return
}
