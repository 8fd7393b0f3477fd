// A loop from -32768, computed as 0 - 32768 in 16 bits. ptxas 13.0 negates in 32 bits and takes the result for one of 16, so
// that the loop went round no time (docs/decisions/0049-negated-in-32-bits.md). Kernel 2003258 of a run on an H200, which
// alone shows the mistake: tools/dev/test-gpu runs this there.
// RUN: %fsm_run %s --device=sim --num-warps=4 --num-stages=2 --without=fsm-combine,cse,canonicalize,loop-invariant-code-motion --compare=interp --grid=1 --arg=f32[2048]:randn:1 --arg=f8E4M3FN[2048] --arg=i32[2048]:arange --arg=i32[144] --arg=17 --arg=7 --arg=4 --arg=16 --arg=0 --arg=64 --arg=4
// RUN: %fsm_run %s --num-warps=4 --num-stages=2 --without=fsm-combine,cse,canonicalize,loop-invariant-code-motion --emit=ptx --target=sm_90a | FileCheck %s
// CHECK-NOT: neg.s16
// CHECK: neg.s32 t, t;

fsm.kernel @random(%b_f32: !fsm.ptr<f32> {fsm.noalias, fsm.large}, %b_f8E4M3FN: !fsm.ptr<f8E4M3FN>, %b_i32: !fsm.ptr<i32>, %o_i32: !fsm.ptr<i32>, %n0: i32, %n1: i32, %n2: i32, %a_i8: i8, %a_f16: f16, %m0: i32, %m1: i32) attributes {num_warps = 2 : i32} {
  %pid = fsm.program_id x : i32
  %p_f32_size = arith.constant 2048 : i32
  %p_f32_first = arith.muli %pid, %p_f32_size overflow<nsw> : i32
  %p_f32 = fsm.offset %b_f32, %p_f32_first : !fsm.ptr<f32>, i32
  %p_f8E4M3FN_size = arith.constant 2048 : i32
  %p_f8E4M3FN_first = arith.muli %pid, %p_f8E4M3FN_size overflow<nsw> : i32
  %p_f8E4M3FN = fsm.offset %b_f8E4M3FN, %p_f8E4M3FN_first : !fsm.ptr<f8E4M3FN>, i32
  %p_i32_size = arith.constant 2048 : i32
  %p_i32_first = arith.muli %pid, %p_i32_size overflow<nsw> : i32
  %p_i32 = fsm.offset %b_i32, %p_i32_first : !fsm.ptr<i32>, i32
  %q_i32_size = arith.constant 144 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %v1 = fsm.range 0, 128 : tensor<128xi32>
  %v2 = fsm.range 0, 128 : tensor<128xi32>
  %v3 = arith.constant 3 : i32
  %v4 = arith.constant 0 : i32
  %v5 = fsm.offset %p_f8E4M3FN, %v4 : !fsm.ptr<f8E4M3FN>, i32
  %v6 = fsm.load %v5 : !fsm.ptr<f8E4M3FN> -> f8E4M3FN
  %v7 = fsm.range 0, 128 : tensor<128xi32>
  %v8 = arith.constant 3 : i32
  %v9 = arith.constant 3.0 : f32
  %v10 = fsm.range 0, 128 : tensor<128xi32>
  %v11 = arith.constant 127 : i32
  %v12 = arith.constant 5 : i32
  %v13 = arith.remui %n2, %v12 : i32
  %v14 = arith.trunci %v13 : i32 to i16
  %v16 = arith.constant 0 : i16
  %v17 = arith.constant 8192 : i16
  %v18 = arith.muli %v14, %v17 : i16
  %v19 = arith.subi %v16, %v18 : i16
  %v20 = arith.constant dense<1> : tensor<128xi32>
  %v22 = arith.constant dense<1> : tensor<128xi32>
  %v24 = arith.constant dense<1> : tensor<128xi32>
  %v26:3 = scf.for %v27 = %v19 to %v16 step %v17 iter_args(%v21 = %v20, %v23 = %v22, %v25 = %v24) -> (tensor<128xi32>, tensor<128xi32>, tensor<128xi32>) : i16 {
    %v28 = arith.subi %v27, %v19 : i16
    %v29 = arith.divui %v28, %v17 : i16
    %v30 = arith.extsi %v29 : i16 to i32
    %v31 = arith.constant 1 : i32
    %v32 = arith.muli %v30, %v31 : i32
    %v33 = fsm.offset %p_i32, %v32 : !fsm.ptr<i32>, i32
    %v34 = fsm.load %v33[%v1] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
    %v35 = arith.constant dense<1023> : tensor<128xi32>
    %v36 = arith.andi %v34, %v35 : tensor<128xi32>
    %v37 = fsm.splat %v3 : tensor<128xi32>
    %v38 = arith.cmpi sgt, %v37, %v2 : tensor<128xi32>
    %v39 = fsm.load %p_f8E4M3FN[%v36], %v38, %v6 : !fsm.ptr<f8E4M3FN>, tensor<128xi32> -> tensor<128xf8E4M3FN>
    %v40 = arith.constant 64 : i32
    %v41 = arith.muli %v30, %v40 : i32
    %v42 = fsm.offset %p_f32, %v41 : !fsm.ptr<f32>, i32
    %v43 = fsm.splat %v8 : tensor<128xi32>
    %v44 = arith.cmpi sgt, %v43, %v7 : tensor<128xi32>
    %v45 = fsm.load %v42[%v1], %v44, %v9 : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %v46 = arith.constant 1 : i32
    %v47 = arith.muli %v30, %v46 overflow<nsw> : i32
    %v48 = fsm.offset %p_i32, %v47 : !fsm.ptr<i32>, i32
    %v49 = fsm.load %v48 : !fsm.ptr<i32> -> i32
    %v50 = arith.constant 7 : i32
    %v51 = arith.andi %v49, %v50 : i32
    %v52 = arith.extui %v51 : i32 to i64
    %v53 = arith.constant 64 : i64
    %v54 = arith.muli %v52, %v53 : i64
    %v55 = fsm.offset %p_f32, %v54 : !fsm.ptr<f32>, i64
    %v56 = fsm.splat %v11 : tensor<128xi32>
    %v57 = arith.cmpi slt, %v10, %v56 : tensor<128xi32>
    %v58 = arith.uitofp %v51 : i32 to f32
    %v59 = fsm.load %v55[%v1], %v57, %v58 : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %v60 = arith.bitcast %v39 : tensor<128xf8E4M3FN> to tensor<128xi8>
    %v61 = arith.extui %v60 : tensor<128xi8> to tensor<128xi32>
    %v62 = arith.constant dense<3> : tensor<128xi32>
    %v63 = arith.muli %v21, %v62 : tensor<128xi32>
    %v64 = arith.addi %v63, %v61 : tensor<128xi32>
    %v65 = arith.bitcast %v45 : tensor<128xf32> to tensor<128xi32>
    %v66 = arith.constant dense<3> : tensor<128xi32>
    %v67 = arith.muli %v23, %v66 : tensor<128xi32>
    %v68 = arith.addi %v67, %v65 : tensor<128xi32>
    %v69 = arith.bitcast %v59 : tensor<128xf32> to tensor<128xi32>
    %v70 = arith.constant dense<3> : tensor<128xi32>
    %v71 = arith.muli %v25, %v70 : tensor<128xi32>
    %v72 = arith.addi %v71, %v69 : tensor<128xi32>
    scf.yield %v64, %v68, %v72 : tensor<128xi32>, tensor<128xi32>, tensor<128xi32>
  } {fsm.num_stages = 3 : i32}
  %v73 = arith.addi %v26#2, %v26#1 : tensor<128xi32>
  %v74 = arith.addi %v73, %v26#0 : tensor<128xi32>
  %v79 = arith.constant 0 : i32
  %v80 = fsm.offset %q_i32, %v79 : !fsm.ptr<i32>, i32
  fsm.store %v74, %v80[%v1] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}
