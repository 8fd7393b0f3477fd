// What copies into rings must be given, and what is said when they are not.

// RUN: %fsm_opt %s --convert-fsm-to-gpu --split-input-file --verify-diagnostics

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @no_place(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ring = fsm.ring : !fsm.ring<2, tensor<128xf32, #row>>
  // expected-error@+1 {{expected an 'fsm.ring' with 'fsm.shared_offset'; 'fsm-allocate-shared' gives it a place}}
  fsm.copy_async %p[%o] into %ring[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.ring<2, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @too_wide(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ring = fsm.ring {fsm.shared_offset = 0 : i32} : !fsm.ring<2, tensor<128xf32, #row>>
  // expected-error@+1 {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  fsm.copy_async %p[%o] into %ring[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.ring<2, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @too_narrow(%p: !fsm.ptr<f16>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 512 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ring = fsm.ring {fsm.shared_offset = 0 : i32} : !fsm.ring<2, tensor<128xf16, #row>>
  // expected-error@+1 {{expected accesses of 4, 8 or 16 bytes, got 2}}
  fsm.copy_async %p[%o] into %ring[%slot] : !fsm.ptr<f16>, tensor<128xi32, #row>, !fsm.ring<2, tensor<128xf16, #row>>
  fsm.return
}
