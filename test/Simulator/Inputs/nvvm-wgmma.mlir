// How LLVM 22 spells what the NVVM dialect has for products of warp groups and copies of tensors, and
// what is inline PTX because the dialect has no op or none that is tied to the sums: a left factor in
// registers, and the wait. To make ../nvvm-wgmma.ptx of it, here:
//   mlir-opt --convert-nvvm-to-llvm nvvm-wgmma.mlir | mlir-translate --mlir-to-llvmir \
//     | llc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx86 -o ../nvvm-wgmma.ptx

!s = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// y = (a b') v of 64 x 64 f16 each, the inner product rounded to f16; y is f32. v is stored row by row,
// so that columns lie side by side. 24592 bytes of shared memory.
llvm.func @chained(%a: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64}, %b: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64}, %v: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, llvm.align = 64 : i64}, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %bytes = llvm.mlir.constant(24576 : i32) : i32
  %ticks = llvm.mlir.constant(10000000 : i32) : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %tileB = llvm.getelementptr %smem[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %tileV = llvm.getelementptr %smem[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %full = llvm.getelementptr %smem[24576] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %isFirst = llvm.icmp "eq" %t, %zero : i32
  nvvm.setmaxregister increase 232
  llvm.cond_br %isFirst, ^make, ^made
^make:
  nvvm.prefetch tensormap, %a : !llvm.ptr
  nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
  nvvm.fence.mbarrier.init
  nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
  nvvm.cp.async.bulk.tensor.shared.cluster.global %smem, %a, %full, box[%zero, %zero] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %tileB, %b, %full, box[%zero, %zero] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %tileV, %v, %full, box[%zero, %zero] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.br ^made
^made:
  nvvm.barrier
  nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
  %begin = llvm.ptrtoint %smem : !llvm.ptr<3> to i32
  %mask = llvm.mlir.constant(262143 : i32) : i32
  %low = llvm.and %begin, %mask : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %units = llvm.lshr %low, %four : i32
  %wide = llvm.zext %units : i32 to i64
  %k = llvm.mlir.constant(4611686293305360384 : i64) : i64
  %mn = llvm.mlir.constant(4611686293338849280 : i64) : i64
  %da0 = llvm.or %wide, %k : i64
  %vs = llvm.or %wide, %mn : i64
  %ca0 = llvm.mlir.constant(0 : i64) : i64
  %cb0 = llvm.mlir.constant(512 : i64) : i64
  %cv0 = llvm.mlir.constant(1024 : i64) : i64
  %a0 = llvm.add %da0, %ca0 : i64
  %b0 = llvm.add %da0, %cb0 : i64
  %v0 = llvm.add %vs, %cv0 : i64
  %ca1 = llvm.mlir.constant(2 : i64) : i64
  %cb1 = llvm.mlir.constant(514 : i64) : i64
  %cv1 = llvm.mlir.constant(1152 : i64) : i64
  %a1 = llvm.add %da0, %ca1 : i64
  %b1 = llvm.add %da0, %cb1 : i64
  %v1 = llvm.add %vs, %cv1 : i64
  %ca2 = llvm.mlir.constant(4 : i64) : i64
  %cb2 = llvm.mlir.constant(516 : i64) : i64
  %cv2 = llvm.mlir.constant(1280 : i64) : i64
  %a2 = llvm.add %da0, %ca2 : i64
  %b2 = llvm.add %da0, %cb2 : i64
  %v2 = llvm.add %vs, %cv2 : i64
  %ca3 = llvm.mlir.constant(6 : i64) : i64
  %cb3 = llvm.mlir.constant(518 : i64) : i64
  %cv3 = llvm.mlir.constant(1408 : i64) : i64
  %a3 = llvm.add %da0, %ca3 : i64
  %b3 = llvm.add %da0, %cb3 : i64
  %v3 = llvm.add %vs, %cv3 : i64
  %s0 = llvm.mlir.poison : !s
  nvvm.wgmma.fence.aligned
  %s1 = nvvm.wgmma.mma_async %a0, %b0, %s0, #nvvm.shape<m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !s -> !s
  %s2 = nvvm.wgmma.mma_async %a1, %b1, %s1, #nvvm.shape<m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !s -> !s
  %s3 = nvvm.wgmma.mma_async %a2, %b2, %s2, #nvvm.shape<m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !s -> !s
  %s4 = nvvm.wgmma.mma_async %a3, %b3, %s3, #nvvm.shape<m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !s -> !s
  nvvm.wgmma.commit.group.sync.aligned
  %donex0 = llvm.extractvalue %s4[0] : !s
  %donex1 = llvm.extractvalue %s4[1] : !s
  %donex2 = llvm.extractvalue %s4[2] : !s
  %donex3 = llvm.extractvalue %s4[3] : !s
  %donex4 = llvm.extractvalue %s4[4] : !s
  %donex5 = llvm.extractvalue %s4[5] : !s
  %donex6 = llvm.extractvalue %s4[6] : !s
  %donex7 = llvm.extractvalue %s4[7] : !s
  %donex8 = llvm.extractvalue %s4[8] : !s
  %donex9 = llvm.extractvalue %s4[9] : !s
  %donex10 = llvm.extractvalue %s4[10] : !s
  %donex11 = llvm.extractvalue %s4[11] : !s
  %donex12 = llvm.extractvalue %s4[12] : !s
  %donex13 = llvm.extractvalue %s4[13] : !s
  %donex14 = llvm.extractvalue %s4[14] : !s
  %donex15 = llvm.extractvalue %s4[15] : !s
  %donex16 = llvm.extractvalue %s4[16] : !s
  %donex17 = llvm.extractvalue %s4[17] : !s
  %donex18 = llvm.extractvalue %s4[18] : !s
  %donex19 = llvm.extractvalue %s4[19] : !s
  %donex20 = llvm.extractvalue %s4[20] : !s
  %donex21 = llvm.extractvalue %s4[21] : !s
  %donex22 = llvm.extractvalue %s4[22] : !s
  %donex23 = llvm.extractvalue %s4[23] : !s
  %donex24 = llvm.extractvalue %s4[24] : !s
  %donex25 = llvm.extractvalue %s4[25] : !s
  %donex26 = llvm.extractvalue %s4[26] : !s
  %donex27 = llvm.extractvalue %s4[27] : !s
  %donex28 = llvm.extractvalue %s4[28] : !s
  %donex29 = llvm.extractvalue %s4[29] : !s
  %donex30 = llvm.extractvalue %s4[30] : !s
  %donex31 = llvm.extractvalue %s4[31] : !s
  %done = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,~{memory}" %donex0, %donex1, %donex2, %donex3, %donex4, %donex5, %donex6, %donex7, %donex8, %donex9, %donex10, %donex11, %donex12, %donex13, %donex14, %donex15, %donex16, %donex17, %donex18, %donex19, %donex20, %donex21, %donex22, %donex23, %donex24, %donex25, %donex26, %donex27, %donex28, %donex29, %donex30, %donex31 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> !s
  %p0 = llvm.extractvalue %done[0] : !s
  %p1 = llvm.extractvalue %done[1] : !s
  %p2 = llvm.extractvalue %done[2] : !s
  %p3 = llvm.extractvalue %done[3] : !s
  %p4 = llvm.extractvalue %done[4] : !s
  %p5 = llvm.extractvalue %done[5] : !s
  %p6 = llvm.extractvalue %done[6] : !s
  %p7 = llvm.extractvalue %done[7] : !s
  %p8 = llvm.extractvalue %done[8] : !s
  %p9 = llvm.extractvalue %done[9] : !s
  %p10 = llvm.extractvalue %done[10] : !s
  %p11 = llvm.extractvalue %done[11] : !s
  %p12 = llvm.extractvalue %done[12] : !s
  %p13 = llvm.extractvalue %done[13] : !s
  %p14 = llvm.extractvalue %done[14] : !s
  %p15 = llvm.extractvalue %done[15] : !s
  %p16 = llvm.extractvalue %done[16] : !s
  %p17 = llvm.extractvalue %done[17] : !s
  %p18 = llvm.extractvalue %done[18] : !s
  %p19 = llvm.extractvalue %done[19] : !s
  %p20 = llvm.extractvalue %done[20] : !s
  %p21 = llvm.extractvalue %done[21] : !s
  %p22 = llvm.extractvalue %done[22] : !s
  %p23 = llvm.extractvalue %done[23] : !s
  %p24 = llvm.extractvalue %done[24] : !s
  %p25 = llvm.extractvalue %done[25] : !s
  %p26 = llvm.extractvalue %done[26] : !s
  %p27 = llvm.extractvalue %done[27] : !s
  %p28 = llvm.extractvalue %done[28] : !s
  %p29 = llvm.extractvalue %done[29] : !s
  %p30 = llvm.extractvalue %done[30] : !s
  %p31 = llvm.extractvalue %done[31] : !s
  %u0 = llvm.mlir.poison : vector<2xf32>
  %l0 = llvm.insertelement %p0, %u0[%zero : i32] : vector<2xf32>
  %h0 = llvm.insertelement %p1, %l0[%one : i32] : vector<2xf32>
  %g0 = llvm.fptrunc %h0 : vector<2xf32> to vector<2xf16>
  %w0 = llvm.bitcast %g0 : vector<2xf16> to i32
  %u1 = llvm.mlir.poison : vector<2xf32>
  %l1 = llvm.insertelement %p2, %u1[%zero : i32] : vector<2xf32>
  %h1 = llvm.insertelement %p3, %l1[%one : i32] : vector<2xf32>
  %g1 = llvm.fptrunc %h1 : vector<2xf32> to vector<2xf16>
  %w1 = llvm.bitcast %g1 : vector<2xf16> to i32
  %u2 = llvm.mlir.poison : vector<2xf32>
  %l2 = llvm.insertelement %p4, %u2[%zero : i32] : vector<2xf32>
  %h2 = llvm.insertelement %p5, %l2[%one : i32] : vector<2xf32>
  %g2 = llvm.fptrunc %h2 : vector<2xf32> to vector<2xf16>
  %w2 = llvm.bitcast %g2 : vector<2xf16> to i32
  %u3 = llvm.mlir.poison : vector<2xf32>
  %l3 = llvm.insertelement %p6, %u3[%zero : i32] : vector<2xf32>
  %h3 = llvm.insertelement %p7, %l3[%one : i32] : vector<2xf32>
  %g3 = llvm.fptrunc %h3 : vector<2xf32> to vector<2xf16>
  %w3 = llvm.bitcast %g3 : vector<2xf16> to i32
  %u4 = llvm.mlir.poison : vector<2xf32>
  %l4 = llvm.insertelement %p8, %u4[%zero : i32] : vector<2xf32>
  %h4 = llvm.insertelement %p9, %l4[%one : i32] : vector<2xf32>
  %g4 = llvm.fptrunc %h4 : vector<2xf32> to vector<2xf16>
  %w4 = llvm.bitcast %g4 : vector<2xf16> to i32
  %u5 = llvm.mlir.poison : vector<2xf32>
  %l5 = llvm.insertelement %p10, %u5[%zero : i32] : vector<2xf32>
  %h5 = llvm.insertelement %p11, %l5[%one : i32] : vector<2xf32>
  %g5 = llvm.fptrunc %h5 : vector<2xf32> to vector<2xf16>
  %w5 = llvm.bitcast %g5 : vector<2xf16> to i32
  %u6 = llvm.mlir.poison : vector<2xf32>
  %l6 = llvm.insertelement %p12, %u6[%zero : i32] : vector<2xf32>
  %h6 = llvm.insertelement %p13, %l6[%one : i32] : vector<2xf32>
  %g6 = llvm.fptrunc %h6 : vector<2xf32> to vector<2xf16>
  %w6 = llvm.bitcast %g6 : vector<2xf16> to i32
  %u7 = llvm.mlir.poison : vector<2xf32>
  %l7 = llvm.insertelement %p14, %u7[%zero : i32] : vector<2xf32>
  %h7 = llvm.insertelement %p15, %l7[%one : i32] : vector<2xf32>
  %g7 = llvm.fptrunc %h7 : vector<2xf32> to vector<2xf16>
  %w7 = llvm.bitcast %g7 : vector<2xf16> to i32
  %u8 = llvm.mlir.poison : vector<2xf32>
  %l8 = llvm.insertelement %p16, %u8[%zero : i32] : vector<2xf32>
  %h8 = llvm.insertelement %p17, %l8[%one : i32] : vector<2xf32>
  %g8 = llvm.fptrunc %h8 : vector<2xf32> to vector<2xf16>
  %w8 = llvm.bitcast %g8 : vector<2xf16> to i32
  %u9 = llvm.mlir.poison : vector<2xf32>
  %l9 = llvm.insertelement %p18, %u9[%zero : i32] : vector<2xf32>
  %h9 = llvm.insertelement %p19, %l9[%one : i32] : vector<2xf32>
  %g9 = llvm.fptrunc %h9 : vector<2xf32> to vector<2xf16>
  %w9 = llvm.bitcast %g9 : vector<2xf16> to i32
  %u10 = llvm.mlir.poison : vector<2xf32>
  %l10 = llvm.insertelement %p20, %u10[%zero : i32] : vector<2xf32>
  %h10 = llvm.insertelement %p21, %l10[%one : i32] : vector<2xf32>
  %g10 = llvm.fptrunc %h10 : vector<2xf32> to vector<2xf16>
  %w10 = llvm.bitcast %g10 : vector<2xf16> to i32
  %u11 = llvm.mlir.poison : vector<2xf32>
  %l11 = llvm.insertelement %p22, %u11[%zero : i32] : vector<2xf32>
  %h11 = llvm.insertelement %p23, %l11[%one : i32] : vector<2xf32>
  %g11 = llvm.fptrunc %h11 : vector<2xf32> to vector<2xf16>
  %w11 = llvm.bitcast %g11 : vector<2xf16> to i32
  %u12 = llvm.mlir.poison : vector<2xf32>
  %l12 = llvm.insertelement %p24, %u12[%zero : i32] : vector<2xf32>
  %h12 = llvm.insertelement %p25, %l12[%one : i32] : vector<2xf32>
  %g12 = llvm.fptrunc %h12 : vector<2xf32> to vector<2xf16>
  %w12 = llvm.bitcast %g12 : vector<2xf16> to i32
  %u13 = llvm.mlir.poison : vector<2xf32>
  %l13 = llvm.insertelement %p26, %u13[%zero : i32] : vector<2xf32>
  %h13 = llvm.insertelement %p27, %l13[%one : i32] : vector<2xf32>
  %g13 = llvm.fptrunc %h13 : vector<2xf32> to vector<2xf16>
  %w13 = llvm.bitcast %g13 : vector<2xf16> to i32
  %u14 = llvm.mlir.poison : vector<2xf32>
  %l14 = llvm.insertelement %p28, %u14[%zero : i32] : vector<2xf32>
  %h14 = llvm.insertelement %p29, %l14[%one : i32] : vector<2xf32>
  %g14 = llvm.fptrunc %h14 : vector<2xf32> to vector<2xf16>
  %w14 = llvm.bitcast %g14 : vector<2xf16> to i32
  %u15 = llvm.mlir.poison : vector<2xf32>
  %l15 = llvm.insertelement %p30, %u15[%zero : i32] : vector<2xf32>
  %h15 = llvm.insertelement %p31, %l15[%one : i32] : vector<2xf32>
  %g15 = llvm.fptrunc %h15 : vector<2xf32> to vector<2xf16>
  %w15 = llvm.bitcast %g15 : vector<2xf16> to i32
  %null = llvm.mlir.constant(0.0 : f32) : f32
  %o0 = llvm.mlir.poison : !s
  nvvm.wgmma.fence.aligned
  %i0x0 = llvm.extractvalue %o0[0] : !s
  %i0x1 = llvm.extractvalue %o0[1] : !s
  %i0x2 = llvm.extractvalue %o0[2] : !s
  %i0x3 = llvm.extractvalue %o0[3] : !s
  %i0x4 = llvm.extractvalue %o0[4] : !s
  %i0x5 = llvm.extractvalue %o0[5] : !s
  %i0x6 = llvm.extractvalue %o0[6] : !s
  %i0x7 = llvm.extractvalue %o0[7] : !s
  %i0x8 = llvm.extractvalue %o0[8] : !s
  %i0x9 = llvm.extractvalue %o0[9] : !s
  %i0x10 = llvm.extractvalue %o0[10] : !s
  %i0x11 = llvm.extractvalue %o0[11] : !s
  %i0x12 = llvm.extractvalue %o0[12] : !s
  %i0x13 = llvm.extractvalue %o0[13] : !s
  %i0x14 = llvm.extractvalue %o0[14] : !s
  %i0x15 = llvm.extractvalue %o0[15] : !s
  %i0x16 = llvm.extractvalue %o0[16] : !s
  %i0x17 = llvm.extractvalue %o0[17] : !s
  %i0x18 = llvm.extractvalue %o0[18] : !s
  %i0x19 = llvm.extractvalue %o0[19] : !s
  %i0x20 = llvm.extractvalue %o0[20] : !s
  %i0x21 = llvm.extractvalue %o0[21] : !s
  %i0x22 = llvm.extractvalue %o0[22] : !s
  %i0x23 = llvm.extractvalue %o0[23] : !s
  %i0x24 = llvm.extractvalue %o0[24] : !s
  %i0x25 = llvm.extractvalue %o0[25] : !s
  %i0x26 = llvm.extractvalue %o0[26] : !s
  %i0x27 = llvm.extractvalue %o0[27] : !s
  %i0x28 = llvm.extractvalue %o0[28] : !s
  %i0x29 = llvm.extractvalue %o0[29] : !s
  %i0x30 = llvm.extractvalue %o0[30] : !s
  %i0x31 = llvm.extractvalue %o0[31] : !s
  %n0 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$64, $65, $66, $67}, $68, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,r,r,r,r,l" %i0x0, %i0x1, %i0x2, %i0x3, %i0x4, %i0x5, %i0x6, %i0x7, %i0x8, %i0x9, %i0x10, %i0x11, %i0x12, %i0x13, %i0x14, %i0x15, %i0x16, %i0x17, %i0x18, %i0x19, %i0x20, %i0x21, %i0x22, %i0x23, %i0x24, %i0x25, %i0x26, %i0x27, %i0x28, %i0x29, %i0x30, %i0x31, %w0, %w1, %w2, %w3, %v0 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i64) -> !s
  %i1x0 = llvm.extractvalue %n0[0] : !s
  %i1x1 = llvm.extractvalue %n0[1] : !s
  %i1x2 = llvm.extractvalue %n0[2] : !s
  %i1x3 = llvm.extractvalue %n0[3] : !s
  %i1x4 = llvm.extractvalue %n0[4] : !s
  %i1x5 = llvm.extractvalue %n0[5] : !s
  %i1x6 = llvm.extractvalue %n0[6] : !s
  %i1x7 = llvm.extractvalue %n0[7] : !s
  %i1x8 = llvm.extractvalue %n0[8] : !s
  %i1x9 = llvm.extractvalue %n0[9] : !s
  %i1x10 = llvm.extractvalue %n0[10] : !s
  %i1x11 = llvm.extractvalue %n0[11] : !s
  %i1x12 = llvm.extractvalue %n0[12] : !s
  %i1x13 = llvm.extractvalue %n0[13] : !s
  %i1x14 = llvm.extractvalue %n0[14] : !s
  %i1x15 = llvm.extractvalue %n0[15] : !s
  %i1x16 = llvm.extractvalue %n0[16] : !s
  %i1x17 = llvm.extractvalue %n0[17] : !s
  %i1x18 = llvm.extractvalue %n0[18] : !s
  %i1x19 = llvm.extractvalue %n0[19] : !s
  %i1x20 = llvm.extractvalue %n0[20] : !s
  %i1x21 = llvm.extractvalue %n0[21] : !s
  %i1x22 = llvm.extractvalue %n0[22] : !s
  %i1x23 = llvm.extractvalue %n0[23] : !s
  %i1x24 = llvm.extractvalue %n0[24] : !s
  %i1x25 = llvm.extractvalue %n0[25] : !s
  %i1x26 = llvm.extractvalue %n0[26] : !s
  %i1x27 = llvm.extractvalue %n0[27] : !s
  %i1x28 = llvm.extractvalue %n0[28] : !s
  %i1x29 = llvm.extractvalue %n0[29] : !s
  %i1x30 = llvm.extractvalue %n0[30] : !s
  %i1x31 = llvm.extractvalue %n0[31] : !s
  %n1 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$64, $65, $66, $67}, $68, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,r,r,r,r,l" %i1x0, %i1x1, %i1x2, %i1x3, %i1x4, %i1x5, %i1x6, %i1x7, %i1x8, %i1x9, %i1x10, %i1x11, %i1x12, %i1x13, %i1x14, %i1x15, %i1x16, %i1x17, %i1x18, %i1x19, %i1x20, %i1x21, %i1x22, %i1x23, %i1x24, %i1x25, %i1x26, %i1x27, %i1x28, %i1x29, %i1x30, %i1x31, %w4, %w5, %w6, %w7, %v1 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i64) -> !s
  %i2x0 = llvm.extractvalue %n1[0] : !s
  %i2x1 = llvm.extractvalue %n1[1] : !s
  %i2x2 = llvm.extractvalue %n1[2] : !s
  %i2x3 = llvm.extractvalue %n1[3] : !s
  %i2x4 = llvm.extractvalue %n1[4] : !s
  %i2x5 = llvm.extractvalue %n1[5] : !s
  %i2x6 = llvm.extractvalue %n1[6] : !s
  %i2x7 = llvm.extractvalue %n1[7] : !s
  %i2x8 = llvm.extractvalue %n1[8] : !s
  %i2x9 = llvm.extractvalue %n1[9] : !s
  %i2x10 = llvm.extractvalue %n1[10] : !s
  %i2x11 = llvm.extractvalue %n1[11] : !s
  %i2x12 = llvm.extractvalue %n1[12] : !s
  %i2x13 = llvm.extractvalue %n1[13] : !s
  %i2x14 = llvm.extractvalue %n1[14] : !s
  %i2x15 = llvm.extractvalue %n1[15] : !s
  %i2x16 = llvm.extractvalue %n1[16] : !s
  %i2x17 = llvm.extractvalue %n1[17] : !s
  %i2x18 = llvm.extractvalue %n1[18] : !s
  %i2x19 = llvm.extractvalue %n1[19] : !s
  %i2x20 = llvm.extractvalue %n1[20] : !s
  %i2x21 = llvm.extractvalue %n1[21] : !s
  %i2x22 = llvm.extractvalue %n1[22] : !s
  %i2x23 = llvm.extractvalue %n1[23] : !s
  %i2x24 = llvm.extractvalue %n1[24] : !s
  %i2x25 = llvm.extractvalue %n1[25] : !s
  %i2x26 = llvm.extractvalue %n1[26] : !s
  %i2x27 = llvm.extractvalue %n1[27] : !s
  %i2x28 = llvm.extractvalue %n1[28] : !s
  %i2x29 = llvm.extractvalue %n1[29] : !s
  %i2x30 = llvm.extractvalue %n1[30] : !s
  %i2x31 = llvm.extractvalue %n1[31] : !s
  %n2 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$64, $65, $66, $67}, $68, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,r,r,r,r,l" %i2x0, %i2x1, %i2x2, %i2x3, %i2x4, %i2x5, %i2x6, %i2x7, %i2x8, %i2x9, %i2x10, %i2x11, %i2x12, %i2x13, %i2x14, %i2x15, %i2x16, %i2x17, %i2x18, %i2x19, %i2x20, %i2x21, %i2x22, %i2x23, %i2x24, %i2x25, %i2x26, %i2x27, %i2x28, %i2x29, %i2x30, %i2x31, %w8, %w9, %w10, %w11, %v2 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i64) -> !s
  %i3x0 = llvm.extractvalue %n2[0] : !s
  %i3x1 = llvm.extractvalue %n2[1] : !s
  %i3x2 = llvm.extractvalue %n2[2] : !s
  %i3x3 = llvm.extractvalue %n2[3] : !s
  %i3x4 = llvm.extractvalue %n2[4] : !s
  %i3x5 = llvm.extractvalue %n2[5] : !s
  %i3x6 = llvm.extractvalue %n2[6] : !s
  %i3x7 = llvm.extractvalue %n2[7] : !s
  %i3x8 = llvm.extractvalue %n2[8] : !s
  %i3x9 = llvm.extractvalue %n2[9] : !s
  %i3x10 = llvm.extractvalue %n2[10] : !s
  %i3x11 = llvm.extractvalue %n2[11] : !s
  %i3x12 = llvm.extractvalue %n2[12] : !s
  %i3x13 = llvm.extractvalue %n2[13] : !s
  %i3x14 = llvm.extractvalue %n2[14] : !s
  %i3x15 = llvm.extractvalue %n2[15] : !s
  %i3x16 = llvm.extractvalue %n2[16] : !s
  %i3x17 = llvm.extractvalue %n2[17] : !s
  %i3x18 = llvm.extractvalue %n2[18] : !s
  %i3x19 = llvm.extractvalue %n2[19] : !s
  %i3x20 = llvm.extractvalue %n2[20] : !s
  %i3x21 = llvm.extractvalue %n2[21] : !s
  %i3x22 = llvm.extractvalue %n2[22] : !s
  %i3x23 = llvm.extractvalue %n2[23] : !s
  %i3x24 = llvm.extractvalue %n2[24] : !s
  %i3x25 = llvm.extractvalue %n2[25] : !s
  %i3x26 = llvm.extractvalue %n2[26] : !s
  %i3x27 = llvm.extractvalue %n2[27] : !s
  %i3x28 = llvm.extractvalue %n2[28] : !s
  %i3x29 = llvm.extractvalue %n2[29] : !s
  %i3x30 = llvm.extractvalue %n2[30] : !s
  %i3x31 = llvm.extractvalue %n2[31] : !s
  %n3 = llvm.inline_asm has_side_effects asm_dialect = att "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$64, $65, $66, $67}, $68, p, 1, 1, 1; }", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,r,r,r,r,l" %i3x0, %i3x1, %i3x2, %i3x3, %i3x4, %i3x5, %i3x6, %i3x7, %i3x8, %i3x9, %i3x10, %i3x11, %i3x12, %i3x13, %i3x14, %i3x15, %i3x16, %i3x17, %i3x18, %i3x19, %i3x20, %i3x21, %i3x22, %i3x23, %i3x24, %i3x25, %i3x26, %i3x27, %i3x28, %i3x29, %i3x30, %i3x31, %w12, %w13, %w14, %w15, %v3 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i64) -> !s
  nvvm.wgmma.commit.group.sync.aligned
  %lastx0 = llvm.extractvalue %n3[0] : !s
  %lastx1 = llvm.extractvalue %n3[1] : !s
  %lastx2 = llvm.extractvalue %n3[2] : !s
  %lastx3 = llvm.extractvalue %n3[3] : !s
  %lastx4 = llvm.extractvalue %n3[4] : !s
  %lastx5 = llvm.extractvalue %n3[5] : !s
  %lastx6 = llvm.extractvalue %n3[6] : !s
  %lastx7 = llvm.extractvalue %n3[7] : !s
  %lastx8 = llvm.extractvalue %n3[8] : !s
  %lastx9 = llvm.extractvalue %n3[9] : !s
  %lastx10 = llvm.extractvalue %n3[10] : !s
  %lastx11 = llvm.extractvalue %n3[11] : !s
  %lastx12 = llvm.extractvalue %n3[12] : !s
  %lastx13 = llvm.extractvalue %n3[13] : !s
  %lastx14 = llvm.extractvalue %n3[14] : !s
  %lastx15 = llvm.extractvalue %n3[15] : !s
  %lastx16 = llvm.extractvalue %n3[16] : !s
  %lastx17 = llvm.extractvalue %n3[17] : !s
  %lastx18 = llvm.extractvalue %n3[18] : !s
  %lastx19 = llvm.extractvalue %n3[19] : !s
  %lastx20 = llvm.extractvalue %n3[20] : !s
  %lastx21 = llvm.extractvalue %n3[21] : !s
  %lastx22 = llvm.extractvalue %n3[22] : !s
  %lastx23 = llvm.extractvalue %n3[23] : !s
  %lastx24 = llvm.extractvalue %n3[24] : !s
  %lastx25 = llvm.extractvalue %n3[25] : !s
  %lastx26 = llvm.extractvalue %n3[26] : !s
  %lastx27 = llvm.extractvalue %n3[27] : !s
  %lastx28 = llvm.extractvalue %n3[28] : !s
  %lastx29 = llvm.extractvalue %n3[29] : !s
  %lastx30 = llvm.extractvalue %n3[30] : !s
  %lastx31 = llvm.extractvalue %n3[31] : !s
  %last = llvm.inline_asm has_side_effects asm_dialect = att "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,~{memory}" %lastx0, %lastx1, %lastx2, %lastx3, %lastx4, %lastx5, %lastx6, %lastx7, %lastx8, %lastx9, %lastx10, %lastx11, %lastx12, %lastx13, %lastx14, %lastx15, %lastx16, %lastx17, %lastx18, %lastx19, %lastx20, %lastx21, %lastx22, %lastx23, %lastx24, %lastx25, %lastx26, %lastx27, %lastx28, %lastx29, %lastx30, %lastx31 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> !s
  %five = llvm.mlir.constant(5 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %rowLength = llvm.mlir.constant(64 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %warp = llvm.lshr %t, %five : i32
  %quad = llvm.lshr %t, %two : i32
  %member = llvm.and %t, %three : i32
  %group = llvm.and %quad, %seven : i32
  %warpRow = llvm.mul %warp, %sixteen : i32
  %row = llvm.add %warpRow, %group : i32
  %rowBegin = llvm.mul %row, %rowLength : i32
  %column = llvm.mul %member, %two : i32
  %at = llvm.add %rowBegin, %column : i32
  %out = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %r0 = llvm.extractvalue %last[0] : !s
  %to0 = llvm.getelementptr %out[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r0, %to0 : f32, !llvm.ptr<1>
  %r1 = llvm.extractvalue %last[1] : !s
  %to1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r1, %to1 : f32, !llvm.ptr<1>
  %r2 = llvm.extractvalue %last[2] : !s
  %to2 = llvm.getelementptr %out[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r2, %to2 : f32, !llvm.ptr<1>
  %r3 = llvm.extractvalue %last[3] : !s
  %to3 = llvm.getelementptr %out[513] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r3, %to3 : f32, !llvm.ptr<1>
  %r4 = llvm.extractvalue %last[4] : !s
  %to4 = llvm.getelementptr %out[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r4, %to4 : f32, !llvm.ptr<1>
  %r5 = llvm.extractvalue %last[5] : !s
  %to5 = llvm.getelementptr %out[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r5, %to5 : f32, !llvm.ptr<1>
  %r6 = llvm.extractvalue %last[6] : !s
  %to6 = llvm.getelementptr %out[520] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r6, %to6 : f32, !llvm.ptr<1>
  %r7 = llvm.extractvalue %last[7] : !s
  %to7 = llvm.getelementptr %out[521] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r7, %to7 : f32, !llvm.ptr<1>
  %r8 = llvm.extractvalue %last[8] : !s
  %to8 = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r8, %to8 : f32, !llvm.ptr<1>
  %r9 = llvm.extractvalue %last[9] : !s
  %to9 = llvm.getelementptr %out[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r9, %to9 : f32, !llvm.ptr<1>
  %r10 = llvm.extractvalue %last[10] : !s
  %to10 = llvm.getelementptr %out[528] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r10, %to10 : f32, !llvm.ptr<1>
  %r11 = llvm.extractvalue %last[11] : !s
  %to11 = llvm.getelementptr %out[529] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r11, %to11 : f32, !llvm.ptr<1>
  %r12 = llvm.extractvalue %last[12] : !s
  %to12 = llvm.getelementptr %out[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r12, %to12 : f32, !llvm.ptr<1>
  %r13 = llvm.extractvalue %last[13] : !s
  %to13 = llvm.getelementptr %out[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r13, %to13 : f32, !llvm.ptr<1>
  %r14 = llvm.extractvalue %last[14] : !s
  %to14 = llvm.getelementptr %out[536] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r14, %to14 : f32, !llvm.ptr<1>
  %r15 = llvm.extractvalue %last[15] : !s
  %to15 = llvm.getelementptr %out[537] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r15, %to15 : f32, !llvm.ptr<1>
  %r16 = llvm.extractvalue %last[16] : !s
  %to16 = llvm.getelementptr %out[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r16, %to16 : f32, !llvm.ptr<1>
  %r17 = llvm.extractvalue %last[17] : !s
  %to17 = llvm.getelementptr %out[33] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r17, %to17 : f32, !llvm.ptr<1>
  %r18 = llvm.extractvalue %last[18] : !s
  %to18 = llvm.getelementptr %out[544] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r18, %to18 : f32, !llvm.ptr<1>
  %r19 = llvm.extractvalue %last[19] : !s
  %to19 = llvm.getelementptr %out[545] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r19, %to19 : f32, !llvm.ptr<1>
  %r20 = llvm.extractvalue %last[20] : !s
  %to20 = llvm.getelementptr %out[40] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r20, %to20 : f32, !llvm.ptr<1>
  %r21 = llvm.extractvalue %last[21] : !s
  %to21 = llvm.getelementptr %out[41] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r21, %to21 : f32, !llvm.ptr<1>
  %r22 = llvm.extractvalue %last[22] : !s
  %to22 = llvm.getelementptr %out[552] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r22, %to22 : f32, !llvm.ptr<1>
  %r23 = llvm.extractvalue %last[23] : !s
  %to23 = llvm.getelementptr %out[553] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r23, %to23 : f32, !llvm.ptr<1>
  %r24 = llvm.extractvalue %last[24] : !s
  %to24 = llvm.getelementptr %out[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r24, %to24 : f32, !llvm.ptr<1>
  %r25 = llvm.extractvalue %last[25] : !s
  %to25 = llvm.getelementptr %out[49] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r25, %to25 : f32, !llvm.ptr<1>
  %r26 = llvm.extractvalue %last[26] : !s
  %to26 = llvm.getelementptr %out[560] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r26, %to26 : f32, !llvm.ptr<1>
  %r27 = llvm.extractvalue %last[27] : !s
  %to27 = llvm.getelementptr %out[561] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r27, %to27 : f32, !llvm.ptr<1>
  %r28 = llvm.extractvalue %last[28] : !s
  %to28 = llvm.getelementptr %out[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r28, %to28 : f32, !llvm.ptr<1>
  %r29 = llvm.extractvalue %last[29] : !s
  %to29 = llvm.getelementptr %out[57] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r29, %to29 : f32, !llvm.ptr<1>
  %r30 = llvm.extractvalue %last[30] : !s
  %to30 = llvm.getelementptr %out[568] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r30, %to30 : f32, !llvm.ptr<1>
  %r31 = llvm.extractvalue %last[31] : !s
  %to31 = llvm.getelementptr %out[569] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %r31, %to31 : f32, !llvm.ptr<1>
  llvm.return
}
