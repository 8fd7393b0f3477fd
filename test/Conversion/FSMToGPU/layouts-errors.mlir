// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --convert-fsm-to-gpu

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_exchange() attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // expected-error @below {{expected 'fsm-stage-exchanges' to say how warps exchange what each has combined}}
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

// expected-note @below {{the kernel is here}}
fsm.kernel @ctas() attributes {num_warps = 1 : i32} {
  // expected-error @below {{expected layouts over the kernel's 1 warps on 1 ctas}}
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
  // expected-error @below {{expected layouts over equally many warps and ctas}}
  %y = fsm.expand_dims %x axis 1 : tensor<64xi32, #one> -> tensor<64x1xi32, #two>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>

fsm.kernel @conversion_not_staged() attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // expected-error @below {{expected a conversion that a warp does by itself; 'fsm-stage-exchanges' takes others through shared memory}}
  %y = fsm.convert_layout %x : tensor<64xi32, #w> -> tensor<64xi32, #v>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#more = #fsm.layout<register = [[16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>

fsm.kernel @reshape_not_staged() attributes {num_warps = 2 : i32} {
  // expected-note @below {{operand 0 is 'tensor<60xi32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>>' here}}
  %x = fsm.range 0, 60 : tensor<60xi32, #w>
  // expected-error @below {{expected layouts of source and result between which no element moves}}
  %y = fsm.reshape %x : tensor<60xi32, #w> -> tensor<20x3xi32, #more>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_place() attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // expected-error @below {{expected 'fsm.shared_offset' from fsm-allocate-shared}}
  %a = fsm.shared_alloc : !fsm.shared<64xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.return
}

// -----

#skewed = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 1], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>

// The rows are not apart from the columns.
fsm.kernel @reduction_not_staged() attributes {num_warps = 2 : i32} {
  %x = arith.constant dense<1> : tensor<16x4xi32, #skewed>
  // expected-error @below {{expected operands and results in the layouts that 'fsm-stage-exchanges' brings them to}}
  %s = fsm.reduce <sum> %x axis 1 : tensor<16x4xi32, #skewed> -> tensor<16xi32, #fsm.layout<register = [], lane = [[0], [0], [1], [2], [4]], warp = [[8]], cta = []>>
  fsm.return
}

// -----

fsm.kernel @atomic_not_staged(%p: !fsm.ptr<i32>, %x: i32) attributes {num_warps = 2 : i32} {
  // expected-error @below {{expected 'fsm-stage-exchanges' to hand its result on}}
  %old = fsm.atomic_rmw <add> %x, %p : i32, !fsm.ptr<i32>
  fsm.store %old, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#own = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1]], cta = []>

// Each thread has one of two parts.
fsm.kernel @other_exchange() attributes {num_warps = 2 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  // expected-error @below {{expected the region 'exchange' that 'fsm-stage-exchanges' writes for these layouts}}
  %s = fsm.reduce <sum> %x axis 0 : tensor<64xi32, #w> -> i32 exchange {
  ^bb0(%part: tensor<2xi32, #own>):
    fsm.yield %part : tensor<2xi32, #own>
  }
  fsm.return
}

// -----

// Lanes have columns of both halves.
#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [1, 0], [2, 0]]>
fsm.kernel @part_of_lanes(%x: f32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 32 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4x2xf32, #tile>
  // expected-error@+1 {{expected a part of which each thread has registers of its own}}
  fsm.shared_store %v at [0, 2], %a : tensor<4x4xf32, #w>, !fsm.shared<4x2xf32, #tile>
  fsm.return
}

// -----

#own = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// No target has been named: of f32 an instruction adds to one.
fsm.kernel @wide_update(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #own>
  %x = arith.constant dense<1.0> : tensor<128xf32, #own>
  // expected-error@+1 {{expected 'fsm.access_width' of at most 1 here, got 4}}
  %old = fsm.atomic_rmw <add> %x, %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xf32, #own>, !fsm.ptr<f32>, tensor<128xi32, #own>
  fsm.return
}

// -----

#own = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

fsm.kernel @ends_and_is_asked(%p: !fsm.ptr<f16>, %m: i1) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #own>
  %x = arith.constant dense<1.0> : tensor<128xf16, #own>
  %mask = fsm.splat %m : tensor<128xi1, #own>
  // expected-error@+1 {{expected no 'fsm.mask_ends' where what memory held is used: it would come from two instructions}}
  %old = fsm.atomic_rmw <add> %x, %p[%o], %mask {fsm.access_width = 2 : i32, fsm.access_dim = 0 : i32, fsm.mask_ends} : tensor<128xf16, #own>, !fsm.ptr<f16>, tensor<128xi32, #own>
  fsm.store %old, %p[%o] : tensor<128xf16, #own>, !fsm.ptr<f16>, tensor<128xi32, #own>
  fsm.return
}
