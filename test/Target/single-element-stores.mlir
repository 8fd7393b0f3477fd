// The last vector of a block holds one element, which was shortened: nothing behind it is written (decision 29).

// RUN: %fsm_run %s -D N=17 -D T=i16 --device=cpu --grid=1 --arg=i16[64]:full:7 --arg=i32[17]:uniform:3 --compare=interp
// RUN: %fsm_run %s -D N=33 -D T=i16 --device=cpu --grid=1 --arg=i16[64]:full:7 --arg=i32[33]:uniform:3 --compare=interp
// RUN: %fsm_run %s -D N=17 -D T=i8 --device=cpu --grid=1 --arg=i8[64]:full:7 --arg=i32[17]:uniform:3 --compare=interp
// RUN: %fsm_run %s -D N=33 -D T=i8 --device=cpu --grid=1 --arg=i8[64]:full:7 --arg=i32[33]:uniform:3 --compare=interp
// RUN: %fsm_run %s -D N=33 -D T=i16 --target=cpu --emit=llvmir | FileCheck %s
// CHECK: store i16
// CHECK-NOT: call void @llvm.masked.store.v{{[0-9]+}}i16
// param N = 17
// param T = i16
fsm.kernel @shortened(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<i32>) {
  %offsets = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<i32>, tensor<${N}xi32> -> tensor<${N}xi32>
  %y = arith.trunci %x : tensor<${N}xi32> to tensor<${N}x${T}>
  fsm.store %y, %out[%offsets] : tensor<${N}x${T}>, !fsm.ptr<${T}>, tensor<${N}xi32>
  fsm.return
}
