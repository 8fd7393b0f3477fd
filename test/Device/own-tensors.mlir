// Maps that programs make, on the simulator: tensors that are empty, of which copies have zeros, by the first thread and by warps that load;
// two and five programs, of which some have no tile; loops of which the first tile has no step.

// RUN: %fsm_run %s --kernel=empty --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[40960]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[5]:arange' --arg=5 --remarks 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=empty --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[40960]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[5]:arange' --arg=5 --roles=never
// RUN: %fsm_run %s --kernel=uneven --device=sim --target=sm_90a --compare=interp --grid=2 --arg='f32[122880]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[5]:arange' --arg=5 --roles=never
// RUN: %fsm_run %s --kernel=uneven --device=sim --target=sm_90a --compare=interp --grid=5 --arg='f32[122880]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[5]:arange' --arg=5 --roles=always
// RUN: %fsm_run %s --kernel=apart --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[81920]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[6]:arange' --arg=5
// RUN: %fsm_run %s --kernel=apart --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f32[81920]' --arg='f16[65536]:uniform:1' --arg='f16[65536]:uniform:2' --arg='i32[6]:arange' --arg=5 --roles=never
// CHECK-COUNT-2: one thread has boxes of a tensor copied to where a product reads them

// Of 0, 24, 48, 72 and 96 rows.
fsm.kernel @empty(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>, %list: !fsm.ptr<i32>, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %end = arith.constant 128 : i32
  %c24 = arith.constant 24 : i32
  %c40 = arith.constant 40 : i32
  %c8192 = arith.constant 8192 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  scf.for %i = %none to %count step %one : i32 {
    %entry = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %number = fsm.load %entry : !fsm.ptr<i32> -> i32
    %m = arith.muli %number, %c24 overflow<nsw> : i32
    %more = arith.addi %number, %one overflow<nsw> : i32
    %k = arith.muli %more, %c40 overflow<nsw> : i32
    %at = arith.muli %number, %c8192 overflow<nsw> : i32
    %x_at = fsm.offset %p, %at : !fsm.ptr<f16>, i32
    %to = arith.muli %i, %c8192 overflow<nsw> : i32
    %to_at = fsm.offset %out, %to : !fsm.ptr<f32>, i32
    %a = fsm.descriptor %x_at sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %q sizes [%k, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %c = fsm.descriptor %to_at sizes [64, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
    %d = scf.for %j = %none to %end step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x = fsm.load_tile %a[0, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32}
    fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}

// Three tiles, whose loops have none, one and two iterations.
fsm.kernel @uneven(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>, %list: !fsm.ptr<i32>, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %step = arith.constant 64 : i32
  %c40 = arith.constant 40 : i32
  %c8192 = arith.constant 8192 : i32
  %program = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  scf.for %i = %none to %count step %one : i32 {
    %entry = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %number = fsm.load %entry : !fsm.ptr<i32> -> i32
    %more = arith.addi %number, %one overflow<nsw> : i32
    %k = arith.muli %more, %c40 overflow<nsw> : i32
    %at = arith.muli %number, %c8192 overflow<nsw> : i32
    %x_at = fsm.offset %p, %at : !fsm.ptr<f16>, i32
    %a = fsm.descriptor %x_at sizes [%k, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %b = fsm.descriptor %q sizes [%k, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    scf.for %tile = %program to %three step %programs : i32 {
      %end = arith.muli %tile, %step overflow<nsw> : i32
      %so_far = arith.muli %i, %three overflow<nsw> : i32
      %all = arith.addi %so_far, %tile overflow<nsw> : i32
      %to = arith.muli %all, %c8192 overflow<nsw> : i32
      %to_at = fsm.offset %out, %to : !fsm.ptr<f32>, i32
      %c = fsm.descriptor %to_at sizes [64, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
      %d = scf.for %j = %none to %end step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
        %x = fsm.load_tile %a[0, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
        %y = fsm.load_tile %b[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
        %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
        scf.yield %next : tensor<64x128xf32>
      } {fsm.num_stages = 3 : i32}
      fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
    }
  }
  fsm.return
}

// One factor is another tensor for each two tiles, the other one for each: their maps are made beside one another, not at the same time.
fsm.kernel @apart(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>, %list: !fsm.ptr<i32>, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %step = arith.constant 64 : i32
  %end = arith.constant 128 : i32
  %c40 = arith.constant 40 : i32
  %c8192 = arith.constant 8192 : i32
  %c16384 = arith.constant 16384 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  scf.for %i = %none to %count step %one : i32 {
    %entry = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %number = fsm.load %entry : !fsm.ptr<i32> -> i32
    %more = arith.addi %number, %one overflow<nsw> : i32
    %k = arith.muli %more, %c40 overflow<nsw> : i32
    %b = fsm.descriptor %q sizes [%k, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
    %first_to = arith.muli %i, %c16384 overflow<nsw> : i32
    scf.for %t = %none to %two step %one : i32 {
      %in_list = arith.addi %i, %t overflow<nsw> : i32
      %other = fsm.offset %list, %in_list : !fsm.ptr<i32>, i32
      %rows = fsm.load %other : !fsm.ptr<i32> -> i32
      %m = arith.muli %rows, %c40 overflow<nsw> : i32
      %at = arith.muli %rows, %c8192 overflow<nsw> : i32
      %x_at = fsm.offset %p, %at : !fsm.ptr<f16>, i32
      %t_to = arith.muli %t, %c8192 overflow<nsw> : i32
      %to = arith.addi %first_to, %t_to overflow<nsw> : i32
      %to_at = fsm.offset %out, %to : !fsm.ptr<f32>, i32
      %a = fsm.descriptor %x_at sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
      %c = fsm.descriptor %to_at sizes [64, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
      %d = scf.for %j = %none to %end step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
        %x = fsm.load_tile %a[0, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
        %y = fsm.load_tile %b[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
        %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
        scf.yield %next : tensor<64x128xf32>
      } {fsm.num_stages = 3 : i32}
      fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
    }
  }
  fsm.return
}
