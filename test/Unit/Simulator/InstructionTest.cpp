//===- InstructionTest.cpp - Single instructions against known answers -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

#include <cmath>
#include <cstring>

using namespace fsm::sim;

namespace {

/// Runs `body`, which leaves its result in %r0 (32 bits), with a in %r1, b in
/// %r2 and c in %r3, on one lane.
uint32_t run(const std::string &body, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0) {
  SimulatedKernel kernel(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 y, .param .u32 a, .param .u32 b, .param .u32 c) {\n"
      ".reg .b64 %d<4>; .reg .b32 %r<9>; .reg .b16 %h<5>; .reg .pred %p<4>; .reg .f64 %q<4>;\n"
      "ld.param.u64 %d0, [y]; ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b];\n"
      "ld.param.u32 %r3, [c];\n" +
      body + "\nst.global.u32 [%d0], %r0; ret; }");
  uint64_t y = kernel.uninitialized(16);
  for (uint32_t value : {a, b, c})
    kernel.scalar(value);
  EXPECT_EQ(kernel.run("k", {}, {1}).str(), "") << body;
  return kernel.read<uint32_t>(y, 1)[0];
}

uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

TEST(Instruction, integers) {
  EXPECT_EQ(run("mul.hi.s32 %r0, %r1, %r2;", -3u, 5), 0xffffffffu);
  EXPECT_EQ(run("mul.hi.u32 %r0, %r1, %r2;", -3u, 5), 4u);
  EXPECT_EQ(run("mad.lo.s32 %r0, %r1, %r2, %r3;", -3u, 5, 7), uint32_t(-8));
  EXPECT_EQ(run("div.s32 %r0, %r1, %r2;", -7u, 2), uint32_t(-3));
  EXPECT_EQ(run("rem.s32 %r0, %r1, %r2;", -7u, 2), uint32_t(-1));
  EXPECT_EQ(run("div.s32 %r0, %r1, %r2;", 0x80000000, -1u), 0x80000000u);
  EXPECT_EQ(run("add.sat.s32 %r0, %r1, %r2;", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(run("min.s32 %r0, %r1, %r2;", -1u, 1), uint32_t(-1));
  EXPECT_EQ(run("min.u32 %r0, %r1, %r2;", -1u, 1), 1u);
  EXPECT_EQ(run("abs.s32 %r0, %r1;", -5u), 5u);
  EXPECT_EQ(run("mul.wide.s32 %d1, %r1, %r2; shr.s64 %d1, %d1, 4; cvt.u32.u64 %r0, %d1;", -32u, 3),
            uint32_t(-6));
}

TEST(Instruction, policies) {
  EXPECT_EQ(run("createpolicy.fractional.L2::evict_first.b64 %d2, 1.0; st.global.L2::cache_hint.u32 [%d0], %r1, %d2;\n"
                "ld.global.L1::evict_first.L2::cache_hint.u32 %r4, [%d0], %d2; add.u32 %r0, %r4, %r2;",
                40, 2),
            42u);
}

TEST(Instruction, bits) {
  EXPECT_EQ(run("shl.b32 %r0, %r1, %r2;", 1, 40), 0u);
  EXPECT_EQ(run("shr.s32 %r0, %r1, %r2;", 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(run("bfe.s32 %r0, %r1, 4, 4;", 0xf0), 0xffffffffu);
  EXPECT_EQ(run("bfe.u32 %r0, %r1, 4, 8;", 0xabcd), 0xbcu);
  EXPECT_EQ(run("bfi.b32 %r0, %r1, %r2, 8, 4;", 0x5, 0xffffffff), 0xfffff5ffu);
  EXPECT_EQ(run("prmt.b32 %r0, %r1, %r2, 0x7610;", 0x33221100, 0x77665544), 0x77661100u);
  EXPECT_EQ(run("prmt.b32 %r0, %r1, %r2, 0x0008;", 0x33221180, 0), 0x808080ffu);
  EXPECT_EQ(run("popc.b32 %r0, %r1;", 0xf0f1), 9u);
  EXPECT_EQ(run("clz.b32 %r0, %r1;", 1), 31u);
  EXPECT_EQ(run("brev.b32 %r0, %r1;", 1), 0x80000000u);
  EXPECT_EQ(run("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 0xff00, 0x0ff0, 0x1), 0xf0f1u);
  EXPECT_EQ(run("shf.l.wrap.b32 %r0, %r1, %r2, 8;", 0x12345678, 0xabcdef01), 0xcdef0112u);
}

TEST(Instruction, conversions) {
  EXPECT_EQ(run("cvt.rni.s32.f32 %r0, %r1;", bits(2.5f)), 2u);
  EXPECT_EQ(run("cvt.rzi.s32.f32 %r0, %r1;", bits(-2.5f)), uint32_t(-2));
  EXPECT_EQ(run("cvt.rmi.s32.f32 %r0, %r1;", bits(-2.5f)), uint32_t(-3));
  EXPECT_EQ(run("cvt.rpi.f32.f32 %r0, %r1;", bits(2.1f)), bits(3));
  EXPECT_EQ(run("cvt.rzi.s32.f32 %r0, %r1;", bits(1e20f)), 0x7fffffffu);
  EXPECT_EQ(run("cvt.rzi.u32.f32 %r0, %r1;", bits(NAN)), 0u);
  EXPECT_EQ(run("cvt.rn.f32.s32 %r0, %r1;", 16777217), bits(16777216));
  EXPECT_EQ(run("cvt.rp.f32.s32 %r0, %r1;", 16777217), bits(16777218));
  EXPECT_EQ(run("cvt.sat.f32.f32 %r0, %r1;", bits(1.5f)), bits(1));
  EXPECT_EQ(run("cvt.s32.s8 %r0, %r1;", 0x1ff), 0xffffffffu);
  EXPECT_EQ(run("cvt.sat.u8.s32 %r0, %r1;", 300), 255u);
  EXPECT_EQ(run("cvt.rzi.s8.f32 %h1, %r1; cvt.s32.s16 %r0, %h1;", bits(-300.f)), uint32_t(-128));
  EXPECT_EQ(run("cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, 0x34561278;", 300, -5), 0x12787ffbu);
  EXPECT_EQ(run("cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, 0;", 300, -5), 0xff00u);
  EXPECT_EQ(run("cvt.rn.f16.f32 %h1, %r1; cvt.u32.u16 %r0, %h1;", bits(65520.f)), 0x7c00u);
  EXPECT_EQ(run("cvt.rz.f16.f32 %h1, %r1; cvt.u32.u16 %r0, %h1;", bits(65520.f)), 0x7bffu);
  EXPECT_EQ(run("cvt.rn.bf16x2.f32 %r0, %r1, %r2;", bits(1), bits(-2)), 0x3f80c000u);
  EXPECT_EQ(run("cvt.f64.f32 %q1, %r1; add.f64 %q1, %q1, 0d3FF0000000000000; "
                "cvt.rn.f32.f64 %r0, %q1;",
                bits(2)),
            bits(3));
}

TEST(Instruction, floats) {
  EXPECT_EQ(run("fma.rn.f32 %r0, %r1, %r2, %r3;", bits(3), bits(4), bits(5)), bits(17));
  EXPECT_EQ(run("div.full.f32 %r0, %r1, %r2;", bits(3), bits(4)), bits(0.75f));
  EXPECT_EQ(run("add.rp.f32 %r0, %r1, %r2;", bits(1), bits(1e-20f)),
            bits(std::nextafter(1.f, 2.f)));
  EXPECT_EQ(run("add.rz.f32 %r0, %r1, %r2;", bits(1), bits(-1e-20f)),
            bits(std::nextafter(1.f, 0.f)));
  EXPECT_EQ(run("max.f32 %r0, %r1, %r2;", bits(NAN), bits(4)), bits(4));
  EXPECT_EQ(run("max.NaN.f32 %r0, %r1, %r2;", bits(NAN), bits(4)), 0x7fffffffu);
  EXPECT_EQ(run("min.f32 %r0, %r1, %r2;", bits(0.f), bits(-0.f)), bits(-0.f));
  EXPECT_EQ(run("add.ftz.f32 %r0, %r1, %r2;", 1, 1), 0u);
  EXPECT_EQ(run("ex2.approx.ftz.f32 %r0, %r1;", bits(5)), bits(32));
  EXPECT_EQ(run("lg2.approx.f32 %r0, %r1;", bits(8)), bits(3));
  EXPECT_EQ(run("rsqrt.approx.f32 %r0, %r1;", bits(4)), bits(0.5f));
  EXPECT_EQ(run("tanh.approx.f32 %r0, %r1;", bits(100)), bits(1));
  EXPECT_EQ(run("copysign.f32 %r0, %r1, %r2;", bits(-1), bits(4)), bits(-4));
  EXPECT_EQ(run("add.sat.f32 %r0, %r1, %r2;", bits(3), bits(4)), bits(1));
  EXPECT_EQ(run("neg.bf16x2 %r0, %r1;", 0x3f803f80), 0xbf80bf80u);
  EXPECT_EQ(run("add.rn.f16x2 %r0, %r1, %r2;", 0x3c003c00, 0x40003c00), 0x42004000u);
}

TEST(Instruction, comparisons) {
  EXPECT_EQ(run("setp.lt.s32 %p1, %r1, %r2; selp.b32 %r0, 1, 2, %p1;", -1u, 1), 1u);
  EXPECT_EQ(run("setp.lo.u32 %p1, %r1, %r2; selp.b32 %r0, 1, 2, %p1;", -1u, 1), 2u);
  EXPECT_EQ(run("setp.ltu.f32 %p1, %r1, %r2; selp.b32 %r0, 1, 2, %p1;", bits(NAN), 0), 1u);
  EXPECT_EQ(run("setp.ne.f32 %p1, %r1, %r2; selp.b32 %r0, 1, 2, %p1;", bits(NAN), 0), 2u);
  EXPECT_EQ(run("setp.eq.s32 %p1|%p2, %r1, 5; setp.ne.and.s32 %p3, %r1, 5, %p2; "
                "selp.b32 %r0, 1, 2, %p3;",
                6),
            1u);
  EXPECT_EQ(run("set.gt.u32.s32 %r0, %r1, %r2;", 3, 2), 0xffffffffu);
  EXPECT_EQ(run("slct.b32.s32 %r0, %r1, %r2, %r3;", 3, 2, -1u), 2u);
  EXPECT_EQ(run("testp.infinite.f32 %p1, %r1; selp.b32 %r0, 1, 2, %p1;", bits(INFINITY)), 1u);
}

TEST(Instruction, packedIntegers) {
  EXPECT_EQ(run("add.u16x2 %r0, %r1, %r2;", 0x0001ffff, 0x00020001), 0x00030000u);
  EXPECT_EQ(run("add.sat.s16x2 %r0, %r1, %r2;", 0x7fff8000, 0x0001ffff), 0x7fff8000u);
  EXPECT_EQ(run("min.s16x2 %r0, %r1, %r2;", 0x00018000, 0xffff0001), 0xffff8000u);
  EXPECT_EQ(run("max.u16x2 %r0, %r1, %r2;", 0x00018000, 0xffff0001), 0xffff8000u);
  EXPECT_EQ(run("max.relu.s16x2 %r0, %r1, %r2;", 0xfffe0005, 0xfffffffe), 0x00000005u);
  EXPECT_EQ(run("min.relu.s32 %r0, %r1, %r2;", -4u, 3), 0u);
}

TEST(Instruction, dotProducts) {
  EXPECT_EQ(run("dp4a.u32.u32 %r0, %r1, %r2, %r3;", 0xff020304, 0xff010203, 1), 65046u);
  EXPECT_EQ(run("dp4a.s32.u32 %r0, %r1, %r2, %r3;", 0xff000000, 0xff000000, 0), uint32_t(-255));
  EXPECT_EQ(run("dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;", 0xffff0003, 0x00000504, 1), 8u);
  EXPECT_EQ(run("dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", 0xffff0003, 0x05040000, 1), 8u);
  EXPECT_EQ(run("mul24.lo.s32 %r0, %r1, %r2;", 0x00ffffff, 5), uint32_t(-5));
  EXPECT_EQ(run("mad24.lo.u32 %r0, %r1, %r2, %r3;", 0xff000003, 5, 2), 17u);
}

TEST(Instruction, eightBitFloats) {
  EXPECT_EQ(run("cvt.rn.satfinite.relu.e5m2x2.f32 %h1, %r1, %r2; cvt.u32.u16 %r0, %h1;", bits(-1),
                bits(1e9f)),
            0x007bu);
  EXPECT_EQ(run("cvt.u16.u32 %h1, %r1; cvt.rn.f16x2.e4m3x2 %r0, %h1;", 0x387e), 0x3c005f00u);
}

TEST(Instruction, atomics) {
  const std::string shared = ".shared .u32 s; st.shared.u32 [s], %r1; ";
  const std::string load = " ld.shared.u32 %r0, [s];";
  EXPECT_EQ(run(shared + "atom.shared.inc.u32 %r4, [s], %r2;" + load, 5, 5), 0u);
  EXPECT_EQ(run(shared + "atom.shared.dec.u32 %r4, [s], %r2;" + load, 0, 5), 5u);
  EXPECT_EQ(run(shared + "atom.shared.cas.b32 %r4, [s], %r2, %r3;" + load, 4, 4, 9), 9u);
  EXPECT_EQ(run(shared + "atom.shared.exch.b32 %r0, [s], %r2;", 4, 6), 4u);
  EXPECT_EQ(run(shared + "red.shared.min.s32 [s], %r2;" + load, 4, -6u), uint32_t(-6));
  EXPECT_EQ(run(shared + "red.shared.add.noftz.f16x2 [s], %r2;" + load, 0x3c003c00, 0x40003c00),
            0x42004000u);
}

/// Each element is updated by itself.
TEST(Instruction, atomicsOfVectors) {
  const std::string memory = "st.global.v4.u32 [%d0], {%r1, %r2, %r3, %r1}; ";
  auto added = [&](const std::string &rest) { return run(memory + rest, bits(1), bits(2), bits(3)); };
  const std::string four = "atom.global.gpu.acq_rel.add.v4.f32 {%r4, %r5, %r6, %r7}, [%d0], {%r1, %r1, %r1, %r2}; ";
  EXPECT_EQ(added(four + "ld.global.u32 %r0, [%d0];"), bits(2));
  EXPECT_EQ(added(four + "ld.global.u32 %r0, [%d0+8];"), bits(4));
  EXPECT_EQ(added(four + "ld.global.u32 %r0, [%d0+12];"), bits(3));
  EXPECT_EQ(added(four + "mov.u32 %r0, %r6;"), bits(3));
  EXPECT_EQ(added("red.relaxed.gpu.global.add.v2.f32 [%d0+8], {%r2, %r3}; ld.global.u32 %r0, [%d0+12];"), bits(4));
  EXPECT_EQ(run(memory + "red.global.max.noftz.v2.f16x2 [%d0], {%r2, %r3}; ld.global.u32 %r0, [%d0+4];", 0, 0x3c00c000,
                0x40003c00),
            0x40003c00u);
}

/// 1 + 2^-11 is as near to 1 as to 1 + 2^-10.
TEST(Instruction, conversionsToTf32) {
  EXPECT_EQ(run("cvt.rna.tf32.f32 %r0, %r1;", 0x3f801000), 0x3f802000u);
  EXPECT_EQ(run("cvt.rna.tf32.f32 %r0, %r1;", 0x3f800fff), 0x3f800000u);
  EXPECT_EQ(run("cvt.rn.tf32.f32 %r0, %r1;", 0x3f801000), 0x3f800000u);
  EXPECT_EQ(run("cvt.rn.tf32.f32 %r0, %r1;", 0x3f803000), 0x3f804000u);
  EXPECT_EQ(run("cvt.rz.tf32.f32 %r0, %r1;", 0xbf803fff), 0xbf802000u);
  EXPECT_EQ(run("cvt.rn.relu.tf32.f32 %r0, %r1;", 0xbf803fff), 0u);
  EXPECT_EQ(run("cvt.rna.tf32.f32 %r0, %r1;", 0x7f7fffff), 0x7f800000u);
  EXPECT_EQ(run("cvt.rna.satfinite.tf32.f32 %r0, %r1;", 0xff7fffff), 0xff7fe000u);
  EXPECT_EQ(run("cvt.rna.tf32.f32 %r0, %r1;", 0xffc00001), 0x7fffffffu);
}

TEST(Instruction, atomicsWithOrderAndScope) {
  const std::string shared = ".shared .align 8 .u64 s; mov.b64 %d1, {%r1, %r2}; "
                             "st.shared.u64 [s], %d1; ";
  const std::string low = " ld.shared.u32 %r0, [s];", high = " ld.shared.u32 %r0, [s+4];";
  for (const char *order : {"relaxed", "acquire", "release", "acq_rel"})
    for (const char *scope : {"cta", "gpu", "sys"}) {
      std::string atom = std::string("atom.") + order + "." + scope + ".shared.";
      EXPECT_EQ(run(shared + atom + "add.u32 %r4, [s], 7;" + low, 5, 5), 12u);
    }
  const std::string head = "atom.acq_rel.gpu.shared.";
  EXPECT_EQ(run(shared + head + "add.u64 %d2, [s], 1;" + high, ~0u, 4), 5u);
  EXPECT_EQ(run(shared + head + "max.s64 %d2, [s], 1;" + high, 9, -4u), 0u);
  EXPECT_EQ(run(shared + head + "max.u64 %d2, [s], 1;" + high, 9, -4u), uint32_t(-4));
  EXPECT_EQ(run(shared + head + "cas.b64 %d2, [s], %d1, 3;" + low, 9, 8), 3u);
  EXPECT_EQ(
      run(shared + "cvt.u16.u32 %h1, %r1; " + head + "cas.b16 %h2, [s], %h1, 3;" + low, 0x70009),
      0x70003u);
  EXPECT_EQ(run(shared + "cvt.u16.u32 %h1, %r2; " + head + "add.noftz.f16 %h2, [s], %h1;" + low,
                0x3c00, 0x4000),
            0x4200u);
  EXPECT_EQ(run(shared + "cvt.u16.u32 %h1, %r2; " + head + "add.noftz.bf16 %h2, [s], %h1;" + low,
                0x3f80, 0x4000),
            0x4040u);
  EXPECT_EQ(run(shared + head + "add.f32 %r4, [s], %r1;" + low, bits(1.5f)), bits(3));
  EXPECT_EQ(run(shared + "ld.relaxed.gpu.shared.b32 %r0, [s];", 17), 17u);
}

} // namespace
