/*===- fsm-compiled.h - Compiled kernels as values ----------------*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef FSM_C_FSM_COMPILED_H
#define FSM_C_FSM_COMPILED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a launch has to know of a kernel, and its code. libfsm makes such values (fsmCompile in
 * fsm-c/fsm.h), `fsm-run --emit=header` writes them down, and libfsm-runtime launches them
 * (fsm-c/fsm-runtime.h). */

/* One argument, in the words of the language. */
typedef struct FsmCompiledArgument {
  const char *name;      /* without the `%` */
  const char *type;      /* "f32" and its like: of the scalar, or of what the pointer points to */
  const char *promise;   /* of the kernel's author: "", or "16", "one" and others joined by "+" */
  uint32_t pointerDepth; /* 0 for a scalar */
  uint32_t reserved;
} FsmCompiledArgument;

/* Runs one program on the CPU. `arguments` has one pointer to each value; `ids` the program's x, y
 * and z and the grid's; `scratch` is scratchBytes bytes, aligned to 64. */
typedef void (*FsmHostFunction)(const void *const *arguments, const int32_t *ids, char *scratch);

/* The code for one target, and how it is launched. */
typedef struct FsmCompiledCode {
  const char *target; /* "cpu", "sm_90a" and their like */
  /* What must hold of the arguments: a word for each as in FsmCompiledArgument, with commas between
   * them; "": nothing. */
  const char *facts;
  const unsigned char *image; /* what the driver loads, with a zero behind it; null for the CPU */
  uint64_t imageBytes;        /* without the zero */
  FsmHostFunction function;   /* null for a GPU, and of an object that is not linked yet */
  const char *instructions;   /* of the CPU: "x86-64-v3" and its like; "" for a GPU */
  /* What the kernel takes behind its arguments: names with commas between them. */
  const char *hiddenArguments;
  uint64_t scratchBytes; /* of one program on the CPU */
  uint32_t numWarps;     /* of one program on a GPU, in each of its CTAs */
  uint32_t programsPerCta;
  uint32_t sharedBytes; /* of one CTA */
  uint32_t numCtas;     /* of one program; more than 1 are a cluster, 0 is 1 */
} FsmCompiledCode;

/* A kernel with its code for some targets. It and what it points to stay where they are, unchanged,
 * as long as a device that has launched it is open, or until fsmCompiledUnload. */
typedef struct FsmCompiledKernel {
  const char *name; /* without the `@` */
  const FsmCompiledArgument *arguments;
  const FsmCompiledCode *codes;
  uint32_t argumentCount;
  uint32_t codeCount;
  uint32_t contractVersion;
  uint32_t overlapsLaunches; /* 1 where code for GPUs from sm_90 on waits for the launches before
                                it, so that a launch may begin earlier */
} FsmCompiledKernel;

#ifdef __cplusplus
}
#endif

#endif /* FSM_C_FSM_COMPILED_H */
