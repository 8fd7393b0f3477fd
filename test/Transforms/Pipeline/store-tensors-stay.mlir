// Blocks that threads store themselves, since no launch knows the tensor that they lie in, and why.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-store-tensors="target=sm_90a remarks" -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: threads store what this store has from shared memory: its pointer is no argument of the kernel
fsm.kernel @pointer(%outs: !fsm.ptr<!fsm.ptr<f16>>, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %out = fsm.load %outs : !fsm.ptr<!fsm.ptr<f16>> -> !fsm.ptr<f16>
  %at, %inside = fsm.places strides [256, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

// CHECK: remark: threads store what this store has from shared memory: a launch does not know its stride
fsm.kernel @stride(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %strides: !fsm.ptr<i32> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %stride = fsm.load %strides : !fsm.ptr<i32> -> i32
  %at, %inside = fsm.places strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

// CHECK: remark: threads store what this store has from shared memory: it has not two dimensions
fsm.kernel @cube(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}) attributes {num_warps = 4 : i32} {
  %from = fsm.places strides [4096, 64, 1] : tensor<4x64x64xi32>
  %x = fsm.load %in[%from] : !fsm.ptr<f16>, tensor<4x64x64xi32> -> tensor<4x64x64xf16>
  %to = fsm.places strides [4096, 1, 64] : tensor<4x64x64xi32>
  fsm.store %x, %out[%to] : tensor<4x64x64xf16>, !fsm.ptr<f16>, tensor<4x64x64xi32>
  fsm.return
}

// A program that has a list of tensors makes a map in front of each tile, or none.
// CHECK: remark: threads store what this store has from shared memory: the program would make its map in something else than 'scf.for'
fsm.kernel @sometimes(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %list: !fsm.ptr<i32> {fsm.noalias}, %count: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  scf.for %i = %none to %count step %one : i32 {
    %entry = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %number = fsm.load %entry : !fsm.ptr<i32> -> i32
    %stride = arith.muli %number, %eight overflow<nsw> : i32
    %isThere = arith.cmpi sgt, %number, %none : i32
    scf.if %isThere {
      %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
      %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
      %to = fsm.descriptor %out sizes [%stride, %stride] strides [%stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
      fsm.store_tile %z, %to[0, 0] : tensor<64x256xf16>, !fsm.descriptor<2 x f16>
    }
  }
  fsm.return
}
