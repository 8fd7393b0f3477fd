// A fused multiply-add of f16 or bf16 is rounded once; rounded to f32 first, and some of bf16 to f64, these sums would become
// ties: kernel 8221 of the fuzzer, by hand.
// DEFINE: %{arguments} = --grid=1 --arg=bf16:@%t/bf16.npy --arg=f16:@%t/f16.npy --arg=bf16[4] --arg=f16[4]
// RUN: rm -rf %t && mkdir %t && %python %S/Inputs/fused-halves.py write %t
// RUN: %fsm_run %s --device=interp %{arguments} --out=2:%t/interp-bf16.npy --out=3:%t/interp-f16.npy
// RUN: %fsm_run %s --device=cpu %{arguments} --out=2:%t/cpu-bf16.npy --out=3:%t/cpu-f16.npy
// RUN: %fsm_run %s --device=sim --target=sm_75 %{arguments} --out=2:%t/sm_75-bf16.npy --out=3:%t/sm_75-f16.npy
// RUN: %fsm_run %s --device=sim --target=sm_90a %{arguments} --out=2:%t/sm_90a-bf16.npy --out=3:%t/sm_90a-f16.npy
// RUN: %python %S/Inputs/fused-halves.py check %t interp cpu sm_75 sm_90a

fsm.kernel @fused(%p: !fsm.ptr<bf16>, %q: !fsm.ptr<f16>, %r: !fsm.ptr<bf16>, %s: !fsm.ptr<f16>) {
  %left = fsm.range 0, 4 : tensor<4xi32>
  %right = fsm.range 4, 8 : tensor<4xi32>
  %added = fsm.range 8, 12 : tensor<4xi32>
  %a = fsm.load %p[%left] : !fsm.ptr<bf16>, tensor<4xi32> -> tensor<4xbf16>
  %b = fsm.load %p[%right] : !fsm.ptr<bf16>, tensor<4xi32> -> tensor<4xbf16>
  %c = fsm.load %p[%added] : !fsm.ptr<bf16>, tensor<4xi32> -> tensor<4xbf16>
  %x = math.fma %a, %b, %c : tensor<4xbf16>
  fsm.store %x, %r[%left] : tensor<4xbf16>, !fsm.ptr<bf16>, tensor<4xi32>
  %d = fsm.load %q[%left] : !fsm.ptr<f16>, tensor<4xi32> -> tensor<4xf16>
  %e = fsm.load %q[%right] : !fsm.ptr<f16>, tensor<4xi32> -> tensor<4xf16>
  %f = fsm.load %q[%added] : !fsm.ptr<f16>, tensor<4xi32> -> tensor<4xf16>
  %y = math.fma %d, %e, %f : tensor<4xf16>
  fsm.store %y, %s[%left] : tensor<4xf16>, !fsm.ptr<f16>, tensor<4xi32>
  fsm.return
}
