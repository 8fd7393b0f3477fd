// What a block held before a store under a mask changes it, where only a branch behind the store reads it: LLVM's code
// generator sank the load into the branch, behind inline PTX that did not say that it writes memory. Kernel 818 of the
// fuzzer, by hand; there the store was volatile.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[32]:arange --arg=i32[32] --arg=20 --target=sm_80
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[32]:arange --arg=i32[32] --arg=20 --target=sm_90a

fsm.kernel @load_before_a_masked_store(%p: !fsm.ptr<i32> {fsm.noalias}, %out: !fsm.ptr<i32> {fsm.noalias}, %n: i32)
    attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %hundred = arith.constant dense<100> : tensor<32xi32>
  %places = fsm.range 0, 32 : tensor<32xi32>
  %ns = fsm.splat %n : tensor<32xi32>
  %mask = arith.cmpi slt, %places, %ns : tensor<32xi32>
  %before = fsm.load %p[%places] : !fsm.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
  fsm.store %hundred, %p[%places], %mask : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  %some = arith.cmpi sgt, %n, %zero : i32
  scf.if %some {
    fsm.store %before, %out[%places] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  }
  fsm.return
}
