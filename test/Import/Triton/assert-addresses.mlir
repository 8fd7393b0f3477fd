// What is taken for granted of addresses is asserted where a module or an option asks for it: of elements that a mask leaves out nothing.

// RUN: %fsm_opt %s --fsm-import-triton | FileCheck %s
// RUN: sed 's/tt.assert_addresses = 1/tt.assert_addresses = 0/' %s | %fsm_opt --pass-pipeline='builtin.module(fsm-import-triton{assert-addresses=true})' | FileCheck %s
// RUN: sed 's/tt.assert_addresses = 1/tt.assert_addresses = 0/' %s | %fsm_opt --fsm-import-triton | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: fsm.kernel @take
// CHECK:         %[[REST:.*]] = arith.andi %[[ADDRESSES:.*]], %{{.*}} : tensor<8xi64>
// CHECK:         %[[HOLDS:.*]] = arith.cmpi eq, %[[REST]], %{{.*}} : tensor<8xi64>
// CHECK:         %[[OUTSIDE:.*]] = arith.xori %[[MASK:.*]], %{{.*}} : tensor<8xi1>
// CHECK:         %[[BOTH:.*]] = arith.ori %[[HOLDS]], %[[OUTSIDE]] : tensor<8xi1>
// CHECK:         fsm.assert %[[BOTH]], "misaligned: elements of 4 bytes are at multiples of these" : tensor<8xi1>
// CHECK:         arith.shrui %[[ADDRESSES]]
// CHECK:         fsm.load %{{.*}}, %[[MASK]]
// Bytes are anywhere, and offsets from a base at multiples.
// CHECK-NOT:     fsm.assert

// NONE-NOT: fsm.assert
module attributes {tt.assert_addresses = 1 : i32} {
  tt.func public @take(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>, %z: !tt.ptr<i8>) {
    %at = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %four = arith.constant dense<4> : tensor<8xi32>
    %mask = arith.cmpi slt, %at, %four : tensor<8xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
    %x_at = tt.addptr %xs, %at : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
    %wide = tt.bitcast %x_at : tensor<8x!tt.ptr<f16>> -> tensor<8x!tt.ptr<f32>>
    %value = tt.load %wide, %mask : tensor<8x!tt.ptr<f32>>
    %bytes = tt.bitcast %x_at : tensor<8x!tt.ptr<f16>> -> tensor<8x!tt.ptr<i8>>
    %byte = tt.load %bytes : tensor<8x!tt.ptr<i8>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %y_at = tt.addptr %ys, %at : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %y_at, %value : tensor<8x!tt.ptr<f32>>
    %zs = tt.splat %z : !tt.ptr<i8> -> tensor<8x!tt.ptr<i8>>
    %z_at = tt.addptr %zs, %at : tensor<8x!tt.ptr<i8>>, tensor<8xi32>
    tt.store %z_at, %byte : tensor<8x!tt.ptr<i8>>
    tt.return
  }
}
