// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @rows(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-error@+1 {{expected a box of 1 to 5 dimensions of 1 to 256 elements, whose rows have the swizzle's 32, 64 or 128 bytes, got rows of 64 'f16' and 64}}
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 64>
  fsm.return
}

// -----

fsm.kernel @inner(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-note@+1 {{the pointer is made here}}
  %q = fsm.offset %p, %m : !fsm.ptr<f16>, i32
  // expected-error@+1 {{expected a pointer that is an argument of the kernel, to 'f16', got '!fsm.ptr<f16>'}}
  %map = fsm.tensor_map %q sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

fsm.kernel @strides(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-error@+1 {{expected 2 sizes and 1 strides for a box of 2 dimensions, got 2 and 2}}
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m, %m] : (!fsm.ptr<f16>, i32, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

fsm.kernel @moving(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-note@+1 {{another one is made here}}
  %n = arith.addi %m, %m : i32
  // expected-error@+1 {{expected sizes and strides that a launch knows: arguments, numbers, and sums, differences and products of these that do not wrap}}
  %map = fsm.tensor_map %p sizes [%m, %n] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @coordinates(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected 2 coordinates, one for each dimension of '!fsm.tensor_map<16x64xf16 swizzle 128>', got 1}}
  fsm.copy_tensor %map[%m] into %ring[%m] mbarrier %full : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @boxes(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<32x64xf16 swizzle 128>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected slots of tiles that boxes of '!fsm.tensor_map<32x64xf16 swizzle 128>' make up, and an mbarrier for each of them, got}}
  fsm.copy_tensor %map[%m, %m] into %ring[%m] mbarrier %full : !fsm.tensor_map<32x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @cleared_by_whole_boxes(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-note@+1 {{the map is made here}}
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  // expected-error@+1 {{expected an 'fsm.tensor_map' with 'box_ends'}}
  fsm.clear_lines %ring by %map : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @cleared_by_other_boxes(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] box_ends : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<8x64xf16 swizzle 128>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  // expected-error@+1 {{expected slots of tiles that boxes of '!fsm.tensor_map<8x64xf16 swizzle 128>' make up, got}}
  fsm.clear_lines %ring by %map : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.tensor_map<8x64xf16 swizzle 128>
  fsm.return
}

// -----

fsm.kernel @no_mbarriers(%m: i32) {
  %ring = fsm.shared_alloc : !fsm.shared<16xf16>
  // expected-error@+1 {{expected memory of mbarriers, got '!fsm.shared<16xf16>'}}
  fsm.mbarrier_expect %ring[%m] bytes 16 : !fsm.shared<16xf16>
  fsm.return
}

// -----

fsm.kernel @fetched_coordinates(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  // expected-error@+1 {{expected 2 coordinates, one for each dimension of '!fsm.tensor_map<16x64xf16 swizzle 128>', got 1}}
  fsm.fetch_tensor %map[%m] : !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @stored_coordinates(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %memory = fsm.shared_alloc : !fsm.shared<16x64xf16, #tile>
  // expected-error@+1 {{expected 2 coordinates, one for each dimension of '!fsm.tensor_map<16x64xf16 swizzle 128>', got 3}}
  fsm.store_tensor %memory into %map[%m, %m, %m] : !fsm.shared<16x64xf16, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @stored_slots(%p: !fsm.ptr<f16>, %m: i32) {
  %map = fsm.tensor_map %p sizes [%m, %m] strides [%m] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %memory = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  // expected-error@+1 {{expected a tile without slots that boxes of '!fsm.tensor_map<16x64xf16 swizzle 128>' make up, got}}
  fsm.store_tensor %memory into %map[%m, %m] : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

fsm.kernel @own_pointer(%p: !fsm.ptr<f32>, %m: i32) {
  // expected-error@+1 {{expected a pointer to 'f16', got '!fsm.ptr<f32>'}}
  %map = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] {slots = 2 : i32} : (!fsm.ptr<f32>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

fsm.kernel @own_sizes(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-error@+1 {{expected 2 sizes and 1 strides for a box of 2 dimensions, got 1 and 1}}
  %map = fsm.own_tensor_map %p sizes [%m] strides [%m] {slots = 2 : i32} : (!fsm.ptr<f16>, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @own_places(%p: !fsm.ptr<f16>, %m: i32) {
  // expected-note@+1 {{the map is made here}}
  %map = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] {slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected a map that has more places than the 3 slots that copies by it are on their way to, got 3}}
  fsm.copy_tensor %map[%m, %m] into %ring[%m] mbarrier %full : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

fsm.kernel @released_by_nobody(%p: !fsm.ptr<f16>, %m: i32, %new: i1, %other: i1) {
  // expected-error@+1 {{expected another map behind it, made on the same condition, whose release is to be its own}}
  %a = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %new {slots = 3 : i32, fsm.released_later} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %b = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %other {slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}
