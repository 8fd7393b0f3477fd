// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --convert-fsm-to-gpu

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @unallocated() attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // expected-error @below {{', a multiple of 16, from fsm-allocate-shared: the op goes through shared memory}}
  %s = fsm.reduce <sum> %x axis 0 : tensor<64xi32, #w> -> i32
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @warps() attributes {num_warps = 4 : i32} {
  // expected-error @below {{expected layouts over the kernel's 4 warps}}
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %s = fsm.reduce <sum> %x axis 0 : tensor<64xi32, #w> -> i32
  fsm.return
}

// -----

#r = #fsm.layout<register = [[1], [1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>

fsm.kernel @registers() attributes {num_warps = 1 : i32} {
  // expected-error @below {{expected layouts whose registers hold distinct elements}}
  %x = fsm.range 0, 64 : tensor<64xi32, #r>
  %s = fsm.reduce <sum> %x axis 0 : tensor<64xi32, #r> -> i32
  fsm.return
}

// -----

#c = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

fsm.kernel @ctas() attributes {num_warps = 1 : i32} {
  // expected-error @below {{expected layouts over one cta}}
  %x = fsm.range 0, 64 : tensor<64xi32, #c>
  %s = fsm.reduce <sum> %x axis 0 : tensor<64xi32, #c> -> i32
  fsm.return
}
