// What copies into slots must be given, and what is said when they are not.

// RUN: %fsm_opt %s --convert-fsm-to-gpu --split-input-file --verify-diagnostics

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @no_place(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-error@+1 {{expected 'fsm.shared_offset' from fsm-allocate-shared}}
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 2, #own>
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @too_wide(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xf32 slots 2, #own>
  // expected-error@+1 {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @too_narrow(%p: !fsm.ptr<f16>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 512 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xf16 slots 2, #own>
  // expected-error@+1 {{expected accesses of 4, 8 or 16 bytes, got 2}}
  fsm.copy_async %p[%o] into %slots[%slot] : !fsm.ptr<f16>, tensor<128xi32, #row>, !fsm.shared<128xf16 slots 2, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#apart = #fsm.layout<offset = [[4], [8], [16], [32], [64], [1], [2]]>
fsm.kernel @elsewhere(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xf32 slots 2, #apart>
  // expected-error@+1 {{expected a slot in which the elements of each access lie side by side}}
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2, #apart>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @wide_rows(%slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 256 : i32} {
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  %x = fsm.shared_load %slots[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.shared<32xf32 slots 2> -> tensor<32xf32, #row>
  fsm.return
}

// -----

fsm.kernel @no_memory() attributes {num_warps = 1 : i32} {
  // expected-error @below {{expected the kernel's 'fsm.shared_bytes' to hold 8 bytes from 0 on, got 0}}
  %full = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full arrivals 4 : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

fsm.kernel @too_little() attributes {num_warps = 1 : i32, fsm.shared_bytes = 16 : i32} {
  // expected-error @below {{expected the kernel's 'fsm.shared_bytes' to hold 8 bytes from 16 on, got 16}}
  %full = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}
