// Signed truths are -1, also as i8 that is rounded to bf16: kernel 92598 of the fuzzer, shortened. LLVM 22 leaves the i8 out,
// and rounds a signed truth to 1.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f8E5M2[2048] --arg=i32[257] --arg=i64[64] --arg=31 --arg=3 --arg=31 --arg=1 --arg=1 --num-warps=2 --target=sm_90a --no-specialize

fsm.kernel @random(%b_f8E5M2: !fsm.ptr<f8E5M2> {fsm.align = 64 : i32, fsm.readonly}, %o_i32: !fsm.ptr<i32>, %o_i64: !fsm.ptr<i64> {fsm.align = 64 : i32}, %n0: i32 {fsm.equal_to = 31 : i32}, %n1: i32 {fsm.equal_to = 3 : i32}, %n2: i32, %a_i32: i32, %a_i1: i1) attributes {num_warps = 2 : i32} {
  %pid = fsm.program_id x : i32
  %q_i32_size = arith.constant 257 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %v3 = fsm.range 0, 4 : tensor<4xi32>
  %v4 = arith.constant dense<32> : tensor<4xi32>
  %v5 = arith.muli %v3, %v4 overflow<nsw> : tensor<4xi32>
  %v6 = fsm.expand_dims %v5 axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %v7 = fsm.broadcast %v6 : tensor<4x1xi32> -> tensor<4x32xi32>
  %v8 = fsm.range 0, 32 : tensor<32xi32>
  %v9 = fsm.expand_dims %v8 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %v10 = fsm.broadcast %v9 : tensor<1x32xi32> -> tensor<4x32xi32>
  %v11 = arith.addi %v7, %v10 overflow<nsw> : tensor<4x32xi32>
  %v12 = arith.trunci %v11 : tensor<4x32xi32> to tensor<4x32xi1>
  %v13 = arith.maxui %v12, %v12 : tensor<4x32xi1>
  %v14 = arith.extsi %v13 : tensor<4x32xi1> to tensor<4x32xi8>
  %v18 = fsm.scan <max> %v14 axis 1 reverse : tensor<4x32xi8>
  %v19 = arith.sitofp %v14 : tensor<4x32xi8> to tensor<4x32xbf16>
  %v20 = arith.bitcast %v19 : tensor<4x32xbf16> to tensor<4x32xi16>
  %v21 = arith.extui %v20 : tensor<4x32xi16> to tensor<4x32xi32>
  %v22 = arith.extui %v18 : tensor<4x32xi8> to tensor<4x32xi32>
  %v23 = arith.addi %v21, %v22 : tensor<4x32xi32>
  %v26 = arith.constant 0 : i32
  %v27 = fsm.offset %q_i32, %v26 : !fsm.ptr<i32>, i32
  %v28 = fsm.range 0, 4 : tensor<4xi32>
  %v29 = arith.constant dense<32> : tensor<4xi32>
  %v30 = arith.muli %v28, %v29 overflow<nsw> : tensor<4xi32>
  %v31 = fsm.expand_dims %v30 axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %v32 = fsm.broadcast %v31 : tensor<4x1xi32> -> tensor<4x32xi32>
  %v33 = fsm.range 0, 32 : tensor<32xi32>
  %v34 = fsm.expand_dims %v33 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %v35 = fsm.broadcast %v34 : tensor<1x32xi32> -> tensor<4x32xi32>
  %v36 = arith.addi %v32, %v35 : tensor<4x32xi32>
  fsm.store %v23, %v27[%v36] : tensor<4x32xi32>, !fsm.ptr<i32>, tensor<4x32xi32>
  fsm.return
}
