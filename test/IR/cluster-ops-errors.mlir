// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>

// One box of 16 lines cannot be shared by two.
fsm.kernel @boxes(%a: !fsm.ptr<f16>, %m: i32, %n: i32, %ld: i32, %slot: i32, %all: i1) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  // expected-error@+1 {{expected a kernel with 'fsm.cluster', and boxes for each of its 2 programs, got 1}}
  fsm.copy_tensor %map[%slot, %slot] into %ring[%slot] mbarrier %full together %all
      : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>

fsm.kernel @alone(%a: !fsm.ptr<f16>, %m: i32, %n: i32, %ld: i32, %slot: i32, %all: i1) {
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  // expected-error@+1 {{expected a kernel with 'fsm.cluster', and boxes for each of its 1 programs, got 1}}
  fsm.copy_tensor %map[%slot, %slot] into %ring[%slot] mbarrier %full together %all
      : !fsm.tensor_map<16x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>

// Less than the lines in which chunks are exchanged.
fsm.kernel @lines(%a: !fsm.ptr<f16>, %m: i32, %n: i32, %ld: i32, %slot: i32) {
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<4x64xf16 swizzle 128>
  // expected-error@+1 {{expected slots of tiles that boxes of '!fsm.tensor_map<4x64xf16 swizzle 128>' make up}}
  fsm.copy_tensor %map[%slot, %slot] into %ring[%slot] mbarrier %full
      : !fsm.tensor_map<4x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// -----

fsm.kernel @arrives(%slot: i32, %all: i1) {
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected 'together' in a kernel with 'fsm.cluster', got it in another one}}
  fsm.mbarrier_arrive %empty[%slot] together %all : !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}
