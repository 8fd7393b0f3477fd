// Lanes that are done with a compare-and-swap at different times, and then a barrier. On an H200 they came to it one by one,
// whatever ptxas 13.0 had put there to bring them together, and read what had not been written
// (docs/decisions/0048-warps-leave-loops-together.md). Kernel 2011708 of a run there, which alone shows the mistake:
// tools/dev/test-gpu runs this on one.
// RUN: %fsm_run %s --device=sim --num-warps=2 --num-stages=3 --without=cse --compare=interp --grid=1 --arg=f16[2048]:randn:1 --arg=i64[2048] --arg=i32[2048]:arange --arg=f32[2048]:randn:2 --arg=f16[2048]:randn:3 --arg=f16[16] --arg=f32[528] --arg=i32[800] --arg=f64[64] --arg=31 --arg=4 --arg=2 --arg=8 --arg=8 --arg=12 --arg=64
// RUN: %fsm_run %s --num-warps=2 --num-stages=3 --without=cse --emit=ptx --target=sm_90a | FileCheck %s
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: [[LOOP:\$L[A-Z0-9_]+]]:
// CHECK: @[[ACTIVE:%p[0-9]+]] atom.global.gpu.relaxed.cas.b64
// CHECK: vote.sync.any.pred [[AGAIN:%p[0-9]+]],
// CHECK: @[[AGAIN]] bra [[LOOP]];

fsm.kernel @random(%b_f16: !fsm.ptr<f16>, %b_i64: !fsm.ptr<i64> {fsm.readonly}, %b_i32: !fsm.ptr<i32>, %b_f32: !fsm.ptr<f32> {fsm.noalias, fsm.readonly}, %d_f16: !fsm.ptr<f16> {fsm.noalias, fsm.align = 64 : i32}, %o_f16: !fsm.ptr<f16>, %o_f32: !fsm.ptr<f32> {fsm.align = 16 : i32}, %o_i32: !fsm.ptr<i32> {fsm.align = 64 : i32}, %s_f64: !fsm.ptr<f64> {fsm.noalias, fsm.align = 64 : i32}, %n0: i32, %n1: i32, %n2: i32, %a_f8E5M2: f8E5M2, %a_bf16: bf16, %m0: i32, %m1: i32) attributes {num_warps = 1 : i32} {
  %pid = fsm.program_id x : i32
  %p_f16_size = arith.constant 2048 : i32
  %p_f16_first = arith.muli %pid, %p_f16_size overflow<nsw> : i32
  %p_f16 = fsm.offset %b_f16, %p_f16_first : !fsm.ptr<f16>, i32
  %p_i32_size = arith.constant 2048 : i32
  %p_i32_first = arith.muli %pid, %p_i32_size overflow<nsw> : i32
  %p_i32 = fsm.offset %b_i32, %p_i32_first : !fsm.ptr<i32>, i32
  %p_f32_size = arith.constant 2048 : i32
  %p_f32_first = arith.muli %pid, %p_f32_size overflow<nsw> : i32
  %p_f32 = fsm.offset %b_f32, %p_f32_first : !fsm.ptr<f32>, i32
  %q_f16_size = arith.constant 16 : i32
  %q_f16_first = arith.muli %pid, %q_f16_size overflow<nsw> : i32
  %q_f16 = fsm.offset %o_f16, %q_f16_first : !fsm.ptr<f16>, i32
  %q_f32_size = arith.constant 528 : i32
  %q_f32_first = arith.muli %pid, %q_f32_size overflow<nsw> : i32
  %q_f32 = fsm.offset %o_f32, %q_f32_first : !fsm.ptr<f32>, i32
  %q_i32_size = arith.constant 800 : i32
  %q_i32_first = arith.muli %pid, %q_i32_size overflow<nsw> : i32
  %q_i32 = fsm.offset %o_i32, %q_i32_first : !fsm.ptr<i32>, i32
  %v6 = arith.constant 16 : i32
  %v7 = fsm.offset %p_f16, %v6 : !fsm.ptr<f16>, i32
  %v8 = fsm.load %v7 : !fsm.ptr<f16> -> f16
  %v9 = arith.constant 30.0 : f16
  %v10 = arith.constant -30.0 : f16
  %v11 = arith.minnumf %v8, %v9 : f16
  %v12 = arith.maximumf %v11, %v10 : f16
  %v13 = math.sin %v12 : f16
  %v14 = arith.constant 0.0 : f64
  %v15 = fsm.splat %v14 : tensor<2x4x2xf64>
  %v16 = arith.fptosi %v15 : tensor<2x4x2xf64> to tensor<2x4x2xi8>
  %v17 = fsm.splat %n0 : tensor<33xi32>
  %v19:2 = fsm.reduce_with %v17, %v17 axis 0 : tensor<33xi32>, tensor<33xi32> -> i32, i32 {
  ^bb0(%a18_0: i32, %a18_1: i32, %b18_0: i32, %b18_1: i32):
    %r18_1 = arith.muli %a18_0, %b18_0 : i32
    %r18_2 = arith.muli %a18_1, %b18_1 : i32
    %r18_3 = arith.muli %a18_0, %b18_1 : i32
    %r18_4 = arith.muli %a18_1, %b18_0 : i32
    %r18_5 = arith.subi %r18_1, %r18_2 : i32
    %r18_6 = arith.addi %r18_3, %r18_4 : i32
    fsm.yield %r18_5, %r18_6 : i32, i32
  }
  %v118 = arith.constant dense<-1.0> : tensor<2x4x2xf64>
  %v119 = fsm.range 0, 2 : tensor<2xi32>
  %v120 = arith.constant dense<8> : tensor<2xi32>
  %v121 = arith.muli %v119, %v120 : tensor<2xi32>
  %v122 = fsm.expand_dims %v121 axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %v123 = fsm.expand_dims %v122 axis 2 : tensor<2x1xi32> -> tensor<2x1x1xi32>
  %v124 = fsm.broadcast %v123 : tensor<2x1x1xi32> -> tensor<2x4x2xi32>
  %v125 = fsm.range 0, 4 : tensor<4xi32>
  %v126 = arith.constant dense<2> : tensor<4xi32>
  %v127 = arith.muli %v125, %v126 overflow<nsw> : tensor<4xi32>
  %v128 = fsm.expand_dims %v127 axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %v129 = fsm.expand_dims %v128 axis 2 : tensor<1x4xi32> -> tensor<1x4x1xi32>
  %v130 = fsm.broadcast %v129 : tensor<1x4x1xi32> -> tensor<2x4x2xi32>
  %v131 = arith.addi %v124, %v130 : tensor<2x4x2xi32>
  %v132 = fsm.range 0, 2 : tensor<2xi32>
  %v133 = fsm.expand_dims %v132 axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %v134 = fsm.expand_dims %v133 axis 1 : tensor<1x2xi32> -> tensor<1x1x2xi32>
  %v135 = fsm.broadcast %v134 : tensor<1x1x2xi32> -> tensor<2x4x2xi32>
  %v136 = arith.addi %v131, %v135 overflow<nsw> : tensor<2x4x2xi32>
  %v137 = arith.constant 0 : i32
  %v138 = fsm.range 0, 4 : tensor<4xi32>
  %v139 = fsm.splat %v137 : tensor<4xi32>
  %v140 = arith.cmpi slt, %v138, %v139 : tensor<4xi32>
  %v141 = fsm.expand_dims %v140 axis 0 : tensor<4xi1> -> tensor<1x4xi1>
  %v142 = fsm.expand_dims %v141 axis 2 : tensor<1x4xi1> -> tensor<1x4x1xi1>
  %v143 = fsm.broadcast %v142 : tensor<1x4x1xi1> -> tensor<2x4x2xi1>
  %v144 = arith.constant 16 : i32
  %v145 = fsm.offset %p_i32, %v144 : !fsm.ptr<i32>, i32
  %v146 = fsm.load %v145[%v136], %v143 : !fsm.ptr<i32>, tensor<2x4x2xi32> -> tensor<2x4x2xi32>
  %v147 = arith.constant dense<63> : tensor<2x4x2xi32>
  %v148 = arith.andi %v146, %v147 : tensor<2x4x2xi32>
  %v149 = fsm.range 0, 2 : tensor<2xi32>
  %v150 = fsm.splat %n2 : tensor<2xi32>
  %v151 = arith.cmpi slt, %v149, %v150 : tensor<2xi32>
  %v152 = fsm.expand_dims %v151 axis 1 : tensor<2xi1> -> tensor<2x1xi1>
  %v153 = fsm.expand_dims %v152 axis 2 : tensor<2x1xi1> -> tensor<2x1x1xi1>
  %v154 = fsm.broadcast %v153 : tensor<2x1x1xi1> -> tensor<2x4x2xi1>
  %v155 = fsm.atomic_rmw <min> %v118, %s_f64[%v148], %v154 : tensor<2x4x2xf64>, !fsm.ptr<f64>, tensor<2x4x2xi32>
  %v156 = fsm.range 0, 2 : tensor<2xi32>
  %v157 = arith.constant dense<2> : tensor<2xi32>
  %v158 = arith.muli %v156, %v157 : tensor<2xi32>
  %v159 = arith.constant 1 : i32
  %v160 = fsm.range 0, 2 : tensor<2xi32>
  %v161 = fsm.splat %v159 : tensor<2xi32>
  %v162 = arith.cmpi slt, %v160, %v161 : tensor<2xi32>
  %v163 = arith.constant 1 : i32
  %v164 = fsm.offset %p_f16, %v163 : !fsm.ptr<f16>, i32
  %v165 = fsm.load %v164[%v158], %v162 : !fsm.ptr<f16>, tensor<2xi32> -> tensor<2xf16>
  %v166 = fsm.convert %v165 rounding = nearest_even : tensor<2xf16> -> tensor<2xf8E4M3FN>
  %v167 = fsm.expand_dims %v166 axis 0 : tensor<2xf8E4M3FN> -> tensor<1x2xf8E4M3FN>
  %v168 = fsm.expand_dims %v167 axis 1 : tensor<1x2xf8E4M3FN> -> tensor<1x1x2xf8E4M3FN>
  %v169 = fsm.broadcast %v168 : tensor<1x1x2xf8E4M3FN> -> tensor<2x4x2xf8E4M3FN>
  %v170 = fsm.range 0, 16 : tensor<16xi32>
  %v171 = arith.constant dense<8> : tensor<16xi32>
  %v172 = arith.muli %v170, %v171 : tensor<16xi32>
  %v173 = fsm.expand_dims %v172 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %v174 = fsm.broadcast %v173 : tensor<16x1xi32> -> tensor<16x8xi32>
  %v175 = fsm.range 0, 8 : tensor<8xi32>
  %v176 = fsm.expand_dims %v175 axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %v177 = fsm.broadcast %v176 : tensor<1x8xi32> -> tensor<16x8xi32>
  %v178 = arith.addi %v174, %v177 overflow<nsw> : tensor<16x8xi32>
  %v179 = fsm.range 0, 16 : tensor<16xi32>
  %v180 = arith.constant dense<8> : tensor<16xi32>
  %v181 = arith.muli %v179, %v180 : tensor<16xi32>
  %v182 = fsm.expand_dims %v181 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %v183 = fsm.broadcast %v182 : tensor<16x1xi32> -> tensor<16x8xi32>
  %v184 = fsm.range 0, 8 : tensor<8xi32>
  %v185 = fsm.expand_dims %v184 axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %v186 = fsm.broadcast %v185 : tensor<1x8xi32> -> tensor<16x8xi32>
  %v187 = arith.addi %v183, %v186 overflow<nsw> : tensor<16x8xi32>
  %v188 = arith.trunci %v187 : tensor<16x8xi32> to tensor<16x8xi1>
  %v189 = arith.constant 1023 : i32
  %v190 = arith.andi %v19#1, %v189 : i32
  %v191 = fsm.offset %p_f16, %v190 : !fsm.ptr<f16>, i32
  %v192 = fsm.load %v191[%v178], %v188 : !fsm.ptr<f16>, tensor<16x8xi32> -> tensor<16x8xf16>
  %v193 = arith.constant dense<64.0> : tensor<16x8xf16>
  %v194 = arith.constant dense<-64.0> : tensor<16x8xf16>
  %v195 = arith.minimumf %v192, %v193 : tensor<16x8xf16>
  %v196 = arith.maximumf %v195, %v194 : tensor<16x8xf16>
  %v197 = fsm.range 0, 8 : tensor<8xi32>
  %v198 = arith.constant dense<64> : tensor<8xi32>
  %v199 = arith.muli %v197, %v198 overflow<nsw> : tensor<8xi32>
  %v200 = fsm.expand_dims %v199 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %v201 = fsm.broadcast %v200 : tensor<8x1xi32> -> tensor<8x32xi32>
  %v202 = fsm.range 0, 32 : tensor<32xi32>
  %v203 = arith.constant dense<2> : tensor<32xi32>
  %v204 = arith.muli %v202, %v203 : tensor<32xi32>
  %v205 = fsm.expand_dims %v204 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %v206 = fsm.broadcast %v205 : tensor<1x32xi32> -> tensor<8x32xi32>
  %v207 = arith.addi %v201, %v206 overflow<nsw> : tensor<8x32xi32>
  %v208 = arith.constant 8 : i32
  %v209 = fsm.range 0, 8 : tensor<8xi32>
  %v210 = fsm.splat %v208 : tensor<8xi32>
  %v211 = arith.cmpi slt, %v209, %v210 : tensor<8xi32>
  %v212 = fsm.expand_dims %v211 axis 1 : tensor<8xi1> -> tensor<8x1xi1>
  %v213 = fsm.broadcast %v212 : tensor<8x1xi1> -> tensor<8x32xi1>
  %v214 = arith.constant 1023 : i32
  %v215 = arith.andi %v190, %v214 : i32
  %v216 = fsm.offset %p_f16, %v215 : !fsm.ptr<f16>, i32
  %v217 = fsm.load %v216[%v207], %v213 : !fsm.ptr<f16>, tensor<8x32xi32> -> tensor<8x32xf16>
  %v218 = arith.constant dense<64.0> : tensor<8x32xf16>
  %v219 = arith.constant dense<-64.0> : tensor<8x32xf16>
  %v220 = arith.minimumf %v217, %v218 : tensor<8x32xf16>
  %v221 = arith.maxnumf %v220, %v219 : tensor<8x32xf16>
  %v222 = fsm.range 0, 16 : tensor<16xi32>
  %v223 = arith.constant dense<32> : tensor<16xi32>
  %v224 = arith.muli %v222, %v223 overflow<nsw> : tensor<16xi32>
  %v225 = fsm.expand_dims %v224 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %v226 = fsm.broadcast %v225 : tensor<16x1xi32> -> tensor<16x32xi32>
  %v227 = fsm.range 0, 32 : tensor<32xi32>
  %v228 = fsm.expand_dims %v227 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %v229 = fsm.broadcast %v228 : tensor<1x32xi32> -> tensor<16x32xi32>
  %v230 = arith.addi %v226, %v229 overflow<nsw> : tensor<16x32xi32>
  %v231 = arith.constant 16 : i32
  %v232 = fsm.offset %p_f32, %v231 : !fsm.ptr<f32>, i32
  %v233 = fsm.load %v232[%v230] cache = ca : !fsm.ptr<f32>, tensor<16x32xi32> -> tensor<16x32xf32>
  %v234 = arith.constant dense<64.0> : tensor<16x32xf32>
  %v235 = arith.constant dense<-64.0> : tensor<16x32xf32>
  %v236 = arith.minimumf %v233, %v234 : tensor<16x32xf32>
  %v237 = arith.maxnumf %v236, %v235 : tensor<16x32xf32>
  %v238 = fsm.dot %v196, %v221, %v237 : tensor<16x8xf16>, tensor<8x32xf16> -> tensor<16x32xf32>
  %v239 = arith.constant 0 : i32
  %v240 = fsm.offset %q_f32, %v239 : !fsm.ptr<f32>, i32
  fsm.store %v238, %v240[%v230] : tensor<16x32xf32>, !fsm.ptr<f32>, tensor<16x32xi32>
  %v241 = arith.bitcast %v169 : tensor<2x4x2xf8E4M3FN> to tensor<2x4x2xi8>
  %v242 = arith.extui %v241 : tensor<2x4x2xi8> to tensor<2x4x2xi32>
  %v245 = arith.extui %v16 : tensor<2x4x2xi8> to tensor<2x4x2xi32>
  %v246 = arith.addi %v242, %v245 : tensor<2x4x2xi32>
  %v247 = arith.constant 0 : i32
  %v248 = fsm.offset %q_f16, %v247 : !fsm.ptr<f16>, i32
  fsm.store %v13, %v248 : f16, !fsm.ptr<f16>
  %v253 = arith.constant 0 : i32
  %v254 = fsm.offset %q_i32, %v253 : !fsm.ptr<i32>, i32
  fsm.store %v246, %v254[%v136] : tensor<2x4x2xi32>, !fsm.ptr<i32>, tensor<2x4x2xi32>
  fsm.return
}
