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

// expected-note@+1 {{the kernel is here}}
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

// -----

#one = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#two = #fsm.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0]], cta = []>

fsm.kernel @other_warps() attributes {num_warps = 1 : i32} {
  // expected-note-re @below {{operand 0 is 'tensor<64xi32, #fsm.layout<register = {{\[\[32\]\]}}, {{.*}}>>' here}}
  %x = fsm.range 0, 64 : tensor<64xi32, #one>
  // expected-error @below {{expected layouts over equally many warps}}
  %y = fsm.expand_dims %x axis 1 : tensor<64xi32, #one> -> tensor<64x1xi32, #two>
  fsm.return
}
