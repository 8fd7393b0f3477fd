// Clamped f64. ptxas 13.0 computes half of min.f64 or max.f64 with a constant anew, wrongly, so there are none.
// (Kernel 102714 of a run on an H200 found it.)
//
// RUN: %fsm_run %s --emit=ptx --target=sm_90a --arg=f64[2x64] --arg=f64[5x64] -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %python -c "import numpy; numpy.save('%t.npy', [[float('nan'), -0.0, 64.0, -65.0] * 16, [1.0, 0.0, float('nan'), -64.0] * 16])"
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=@%t.npy --arg=f64[5x64] --out=1:%t.out.npy | FileCheck %s --check-prefix=SIM
// RUN: %python -c "import numpy; print(numpy.load('%t.out.npy')[:, :4])" | FileCheck %s --check-prefix=OUT
//
// CHECK-NOT: {{(min|max)}}{{.*}}f64
// SIM: against interp: 320 elements agree
// OUT: nan{{ +}}-0.{{ +}}64.{{ +}}-64.
// OUT-NEXT: nan{{ +}}0.{{ +}}nan{{ +}}-64.
// OUT-NEXT: 1.{{ +}}0.{{ +}}64.{{ +}}-64.
// OUT-NEXT: nan{{ +}}-0.{{ +}}nan{{ +}}-65.
// OUT-NEXT: 1.{{ +}}-0.{{ +}}64.{{ +}}-65.

fsm.kernel @clamped_doubles(%in: !fsm.ptr<f64>, %out: !fsm.ptr<f64>) {
  %range = fsm.range 0, 64 : tensor<64xi32>
  %row = arith.constant 64 : i32
  %second = fsm.offset %in, %row : !fsm.ptr<f64>, i32
  %a = fsm.load %in[%range] : !fsm.ptr<f64>, tensor<64xi32> -> tensor<64xf64>
  %b = fsm.load %second[%range] : !fsm.ptr<f64>, tensor<64xi32> -> tensor<64xf64>
  %low = arith.constant dense<-64.0> : tensor<64xf64>
  %high = arith.constant dense<64.0> : tensor<64xf64>
  %less = arith.minimumf %a, %high : tensor<64xf64>
  %clamped = arith.maximumf %less, %low : tensor<64xf64>
  fsm.store %clamped, %out[%range] : tensor<64xf64>, !fsm.ptr<f64>, tensor<64xi32>
  %out1 = fsm.offset %out, %row : !fsm.ptr<f64>, i32
  %largest = arith.maximumf %a, %b : tensor<64xf64>
  fsm.store %largest, %out1[%range] : tensor<64xf64>, !fsm.ptr<f64>, tensor<64xi32>
  %out2 = fsm.offset %out1, %row : !fsm.ptr<f64>, i32
  %larger = arith.maxnumf %a, %b : tensor<64xf64>
  fsm.store %larger, %out2[%range] : tensor<64xf64>, !fsm.ptr<f64>, tensor<64xi32>
  %out3 = fsm.offset %out2, %row : !fsm.ptr<f64>, i32
  %smallest = arith.minimumf %a, %b : tensor<64xf64>
  fsm.store %smallest, %out3[%range] : tensor<64xf64>, !fsm.ptr<f64>, tensor<64xi32>
  %out4 = fsm.offset %out3, %row : !fsm.ptr<f64>, i32
  %smaller = arith.minnumf %a, %b : tensor<64xf64>
  fsm.store %smaller, %out4[%range] : tensor<64xf64>, !fsm.ptr<f64>, tensor<64xi32>
  fsm.return
}
