// Weights that are fetched while the launch before goes on: the boxes of the first iterations come to the L2 cache, and products
// are what they were, of as many rows as a tile and of fewer, whose slots are cleared in front of the wait.

// DEFINE: %{rest} = --arg=128 --arg=640 --arg=640 --arg=128
// RUN: %fsm_run %s --device=interp --grid=2 --arg=f32[64x128] --arg=f16[64x640]:randn:1 --arg=f16[640x128]:randn:2 --arg=33 %{rest} --out=out:%t.33.npy
// RUN: %fsm_run %s --target=sm_90a --device=sim --grid=2 --roles=always --arg=f32[64x128] --arg=f16[64x640]:randn:1 --arg=f16[640x128]:randn:2 --arg=33 %{rest} --check=out:%t.33.npy,rtol=1e-4,atol=1e-3
// RUN: %fsm_run %s --device=interp --grid=2 --arg=f32[64x128] --arg=f16[64x640]:randn:1 --arg=f16[640x128]:randn:2 --arg=64 %{rest} --out=out:%t.64.npy
// RUN: %fsm_run %s --target=sm_90a --device=sim --grid=2 --roles=always --arg=f32[64x128] --arg=f16[64x640]:randn:1 --arg=f16[640x128]:randn:2 --arg=64 %{rest} --check=out:%t.64.npy,rtol=1e-4,atol=1e-3
fsm.kernel @few_rows(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.large, fsm.noalias}, %m: i32 {fsm.at_most = 64 : i32}, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %column = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, %column] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x64xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 8 : i32, fsm.forced_stages}
  %at = fsm.places origin [0, %column] strides [%n, 1] : tensor<64x64xi32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}

