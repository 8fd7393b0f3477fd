/* A kernel as a header has it, written by hand: no compiler of FSM's has seen it. Program p multiplies 32 floats of
 * `in` from 32 * p on. What by says which code ran: 2 on the CPU and on a GPU, 3 on a GPU where both pointers are
 * multiples of 64. Two programs share a CTA, so that the last CTA of an odd number has one to spare. */
#ifndef TWICE_H
#define TWICE_H

#include "fsm-c/fsm-runtime.h"

static void twiceOnHost(const void *const *arguments, const int32_t *ids, char *scratch) {
  float *out = *(float *const *)arguments[0];
  const float *in = *(const float *const *)arguments[1];
  for (int32_t i = 32 * ids[0]; i < 32 * ids[0] + 32; ++i) {
    ((float *)scratch)[i % 32] = in[i];
    out[i] = 2 * ((float *)scratch)[i % 32];
  }
}

#define TWICE_PTX(target, factor)                                                                                    \
  ".version 7.0\n.target " target "\n.address_size 64\n"                                                             \
  ".visible .entry twice(.param .u64 p_out, .param .u64 p_in, .param .u32 p_count)\n{\n"                             \
  ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<6>; .reg .f32 %f<3>;\n"                                          \
  "ld.param.u64 %rd1, [p_out];\nld.param.u64 %rd2, [p_in];\nld.param.u32 %r1, [p_count];\n"                          \
  "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmad.lo.u32 %r5, %r3, %r4, %r2;\n"            \
  "shr.u32 %r6, %r5, 5;\nsetp.ge.u32 %p1, %r6, %r1;\n@%p1 ret;\n"                                                    \
  "mul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"                               \
  "ld.global.f32 %f1, [%rd2];\nmul.f32 %f2, %f1, 0f" factor ";\nst.global.f32 [%rd1], %f2;\nret;\n}\n"

static const unsigned char twiceGeneral[] = TWICE_PTX("sm_70", "40000000");
static const unsigned char twiceAligned[] = TWICE_PTX("sm_70", "40400000");

static const FsmCompiledArgument twiceArguments[] = {{"out", "f32", "4", 1, 0}, {"in", "f32", "", 1, 0}};

static const FsmCompiledCode twiceCodes[] = {
    {"sm_70", "64,64", twiceAligned, sizeof(twiceAligned) - 1, NULL, "", "program_count", 0, 1, 2, 0, 0},
    {"cpu", "", NULL, 0, twiceOnHost, "x86-64", "", 128, 0, 0, 0, 0},
    {"sm_70", "", twiceGeneral, sizeof(twiceGeneral) - 1, NULL, "", "program_count", 0, 1, 2, 0, 0},
};

static const FsmCompiledKernel twice = {"twice", twiceArguments, twiceCodes, 2, 3, 9, 0};

#endif
