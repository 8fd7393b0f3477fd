// A float becomes an i1 as it becomes any integer: by saturation. What is 1 and more is true as an unsigned number, what
// is -1 and less as a signed one. Kernel 184 of tools/dev/fuzz.
//
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f16[100]:randn:1 --arg=i1[200] --kernel=f16 --num-warps=1
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=f16[100]:randn:1 --arg=i1[200] --kernel=f16
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f32[100]:arange --arg=i1[200] --kernel=f32 --num-warps=4
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=f32[100]:arange --arg=i1[200] --kernel=f32

fsm.kernel @f16(%from: !fsm.ptr<f16>, %to: !fsm.ptr<i1>) {
  %at = fsm.range 0, 100 : tensor<100xi32>
  %behind = fsm.range 100, 200 : tensor<100xi32>
  %x = fsm.load %from[%at] : !fsm.ptr<f16>, tensor<100xi32> -> tensor<100xf16>
  %unsigned = arith.fptoui %x : tensor<100xf16> to tensor<100xi1>
  %signed = arith.fptosi %x : tensor<100xf16> to tensor<100xi1>
  fsm.store %unsigned, %to[%at] : tensor<100xi1>, !fsm.ptr<i1>, tensor<100xi32>
  fsm.store %signed, %to[%behind] : tensor<100xi1>, !fsm.ptr<i1>, tensor<100xi32>
  fsm.return
}

fsm.kernel @f32(%from: !fsm.ptr<f32>, %to: !fsm.ptr<i1>) {
  %at = fsm.range 0, 100 : tensor<100xi32>
  %behind = fsm.range 100, 200 : tensor<100xi32>
  %x = fsm.load %from[%at] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
  %y = arith.negf %x : tensor<100xf32>
  %unsigned = arith.fptoui %x : tensor<100xf32> to tensor<100xi1>
  %signed = arith.fptosi %y : tensor<100xf32> to tensor<100xi1>
  fsm.store %unsigned, %to[%at] : tensor<100xi1>, !fsm.ptr<i1>, tensor<100xi32>
  fsm.store %signed, %to[%behind] : tensor<100xi1>, !fsm.ptr<i1>, tensor<100xi32>
  fsm.return
}
