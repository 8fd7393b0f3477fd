// Rows that programs share run ahead where a multiprocessor has room for two ctas, but the other one's loads are too few bytes to keep the
// memory busy: 16 KiB of f16. Of f32 they are 32 KiB. Groups of warps would make one cta of the two.

// RUN: sed "s/{fsm.num_stages = 2 : i32}/{fsm.num_stages = 2 : i32, fsm.warp_groups = 1 : i32}/" %fsm_src_root/examples/11-layer-norm-backward.mlir > %t.mlir
// RUN: %fsm_run %t.mlir --kernel=partial -D BLOCK=4096 -D T=f16 -D WIDEN=arith.extf -D NARROW=arith.truncf --target=sm_90a --emit=ptx -o %t.ptx --remarks --arg=f16[64x4096] --arg=f32[8x4096] --arg=f32[8x4096] --arg=f16[64x4096] --arg=f16[64x4096] --arg=f16[4096] --arg=f32[64] --arg=f32[64] --arg=4096 --arg=4096 --arg=4096 --arg=64 --arg=4096 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: %fsm_run %t.mlir --kernel=partial -D BLOCK=4096 --target=sm_90a --emit=ptx -o %t.ptx --remarks --arg=f32[64x4096] --arg=f32[8x4096] --arg=f32[8x4096] --arg=f32[64x4096] --arg=f32[64x4096] --arg=f32[4096] --arg=f32[64] --arg=f32[64] --arg=4096 --arg=4096 --arg=4096 --arg=64 --arg=4096 2>&1 | FileCheck %s --check-prefix=MANY
// FEW-COUNT-2:  remark: this load runs 1 iteration ahead, into shared memory
// FEW:          remark: this load does not run ahead of its loop: each iteration reads the same
// MANY-COUNT-4: remark: this load does not run ahead of its loop: other programs are at work while this one waits
