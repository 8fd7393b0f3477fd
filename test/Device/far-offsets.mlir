// Ranges that begin far away, from a pointer moved back as far: too far for an index in an op of the
// LLVM dialect, which has 29 bits.
//
// RUN: %fsm_run %s --kernel=far -D FROM=268435455 -D TO=268435555 -D BACK=-268435455 --device=cpu --guard=end --compare=interp --grid=1 --arg=f32[100] --arg=f32[100]:randn:1
// RUN: %fsm_run %s --kernel=far -D FROM=268435455 -D TO=268435555 -D BACK=-268435455 --device=sim --compare=interp --grid=1 --arg=f32[100] --arg=f32[100]:randn:1
// RUN: %fsm_run %s --kernel=far -D FROM=2147483520 -D TO=2147483620 -D BACK=-2147483520 --device=sim --compare=interp --grid=1 --arg=f32[100] --arg=f32[100]:randn:1
// RUN: %fsm_run %s --kernel=far -D FROM=-536870912 -D TO=-536870812 -D BACK=536870912 --device=sim --compare=interp --grid=1 --arg=f32[100] --arg=f32[100]:randn:1

// param FROM = 0
// param TO = 100
// param BACK = 0
fsm.kernel @far(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %back = arith.constant ${BACK} : i32
  %from = fsm.offset %in, %back : !fsm.ptr<f32>, i32
  %to = fsm.offset %out, %back : !fsm.ptr<f32>, i32
  %offs = fsm.range ${FROM}, ${TO} : tensor<100xi32>
  %x = fsm.load %from[%offs] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>
  fsm.store %x, %to[%offs] : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>
  fsm.return
}
