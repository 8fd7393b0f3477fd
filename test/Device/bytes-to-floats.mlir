// Every byte, signed and not, as f16 and bf16: the bits are those that the interpreter has by way of f64. A thread has 8 bytes, or
// two, whose word is filled up; or a single one.

// DEFINE: %{arguments} = --arg=f16[256] --arg=f16[256] --arg=bf16[256] --arg=bf16[256] --arg=i32[256]:arange
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=1 --grid=1 %{arguments} --device=sim --target=sm_90a --compare=interp
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=1 --grid=1 %{arguments} --device=sim --target=sm_80 --compare=interp
// RUN: %fsm_run %s -D BLOCK=64 --num-warps=1 --grid=4 %{arguments} --device=sim --target=sm_80 --compare=interp
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=8 --grid=1 %{arguments} --device=sim --target=sm_80 --compare=interp
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=1 --grid=1 %{arguments} --device=sim --target=sm_75 --compare=interp

// Two are made by one permutation; a GPU without sums of bf16 converts one at a time.
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=1 --target=sm_80 --emit=ptx | FileCheck %s
// RUN: %fsm_run %s -D BLOCK=256 --num-warps=1 --target=sm_75 --emit=ptx | FileCheck %s --check-prefix=OLD
// CHECK-NOT: cvt.rn.f16
// CHECK:     add.rn.f16x2
// CHECK:     fma.rn.bf16x2
// OLD:       add.rn.f16x2
// OLD-NOT:   bf16x2

// param BLOCK = 256
!bytes = tensor<${BLOCK}xi8>
!places = tensor<${BLOCK}xi32>

fsm.kernel @bytes(%f16: !fsm.ptr<f16>, %uf16: !fsm.ptr<f16>, %bf16: !fsm.ptr<bf16>, %ubf16: !fsm.ptr<bf16>, %numbers: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %block = arith.constant ${BLOCK} : i32
  %begin = arith.muli %program, %block : i32
  %range = fsm.range 0, ${BLOCK} : !places
  %begins = fsm.splat %begin : !places
  %places = arith.addi %begins, %range : !places
  %words = fsm.load %numbers[%places] : !fsm.ptr<i32>, !places -> !places
  %bytes = arith.trunci %words : !places to !bytes
  %0 = arith.sitofp %bytes : !bytes to tensor<${BLOCK}xf16>
  %1 = arith.uitofp %bytes : !bytes to tensor<${BLOCK}xf16>
  %2 = arith.sitofp %bytes : !bytes to tensor<${BLOCK}xbf16>
  %3 = arith.uitofp %bytes : !bytes to tensor<${BLOCK}xbf16>
  fsm.store %0, %f16[%places] : tensor<${BLOCK}xf16>, !fsm.ptr<f16>, !places
  fsm.store %1, %uf16[%places] : tensor<${BLOCK}xf16>, !fsm.ptr<f16>, !places
  fsm.store %2, %bf16[%places] : tensor<${BLOCK}xbf16>, !fsm.ptr<bf16>, !places
  fsm.store %3, %ubf16[%places] : tensor<${BLOCK}xbf16>, !fsm.ptr<bf16>, !places
  fsm.return
}
