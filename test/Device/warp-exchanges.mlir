// A program of two CTAs of a warp each. What the lanes of a warp exchange they wait for by themselves; what the program has stored
// in front of that, and loads behind it from the other end, the CTAs have to wait for.
//
// RUN: %python -c "import numpy; x = numpy.arange(2048, dtype=numpy.int32); numpy.save(r'%t.turned.npy', x.reshape(2, 32, 32).swapaxes(1, 2).ravel()); numpy.save(r'%t.back.npy', x[::-1])"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i32[2048] --arg=i32[2048] --arg=i32[2048] --arg=i32[2048]:arange --arg=i32[2048]:arange --check=0:%t.turned.npy --check=1:%t.back.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[2048] --arg=i32[2048] --arg=i32[2048] --arg=i32[2048]:arange --arg=i32[2048]:arange --check=0:%t.turned.npy --check=1:%t.back.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --device=sim --num-warps=1 --num-ctas=2 --grid=1 --arg=i32[2048] --arg=i32[2048] --arg=i32[2048] --arg=i32[2048]:arange --arg=i32[2048]:arange --check=0:%t.turned.npy --check=1:%t.back.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --device=sim --num-warps=4 --grid=1 --arg=i32[2048] --arg=i32[2048] --arg=i32[2048] --arg=i32[2048]:arange --arg=i32[2048]:arange --check=0:%t.turned.npy --check=1:%t.back.npy

fsm.kernel @handed(%turned: !fsm.ptr<i32> {fsm.noalias}, %back: !fsm.ptr<i32> {fsm.noalias}, %p: !fsm.ptr<i32>, %in: !fsm.ptr<i32> {fsm.noalias}, %other: !fsm.ptr<i32> {fsm.noalias}) {
  %at = fsm.places strides [1024, 32, 1] : tensor<2x32x32xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<2x32x32xi32> -> tensor<2x32x32xi32>
  fsm.store %x, %p[%at] : tensor<2x32x32xi32>, !fsm.ptr<i32>, tensor<2x32x32xi32>
  %z = fsm.load %other[%at] : !fsm.ptr<i32>, tensor<2x32x32xi32> -> tensor<2x32x32xi32>
  %t = fsm.transpose %z order [0, 2, 1] : tensor<2x32x32xi32> -> tensor<2x32x32xi32>
  fsm.store %t, %turned[%at] : tensor<2x32x32xi32>, !fsm.ptr<i32>, tensor<2x32x32xi32>
  %last = arith.constant dense<2047> : tensor<2x32x32xi32>
  %from_end = arith.subi %last, %at : tensor<2x32x32xi32>
  %y = fsm.load %p[%from_end] : !fsm.ptr<i32>, tensor<2x32x32xi32> -> tensor<2x32x32xi32>
  fsm.store %y, %back[%at] : tensor<2x32x32xi32>, !fsm.ptr<i32>, tensor<2x32x32xi32>
  fsm.return
}
