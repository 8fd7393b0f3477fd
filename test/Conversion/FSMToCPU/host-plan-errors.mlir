// A plan for the host that lacks the buffer of a block is refused at the op that needs it.
// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --convert-fsm-to-cpu

fsm.kernel @atomic(%p: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  // expected-error @below {{expected buffers in the plan for the host; run 'fsm-plan-host-loops' first}}
  %x = fsm.atomic_rmw <add> %o, %p[%o] {fsm.host_loop = 0 : i32} : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %x, %p[%o] {fsm.host_loop = 1 : i32, fsm.host_stride = 1 : i64} : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// -----

fsm.kernel @gathered(%p: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  // expected-error @below {{expected a buffer for the source in the plan for the host; run 'fsm-plan-host-loops' first}}
  %t = fsm.gather %x[%o] axis 0 : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  fsm.store %t, %p[%o] {fsm.host_loop = 0 : i32, fsm.host_stride = 1 : i64} : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// -----

fsm.kernel @toolate(%p: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] {fsm.host_stride = 1 : i64} : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  // expected-error @below {{expected an earlier loop in the plan for the host; run 'fsm-plan-host-loops' first}}
  %r = fsm.reduce <sum> %x axis 0 {fsm.host_loop = 0 : i32} : tensor<64xi32> -> i32
  %s = fsm.splat %r : tensor<64xi32>
  fsm.store %s, %p[%o] {fsm.host_loop = 0 : i32, fsm.host_stride = 1 : i64} : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
