// Two numbers of 16 bits, one of each warp, in one word that all threads load. ptxas 13.0 takes the upper one out of a
// register that nobody wrote (docs/decisions/0050-halves-of-uniform-words.md), so the largest of 0 to 63 was 31. Kernel
// 2004320 of a run on an H200, which alone shows the mistake: tools/dev/test-gpu runs this there.
// RUN: %fsm_run %s --device=sim --num-warps=4 --without=fsm-combine,canonicalize --compare=interp --grid=1 --arg=i16[2048]:arange --arg=f32[2048] --arg=i64[2048] --arg=f64[2048]:randn:1 --arg=i32[2048]:arange --arg=i32[592] --arg=i64[528] --arg=2 --arg=6 --arg=0 --arg=1.7 --arg=-5 --arg=1 --arg=500
// RUN: %fsm_run %s --num-warps=4 --without=fsm-combine,canonicalize --emit=ptx --target=sm_90a | FileCheck %s
// CHECK-NOT: ld.shared.v2.b16
// CHECK: shr.u32 [[UPPER:%r[0-9]+]], {{%r[0-9]+}}, 16;
// CHECK: cvt.u16.u32 {{.*}}, [[UPPER]];

fsm.kernel @random(%b_i16: !fsm.ptr<i16> {fsm.align = 16 : i32, fsm.readonly}, %b_f32: !fsm.ptr<f32> {fsm.noalias, fsm.readonly}, %b_i64: !fsm.ptr<i64> {fsm.readonly}, %b_f64: !fsm.ptr<f64>, %b_i32: !fsm.ptr<i32>, %o_i32: !fsm.ptr<i32>, %o_i64: !fsm.ptr<i64> {fsm.align = 64 : i32}, %n0: i32, %n1: i32, %n2: i32, %a_bf16: bf16, %a_f8E4M3FN: f8E4M3FN, %m0: i32, %m1: i32) attributes {num_warps = 2 : i32} {
  %pid = fsm.program_id x : i32
  %p_i16_size = arith.constant 2048 : i32
  %p_i16_first = arith.muli %pid, %p_i16_size overflow<nsw> : i32
  %p_i16 = fsm.offset %b_i16, %p_i16_first : !fsm.ptr<i16>, i32
  %p_f64_size = arith.constant 2048 : i32
  %p_f64_first = arith.muli %pid, %p_f64_size overflow<nsw> : i32
  %p_f64 = fsm.offset %b_f64, %p_f64_first : !fsm.ptr<f64>, i32
  %p_i32_size = arith.constant 2048 : i32
  %p_i32_first = arith.muli %pid, %p_i32_size overflow<nsw> : i32
  %p_i32 = fsm.offset %b_i32, %p_i32_first : !fsm.ptr<i32>, i32
  %q_i32_size = arith.constant 592 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %q_i64_size = arith.constant 528 : i32
  %q_i64_first = arith.muli %pid, %q_i64_size overflow<nsw> : i32
  %q_i64 = fsm.offset %o_i64, %q_i64_first : !fsm.ptr<i64>, i32
  %v1 = fsm.range 0, 64 : tensor<64xi32>
  %v2 = arith.trunci %v1 : tensor<64xi32> to tensor<64xi16>
  %v3 = fsm.range 0, 64 : tensor<64xi32>
  %v4 = fsm.splat %a_f8E4M3FN : tensor<64xf8E4M3FN>
  %v6:3 = fsm.reduce_with %v2, %v3, %v4 axis 0 : tensor<64xi16>, tensor<64xi32>, tensor<64xf8E4M3FN> -> i16, i32, f8E4M3FN {
  ^bb0(%a5_0: i16, %a5_1: i32, %a5_2: f8E4M3FN, %b5_0: i16, %b5_1: i32, %b5_2: f8E4M3FN):
    %r5_1 = arith.cmpi sgt, %a5_0, %b5_0 : i16
    %r5_2 = arith.cmpi eq, %a5_0, %b5_0 : i16
    %r5_3 = arith.cmpi slt, %a5_1, %b5_1 : i32
    %r5_4 = arith.andi %r5_2, %r5_3 : i1
    %r5_5 = arith.ori %r5_1, %r5_4 : i1
    %r5_6 = arith.select %r5_5, %a5_0, %b5_0 : i16
    %r5_7 = arith.select %r5_5, %a5_1, %b5_1 : i32
    %r5_8 = arith.select %r5_5, %a5_2, %b5_2 : f8E4M3FN
    fsm.yield %r5_6, %r5_7, %r5_8 : i16, i32, f8E4M3FN
  }
  %v9 = arith.constant -3.14159 : f64
  %v11 = fsm.range 0, 64 : tensor<64xi32>
  %v12 = arith.constant 1023 : i32
  %v13 = arith.andi %v6#1, %v12 : i32
  %v14 = fsm.offset %p_i32, %v13 : !fsm.ptr<i32>, i32
  %v15 = fsm.splat %v13 : tensor<64xi32>
  %v16 = fsm.atomic_rmw <xor> %v15, %v14[%v11] scope = sys : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %v17 = fsm.scan <and> %v2 axis 0 : tensor<64xi16>
  %v18 = fsm.range 0, 512 : tensor<512xi32>
  %v22 = fsm.range 0, 512 : tensor<512xi32>
  %v23 = fsm.range 0, 512 : tensor<512xi32>
  %v24 = arith.constant 3 : i32
  %v25 = fsm.range 0, 512 : tensor<512xi32>
  %v26 = arith.constant dense<7.0> : tensor<512xf64>
  %v27 = arith.constant -3 : i16
  %v28 = arith.constant 32767 : i16
  %v29 = arith.constant 16385 : i16
  %v30 = arith.constant dense<1> : tensor<512xi32>
  %v32 = fsm.splat %v9 : tensor<512xf64>
  %v34:2 = scf.for %v35 = %v27 to %v28 step %v29 iter_args(%v31 = %v30, %v33 = %v32) -> (tensor<512xi32>, tensor<512xf64>) : i16 {
    %v36 = arith.subi %v35, %v27 : i16
    %v37 = arith.divui %v36, %v29 : i16
    %v38 = arith.extsi %v37 : i16 to i32
    %v39 = arith.constant 128 : i32
    %v40 = arith.muli %v38, %v39 : i32
    %v41 = fsm.offset %p_i32, %v40 : !fsm.ptr<i32>, i32
    %v42 = fsm.load %v41[%v18] : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    %v43 = arith.constant dense<1023> : tensor<512xi32>
    %v44 = arith.andi %v42, %v43 : tensor<512xi32>
    %v45 = fsm.splat %v24 : tensor<512xi32>
    %v46 = arith.cmpi sgt, %v45, %v23 : tensor<512xi32>
    %v47 = fsm.load %p_i16[%v44], %v46, %v6#0 : !fsm.ptr<i16>, tensor<512xi32> -> tensor<512xi16>
    %v48 = arith.constant 64 : i32
    %v49 = arith.muli %v38, %v48 overflow<nsw> : i32
    %v50 = fsm.offset %p_f64, %v49 : !fsm.ptr<f64>, i32
    %v51 = arith.constant 128 : i32
    %v52 = arith.muli %v38, %v51 : i32
    %v53 = fsm.splat %v52 : tensor<512xi32>
    %v54 = arith.cmpi sgt, %v53, %v25 : tensor<512xi32>
    %v55 = fsm.load %v50[%v22], %v54, %v26 : !fsm.ptr<f64>, tensor<512xi32>, other tensor<512xf64> -> tensor<512xf64>
    %v110 = arith.extui %v47 : tensor<512xi16> to tensor<512xi32>
    %v111 = arith.constant dense<3> : tensor<512xi32>
    %v112 = arith.muli %v31, %v111 : tensor<512xi32>
    %v113 = arith.addi %v112, %v110 : tensor<512xi32>
    %v114 = arith.addf %v33, %v55 : tensor<512xf64>
    %v115 = arith.constant dense<64.0> : tensor<512xf64>
    %v116 = arith.constant dense<-64.0> : tensor<512xf64>
    %v117 = arith.minnumf %v114, %v115 : tensor<512xf64>
    %v118 = arith.maxnumf %v117, %v116 : tensor<512xf64>
    scf.yield %v113, %v118 : tensor<512xi32>, tensor<512xf64>
  }
  %v119 = arith.bitcast %v34#1 : tensor<512xf64> to tensor<512xi64>
  %v120 = arith.extui %v17 : tensor<64xi16> to tensor<64xi32>
  %v121 = arith.addi %v120, %v16 : tensor<64xi32>
  %v128 = arith.constant 0 : i32
  %v129 = fsm.offset %q_i64, %v128 : !fsm.ptr<i64>, i32
  fsm.store %v119, %v129[%v18] : tensor<512xi64>, !fsm.ptr<i64>, tensor<512xi32>
  %v130 = arith.constant 0 : i32
  %v131 = fsm.offset %q_i32, %v130 : !fsm.ptr<i32>, i32
  fsm.store %v34#0, %v131[%v18] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  %v132 = arith.constant 512 : i32
  %v133 = fsm.offset %q_i32, %v132 : !fsm.ptr<i32>, i32
  fsm.store %v121, %v133[%v11] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
