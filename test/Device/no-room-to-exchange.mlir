// A matrix whose transpose no CTA of a cluster has room for: it is stored element by element.

// RUN: %fsm_run %s --device=sim --target=sm_90a --num-warps=8 --num-ctas=8 --grid=1 --arg='i64[256x256]' --arg='i64[256x256]:arange' --compare=interp
// RUN: %fsm_run %s --device=sim --target=sm_90a --num-warps=8 --num-ctas=4 --grid=1 --arg='i64[256x256]' --arg='i64[256x256]:arange' --compare=interp

fsm.kernel @transpose(%out: !fsm.ptr<i64>, %in: !fsm.ptr<i64>) {
  %along, %a = fsm.places origin [0, 0] strides [256, 1] bounds [256, 256] : tensor<256x256xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 256] bounds [256, 256] : tensor<256x256xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<i64>, tensor<256x256xi32> -> tensor<256x256xi64>
  fsm.store %x, %out[%along] : tensor<256x256xi64>, !fsm.ptr<i64>, tensor<256x256xi32>
  fsm.return
}
