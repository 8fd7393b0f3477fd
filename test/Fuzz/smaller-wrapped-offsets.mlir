// Offsets that are the smaller of a wrapped i8 and 243. LLVM 22 takes `sext (x + 64)` for `sext x` and 64 where an extreme
// stands between them, too: 120 numbers of 512 were read from elsewhere. Kernel 2104585 of a run.
// RUN: %fsm_run %s --device=sim --target=sm_90 --num-warps=1 --compare=interp --grid=2 --arg=f64[4096] --arg=f32[4096] --arg=f16[4096] --arg=i32[4096]:arange --arg=f64[32] --arg=f8E5M2[32] --arg=i32[512] --arg=5 --arg=1 --arg=5 --arg=-5 --arg=1 --arg=1 --arg=64

fsm.kernel @random(%b_f64: !fsm.ptr<f64>, %b_f32: !fsm.ptr<f32> {fsm.readonly}, %b_f16: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.readonly, fsm.large}, %b_i32: !fsm.ptr<i32> {fsm.align = 16 : i32}, %o_f64: !fsm.ptr<f64>, %o_f8E5M2: !fsm.ptr<f8E5M2> {fsm.align = 16 : i32}, %o_i32: !fsm.ptr<i32> {fsm.align = 16 : i32}, %n0: i32 {fsm.equal_to = 5 : i32}, %n1: i32, %n2: i32 {fsm.divisible = 1 : i32}, %a_f8E5M2: f8E5M2, %a_f64: f64, %m0: i32, %m1: i32) attributes {num_warps = 2 : i32} {
  %pid = fsm.program_id x : i32
  %p_i32_size = arith.constant 2048 : i32
  %p_i32_first = arith.muli %pid, %p_i32_size overflow<nsw> : i32
  %p_i32 = fsm.offset %b_i32, %p_i32_first : !fsm.ptr<i32>, i32
  %q_i32_size = arith.constant 256 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %v1 = arith.constant 3 : i32
  %v2 = arith.andi %pid, %v1 : i32
  %v46 = fsm.range 0, 256 : tensor<256xi32>
  %v47 = fsm.reshape %v46 : tensor<256xi32> -> tensor<128x2xi32>
  %v48 = arith.constant 8 : i32
  %v49 = arith.muli %v2, %v48 overflow<nsw> : i32
  %v50 = fsm.splat %v49 : tensor<128x2xi32>
  %v51 = arith.addi %v47, %v50 : tensor<128x2xi32>
  %v52 = fsm.transpose %v51 order [1, 0] : tensor<128x2xi32> -> tensor<2x128xi32>
  %v53 = arith.trunci %v52 : tensor<2x128xi32> to tensor<2x128xi8>
  %v54 = fsm.hint %v53 {max_contiguous = array<i64: 2, 1>, multiple_of = array<i64: 2, 1>} : tensor<2x128xi8>
  %v55 = arith.constant -13 : i8
  %v56 = fsm.splat %v55 : tensor<2x128xi8>
  %v57 = arith.minui %v54, %v56 : tensor<2x128xi8>
  %v58 = arith.extsi %v57 : tensor<2x128xi8> to tensor<2x128xi32>
  %v60 = arith.constant 128 : i32
  %v61 = fsm.offset %p_i32, %v60 : !fsm.ptr<i32>, i32
  %v62 = fsm.load %v61[%v58] : !fsm.ptr<i32>, tensor<2x128xi32> -> tensor<2x128xi32>
  %v63 = arith.constant 67 : i32
  %v64 = arith.addi %m0, %v63 : i32
  %v65 = fsm.hint %v64 {multiple_of = array<i64: 2>} : i32
  %v66 = arith.trunci %v65 : i32 to i8
  %v67 = fsm.splat %v66 : tensor<2x128xi8>
  %v68 = arith.cmpi uge, %v57, %v67 : tensor<2x128xi8>
  %v69 = fsm.range 0, 256 : tensor<256xi32>
  %v70 = fsm.reshape %v69 : tensor<256xi32> -> tensor<2x128xi32>
  %v72 = arith.constant 64 : i32
  %v73 = fsm.offset %p_i32, %v72 : !fsm.ptr<i32>, i32
  %v74 = arith.constant -2147483648 : i32
  %v75 = fsm.load %v73[%v70], %v68, %v74 : !fsm.ptr<i32>, tensor<2x128xi32> -> tensor<2x128xi32>
  %v76 = arith.addi %v75, %v62 : tensor<2x128xi32>
  %v81 = arith.constant 0 : i32
  %v82 = fsm.offset %q_i32, %v81 : !fsm.ptr<i32>, i32
  %v83 = fsm.range 0, 2 : tensor<2xi32>
  %v84 = arith.constant dense<128> : tensor<2xi32>
  %v85 = arith.muli %v83, %v84 : tensor<2xi32>
  %v86 = fsm.expand_dims %v85 axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %v87 = fsm.broadcast %v86 : tensor<2x1xi32> -> tensor<2x128xi32>
  %v88 = fsm.range 0, 128 : tensor<128xi32>
  %v89 = fsm.expand_dims %v88 axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %v90 = fsm.broadcast %v89 : tensor<1x128xi32> -> tensor<2x128xi32>
  %v91 = arith.addi %v87, %v90 overflow<nsw> : tensor<2x128xi32>
  fsm.store %v76, %v82[%v91] : tensor<2x128xi32>, !fsm.ptr<i32>, tensor<2x128xi32>
  fsm.return
}
