// Of numbers of less than a word a lone thread has sixteen words, not four, where it computes sixteen scalars or more for them.

// RUN: %fsm_run %fsm_src_root/examples/14-dropout.mlir -D T=f16 -D WIDEN=arith.extf -D NARROW=arith.truncf --target=sm_90a --emit=fsm --arg=f16[4096] --arg=f16[4096] --arg=4096 --arg=0.5 --arg=7 | FileCheck %s --check-prefix=NARROW
// RUN: %fsm_run %fsm_src_root/examples/14-dropout.mlir --target=sm_90a --emit=fsm --arg=f32[4096] --arg=f32[4096] --arg=4096 --arg=0.5 --arg=7 | FileCheck %s --check-prefix=WORDS
// RUN: %fsm_run %s --target=sm_90a --emit=fsm --arg=f16[1024] --arg=f16[1024] | FileCheck %s --check-prefix=FEW
// NARROW: fsm.kernel @dropout({{.*}} num_warps = 2 : i32
// WORDS:  fsm.kernel @dropout({{.*}} num_warps = 8 : i32
// FEW:    fsm.kernel @twice({{.*}} num_warps = 8 : i32
fsm.kernel @twice(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<1024xi32> -> tensor<1024xf16>
  %wide = arith.extf %x : tensor<1024xf16> to tensor<1024xf32>
  %sum = arith.addf %wide, %wide : tensor<1024xf32>
  %y = arith.truncf %sum : tensor<1024xf32> to tensor<1024xf16>
  fsm.store %y, %out[%o] : tensor<1024xf16>, !fsm.ptr<f16>, tensor<1024xi32>
  fsm.return
}
