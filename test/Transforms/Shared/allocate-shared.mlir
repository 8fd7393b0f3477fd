// Where blocks lie. Four warps leave 4 partial results of 4 bytes, which is one
// unit of 16; what is in front of an op in program order takes the lower bytes.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared | FileCheck %s

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#w1 = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#a = #fsm.layout<register = [[1024], [2048]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>
#b4 = #fsm.layout<register = [[1], [2], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>
#s4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]], cta = []>
#b = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512], [1024], [2048]], cta = []>

// The reads of the first are ordered before its next writes by the second's barrier.
// CHECK-LABEL: fsm.kernel @alternate
// CHECK-SAME:    fsm.shared_bytes = 32 : i32
// CHECK:         fsm.reduce <max>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK:         fsm.reduce <sum>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 16 : i32}
fsm.kernel @alternate(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
    %m = fsm.reduce <max> %x axis 0 : tensor<128xf32, #w4> -> f32
    %s = fsm.splat %m : tensor<128xf32, #w4>
    %y = arith.subf %x, %s : tensor<128xf32, #w4>
    %t = fsm.reduce <sum> %y axis 0 : tensor<128xf32, #w4> -> f32
  }
  fsm.return
}

// With a barrier between them two ops use the same bytes.
// CHECK-LABEL: fsm.kernel @share
// CHECK-SAME:    fsm.shared_bytes = 16 : i32
// CHECK:         fsm.reduce <max>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK:         fsm.reduce <sum>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
fsm.kernel @share() attributes {num_warps = 4 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  %m = fsm.reduce <max> %x axis 0 : tensor<128xi32, #w4> -> i32
  fsm.barrier
  %t = fsm.reduce <sum> %x axis 0 : tensor<128xi32, #w4> -> i32
  fsm.return
}

// Three in a row: the third comes behind the barrier of the second.
// CHECK-LABEL: fsm.kernel @three
// CHECK-SAME:    fsm.shared_bytes = 32 : i32
// CHECK:         fsm.reduce <max>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK:         fsm.reduce <min>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 16 : i32}
// CHECK:         fsm.reduce <sum>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 0 : i32}
fsm.kernel @three() attributes {num_warps = 4 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  %a = fsm.reduce <max> %x axis 0 : tensor<128xi32, #w4> -> i32
  %b = fsm.reduce <min> %x axis 0 : tensor<128xi32, #w4> -> i32
  %c = fsm.reduce <sum> %x axis 0 : tensor<128xi32, #w4> -> i32
  fsm.return
}

// Shuffles are enough within a warp.
// CHECK-LABEL: fsm.kernel @one_warp
// CHECK-SAME:    fsm.shared_bytes = 0 : i32
// CHECK-NOT:     fsm.shared_offset
fsm.kernel @one_warp() attributes {num_warps = 1 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w1>
  %a = fsm.reduce <max> %x axis 0 : tensor<128xi32, #w1> -> i32
  fsm.return
}

// 16 KiB each are too much to keep apart. An offset that is there already is written anew.
// CHECK-LABEL: fsm.kernel @large
// CHECK-SAME:    fsm.shared_bytes = 16384 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32}
fsm.kernel @large() attributes {num_warps = 32 : i32} {
  %x = fsm.range 0, 4096 : tensor<4096xi32, #a>
  %first = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<4096xi32>
  fsm.shared_store %x, %first : tensor<4096xi32, #a>, !fsm.shared<4096xi32>
  fsm.shared_barrier <program>
  %y = fsm.shared_load %first : !fsm.shared<4096xi32> -> tensor<4096xi32, #b>
  %second = fsm.shared_alloc : !fsm.shared<4096xi32>
  fsm.shared_store %y, %second : tensor<4096xi32, #b>, !fsm.shared<4096xi32>
  fsm.shared_barrier <program>
  %z = fsm.shared_load %second : !fsm.shared<4096xi32> -> tensor<4096xi32, #a>
  fsm.return
}

// What is in use at the same time lies apart, whatever its size, also where a reduction comes in between; of 100
// bytes the next 16 begin behind 112.
// CHECK-LABEL: fsm.kernel @at_once
// CHECK-SAME:    fsm.shared_bytes = 16512 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4096xi32>
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 16384 : i32} : !fsm.shared<25xi32>
// CHECK:         fsm.reduce <max>
// CHECK:           fsm.shared_alloc {fsm.shared_offset = 16496 : i32}
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4096xi32>
fsm.kernel @at_once() attributes {num_warps = 4 : i32} {
  %x = fsm.range 0, 4096 : tensor<4096xi32, #b4>
  %s = fsm.range 0, 25 : tensor<25xi32, #s4>
  %r = fsm.range 0, 128 : tensor<128xi32, #w4>
  %first = fsm.shared_alloc : !fsm.shared<4096xi32>
  fsm.shared_store %x, %first : tensor<4096xi32, #b4>, !fsm.shared<4096xi32>
  %second = fsm.shared_alloc : !fsm.shared<25xi32>
  fsm.shared_store %s, %second : tensor<25xi32, #s4>, !fsm.shared<25xi32>
  fsm.shared_barrier <program>
  %m = fsm.reduce <max> %r axis 0 : tensor<128xi32, #w4> -> i32
  %y = fsm.shared_load %first : !fsm.shared<4096xi32> -> tensor<4096xi32, #b4>
  %t = fsm.shared_load %second : !fsm.shared<25xi32> -> tensor<25xi32, #s4>
  %third = fsm.shared_alloc : !fsm.shared<4096xi32>
  fsm.shared_store %x, %third : tensor<4096xi32, #b4>, !fsm.shared<4096xi32>
  fsm.return
}

// A loop that reads what was stored in front of it keeps it in use up to its end.
// CHECK-LABEL: fsm.kernel @around_a_loop
// CHECK-SAME:    fsm.shared_bytes = 32768 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 16384 : i32}
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32}
fsm.kernel @around_a_loop(%n: i32) attributes {num_warps = 4 : i32} {
  %x = fsm.range 0, 4096 : tensor<4096xi32, #b4>
  %first = fsm.shared_alloc : !fsm.shared<4096xi32>
  fsm.shared_store %x, %first : tensor<4096xi32, #b4>, !fsm.shared<4096xi32>
  scf.for %i = %n to %n step %n : i32 {
    %y = fsm.shared_load %first : !fsm.shared<4096xi32> -> tensor<4096xi32, #b4>
    %second = fsm.shared_alloc : !fsm.shared<4096xi32>
    fsm.shared_store %x, %second : tensor<4096xi32, #b4>, !fsm.shared<4096xi32>
  }
  %third = fsm.shared_alloc : !fsm.shared<4096xi32>
  fsm.shared_store %x, %third : tensor<4096xi32, #b4>, !fsm.shared<4096xi32>
  fsm.return
}
