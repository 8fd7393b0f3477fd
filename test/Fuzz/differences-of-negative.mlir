// Differences of offsets whose highest bit is set. LLVM 22 takes -2147483648 out of the number that is taken away and negates
// it in 32 bits, where it stays what it is: a thread read 2^32 bytes below its element. Kernel 2009887 of a run.
// RUN: %fsm_run %s --device=sim --target=sm_80 --without=cse,canonicalize,loop-invariant-code-motion,fsm-combine --compare=interp --grid=1 --arg=i8[2048]:arange --arg=i32[256] --arg=i64[16] --arg=0 --arg=6 --arg=500 --arg=8 --arg=9223372036854775807 --arg=8 --arg=31

fsm.kernel @random(%b_i8: !fsm.ptr<i8> {fsm.align = 64 : i32, fsm.readonly, fsm.large}, %o_i32: !fsm.ptr<i32>, %o_i64: !fsm.ptr<i64> {fsm.align = 16 : i32}, %n0: i32, %n1: i32, %n2: i32, %a_f64: f64, %a_i64: i64, %m0: i32, %m1: i32 {fsm.divisible = 1 : i32}) attributes {num_warps = 2 : i32} {
  %pid = fsm.program_id x : i32
  %p_i8_size = arith.constant 2048 : i32
  %p_i8_first = arith.muli %pid, %p_i8_size overflow<nsw> : i32
  %p_i8 = fsm.offset %b_i8, %p_i8_first : !fsm.ptr<i8>, i32
  %q_i32_size = arith.constant 256 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %v3 = fsm.range 64, 320 : tensor<256xi32>
  %v4 = fsm.reshape %v3 : tensor<256xi32> -> tensor<16x16xi32>
  %v5 = arith.constant 2147483584 : i32
  %v6 = fsm.splat %v5 : tensor<16x16xi32>
  %v7 = arith.addi %v4, %v6 : tensor<16x16xi32>
  %v8 = arith.constant 1 : i32
  %v9 = fsm.splat %v8 : tensor<16x16xi32>
  %v10 = arith.xori %v7, %v9 : tensor<16x16xi32>
  %v11 = arith.extsi %v7 : tensor<16x16xi32> to tensor<16x16xi64>
  %v12 = arith.extsi %v10 : tensor<16x16xi32> to tensor<16x16xi64>
  %v13 = arith.subi %v12, %v11 : tensor<16x16xi64>
  %v15 = arith.constant 128 : i32
  %v16 = fsm.offset %p_i8, %v15 : !fsm.ptr<i8>, i32
  %v17 = fsm.load %v16[%v13] : !fsm.ptr<i8>, tensor<16x16xi64> -> tensor<16x16xi8>
  %v18 = arith.constant -32 : i32
  %v19 = arith.addi %m1, %v18 : i32
  %v20 = arith.constant 8 : i32
  %v21 = arith.muli %v19, %v20 : i32
  %v22 = arith.extsi %v21 : i32 to i64
  %v23 = fsm.splat %v22 : tensor<16x16xi64>
  %v24 = arith.cmpi ule, %v13, %v23 : tensor<16x16xi64>
  %v25 = fsm.range 0, 16 : tensor<16xi32>
  %v26 = fsm.expand_dims %v25 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %v27 = fsm.broadcast %v26 : tensor<1x16xi32> -> tensor<16x16xi32>
  %v28 = fsm.range 0, 16 : tensor<16xi32>
  %v29 = arith.constant 16 : i32
  %v30 = fsm.splat %v29 : tensor<16xi32>
  %v31 = arith.muli %v28, %v30 overflow<nsw> : tensor<16xi32>
  %v32 = fsm.expand_dims %v31 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %v33 = fsm.broadcast %v32 : tensor<16x1xi32> -> tensor<16x16xi32>
  %v34 = arith.addi %v33, %v27 : tensor<16x16xi32>
  %v37 = fsm.load %p_i8[%v34], %v24 : !fsm.ptr<i8>, tensor<16x16xi32> -> tensor<16x16xi8>
  %v38 = arith.extui %v37 : tensor<16x16xi8> to tensor<16x16xi32>
  %v39 = arith.extui %v17 : tensor<16x16xi8> to tensor<16x16xi32>
  %v40 = arith.addi %v38, %v39 : tensor<16x16xi32>
  %v43 = arith.constant 0 : i32
  %v44 = fsm.offset %q_i32, %v43 : !fsm.ptr<i32>, i32
  %v45 = fsm.range 0, 16 : tensor<16xi32>
  %v46 = arith.constant dense<16> : tensor<16xi32>
  %v47 = arith.muli %v45, %v46 : tensor<16xi32>
  %v48 = fsm.expand_dims %v47 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %v49 = fsm.broadcast %v48 : tensor<16x1xi32> -> tensor<16x16xi32>
  %v50 = fsm.range 0, 16 : tensor<16xi32>
  %v51 = fsm.expand_dims %v50 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %v52 = fsm.broadcast %v51 : tensor<1x16xi32> -> tensor<16x16xi32>
  %v53 = arith.addi %v49, %v52 overflow<nsw> : tensor<16x16xi32>
  fsm.store %v40, %v44[%v53] : tensor<16x16xi32>, !fsm.ptr<i32>, tensor<16x16xi32>
  fsm.return
}
