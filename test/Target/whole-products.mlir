// Both words of a product are of one instruction, of several elements of a thread as well; one word alone has its own (decision 175).

// RUN: %fsm_run %s --kernel=both --device=sim --grid=1 --num-warps=1 --arg=i32[64] --arg=i32[64] --arg=i32[64]:uniform:1 --arg=i32[64]:uniform:2 --compare=interp
// RUN: %fsm_run %s --kernel=both --num-warps=1 --target=sm_90a --device=sim --grid=1 --arg=i32[64] --arg=i32[64] --arg=i32[64] --arg=i32[64] --emit=ptx | FileCheck %s
// RUN: %fsm_run %s --kernel=upper --num-warps=1 --target=sm_90a --device=sim --grid=1 --arg=i32[64] --arg=i32[64] --arg=i32[64] --emit=ptx | FileCheck %s --check-prefix=UPPER

// CHECK-NOT:     mul.{{hi|lo}}
// CHECK-COUNT-2: mul.wide.u32
// CHECK-NOT:     mul.{{hi|lo}}
fsm.kernel @both(%high: !fsm.ptr<i32>, %low: !fsm.ptr<i32>, %x: !fsm.ptr<i32>, %y: !fsm.ptr<i32>) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.load %x[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %b = fsm.load %y[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %0 = fsm.umulhi %a, %b : tensor<64xi32>
  %1 = arith.muli %b, %a : tensor<64xi32>
  fsm.store %0, %high[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %1, %low[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// UPPER-COUNT-2: mul.hi.u32
// UPPER-NOT:     mul.wide
fsm.kernel @upper(%high: !fsm.ptr<i32>, %x: !fsm.ptr<i32>, %y: !fsm.ptr<i32>) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.load %x[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %b = fsm.load %y[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %0 = fsm.umulhi %a, %b : tensor<64xi32>
  %1 = arith.muli %0, %a : tensor<64xi32>
  fsm.store %1, %high[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
