// A product of matrices on the host: tiles of 4 rows and 2 vectors, whose sums are carried by a loop over the inner
// dimension. The factors lie in buffers, for each is read many times; what the sums begin with is read once.
//
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

// 6 x 40: two vectors of 16 columns and half of a third; 4 rows and 2 more.
// CHECK-LABEL: llvm.func @tiles
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
// CHECK:         llvm.load {{.*}} -> f32
// CHECK:         vector.broadcast
// CHECK-COUNT-8: math.fma
// CHECK:         scf.yield
// CHECK-COUNT-8: llvm.store {{.*}} : vector<16xf32>
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: math.fma
// CHECK:         scf.yield
// CHECK-COUNT-4: llvm.intr.masked.store
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: math.fma
// CHECK:         scf.yield
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: math.fma
// CHECK-COUNT-2: llvm.intr.masked.store
// CHECK-NOT:     math.fma
// CHECK:         llvm.return
fsm.kernel @tiles(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>) {
  %an = fsm.range 0, 30 : tensor<30xi32>
  %ao = fsm.reshape %an : tensor<30xi32> -> tensor<6x5xi32>
  %bn = fsm.range 0, 200 : tensor<200xi32>
  %bo = fsm.reshape %bn : tensor<200xi32> -> tensor<5x40xi32>
  %cn = fsm.range 0, 240 : tensor<240xi32>
  %co = fsm.reshape %cn : tensor<240xi32> -> tensor<6x40xi32>
  %x = fsm.load %a[%ao] : !fsm.ptr<f32>, tensor<6x5xi32> -> tensor<6x5xf32>
  %y = fsm.load %b[%bo] : !fsm.ptr<f32>, tensor<5x40xi32> -> tensor<5x40xf32>
  %zero = arith.constant dense<0.0> : tensor<6x40xf32>
  %d = fsm.dot %x, %y, %zero precision = ieee : tensor<6x5xf32>, tensor<5x40xf32> -> tensor<6x40xf32>
  fsm.store %d, %out[%co] : tensor<6x40xf32>, !fsm.ptr<f32>, tensor<6x40xi32>
  fsm.return
}

// -----

// i8 is widened when it is read; batches are a loop around it all. Sums of 64 bits take one vector a row.
// CHECK-LABEL: llvm.func @bytes
// CHECK:         scf.for
// CHECK:         scf.for {{.*}} -> (vector<16xi32>, vector<16xi32>)
// CHECK:         arith.extsi {{.*}} : vector<16xi8> to vector<16xi32>
// CHECK:         arith.extsi {{.*}} : i8 to i32
// CHECK:         arith.muli {{.*}} : vector<16xi32>
// CHECK:         arith.addi {{.*}} : vector<16xi32>
// CHECK:         scf.for {{.*}} -> (vector<16xf64>)
// CHECK:         math.fma {{.*}} : vector<16xf64>
// CHECK-NOT:     math.fma
// CHECK:         llvm.return
fsm.kernel @bytes(%out: !fsm.ptr<i32>, %out2: !fsm.ptr<f64>, %a: !fsm.ptr<i8>, %b: !fsm.ptr<f64>) {
  %n = fsm.range 0, 48 : tensor<48xi32>
  %o = fsm.reshape %n : tensor<48xi32> -> tensor<3x1x16xi32>
  %x = fsm.load %a[%o] : !fsm.ptr<i8>, tensor<3x1x16xi32> -> tensor<3x1x16xi8>
  %m = fsm.range 0, 1536 : tensor<1536xi32>
  %p = fsm.reshape %m : tensor<1536xi32> -> tensor<3x16x32xi32>
  %y = fsm.load %a[%p] : !fsm.ptr<i8>, tensor<3x16x32xi32> -> tensor<3x16x32xi8>
  %zero = arith.constant dense<0> : tensor<3x1x32xi32>
  %d = fsm.dot %x, %y, %zero : tensor<3x1x16xi8>, tensor<3x16x32xi8> -> tensor<3x1x32xi32>
  %l = fsm.range 0, 96 : tensor<96xi32>
  %q = fsm.reshape %l : tensor<96xi32> -> tensor<3x1x32xi32>
  fsm.store %d, %out[%q] : tensor<3x1x32xi32>, !fsm.ptr<i32>, tensor<3x1x32xi32>
  %k = fsm.range 0, 16 : tensor<16xi32>
  %r = fsm.expand_dims %k axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %s = fsm.expand_dims %k axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %row = fsm.load %b[%r] : !fsm.ptr<f64>, tensor<1x16xi32> -> tensor<1x16xf64>
  %column = fsm.load %b[%s] : !fsm.ptr<f64>, tensor<16x1xi32> -> tensor<16x1xf64>
  %nil = arith.constant dense<0.0> : tensor<1x1xf64>
  %e = fsm.dot %row, %column, %nil : tensor<1x16xf64>, tensor<16x1xf64> -> tensor<1x1xf64>
  %origin = arith.constant dense<0> : tensor<1x1xi32>
  fsm.store %e, %out2[%origin] : tensor<1x1xf64>, !fsm.ptr<f64>, tensor<1x1xi32>
  fsm.return
}
