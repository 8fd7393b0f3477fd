/*===- fsm.h - Compile and launch kernels from C -----------------*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef FSM_C_FSM_H
#define FSM_C_FSM_H

#include "fsm-c/fsm-compiled.h"
#include "fsm-c/fsm-status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every call keeps to:
 *
 * - A text is a pointer and a length in bytes and needs no zero behind it. One of length 0 may have a
 *   null pointer. A text that the library gives has a zero behind it as well, and lives as long as
 *   the handle that it was asked of.
 * - A handle (FsmEngine *, ...) is the caller's, to be given to its function *Destroy once; that of a
 *   null pointer does nothing. A kernel keeps its engine: they may be destroyed in any order.
 * - The caller's memory stays the caller's. The library keeps no pointer to it after a call.
 * - A call that can fail gives a status. If that is not FSM_OK, what it would have made is null, and
 *   `error`, unless it is null, gets an error that is the caller's, else null.
 * - Calls may come from any threads. A handle may be destroyed when no other call uses it.
 */

/* The version of this header. A library that gives the same number for fsmVersion has all that is
 * declared here; numbers only rise, and what was declared once stays as it is. */
#define FSM_API_VERSION 7

FSM_API uint32_t fsmVersion(void);

typedef struct FsmChoice FsmChoice;
typedef struct FsmChooser FsmChooser;
typedef struct FsmCode FsmCode;
typedef struct FsmEngine FsmEngine;
typedef struct FsmError FsmError;
typedef struct FsmEvent FsmEvent;
typedef struct FsmKernel FsmKernel;
typedef struct FsmMemory FsmMemory;
typedef struct FsmPrepared FsmPrepared;
typedef struct FsmStream FsmStream;
typedef struct FsmText FsmText;

/*===----------------------------------------------------------------------===*\
|* Errors
\*===----------------------------------------------------------------------===*/

enum { FSM_SEVERITY_ERROR = 0, FSM_SEVERITY_WARNING = 1, FSM_SEVERITY_REMARK = 2, FSM_SEVERITY_NOTE = 3 };

/* One thing that there is to say. A note belongs to what stands before it. */
typedef struct FsmDiagnostic {
  int32_t severity; /* FSM_SEVERITY_... */
  uint32_t line;    /* from 1; 0 where there is no place */
  uint32_t column;  /* from 1; 0 where there is no place */
  uint32_t reserved;
  const char *file; /* as the source was named; may be empty */
  size_t fileLength;
  const char *sentence; /* lower case, without a full stop */
  size_t sentenceLength;
} FsmDiagnostic;

FSM_API FsmStatus fsmErrorStatus(const FsmError *error);
/* The whole error as the tools print it: lines `FILE:LINE:COLUMN: error: SENTENCE`. */
FSM_API const char *fsmErrorText(const FsmError *error, size_t *length);
/* The first diagnostic is an error. There is at least one. */
FSM_API size_t fsmErrorCount(const FsmError *error);
/* Fills `diagnostic` with zeros when there is no such one. */
FSM_API void fsmErrorGet(const FsmError *error, size_t index, FsmDiagnostic *diagnostic);
FSM_API void fsmErrorDestroy(FsmError *error);

/*===----------------------------------------------------------------------===*\
|* Compiling
\*===----------------------------------------------------------------------===*/

/* A kernel's text. A file name that ends in `.ttir` says that it is Triton's IR. */
typedef struct FsmSource {
  const char *text;
  size_t textLength;
  const char *fileName; /* where errors are located; empty: `<source>` */
  size_t fileNameLength;
  const char *const *parameters; /* strings `NAME=VALUE`, each with a zero behind it */
  size_t parameterCount;
} FsmSource;

/* The text of a stage of the compile of one kernel, without a device: "source", as it was read or
 * imported, "fsm", "gpu", "llvmir", "ptx", "contract" (JSON) and the others that
 * `fsm-run --emit=STAGE` prints.
 *
 * `options` are strings `KEY=VALUE`, each with a zero behind it. The keys are those of
 * `fsm-opt --fsm-gpu-pipeline`, such as "target=sm_90a", "kernel=NAME", "num-warps=4",
 * "arguments=16+noalias,one,". */
FSM_API FsmStatus fsmEmit(const FsmSource *source, const char *const *options, size_t optionCount,
                          const char *stage, size_t stageLength, FsmText **text, FsmError **error);
FSM_API const char *fsmTextData(const FsmText *text, size_t *length);
/* What there was to say besides errors. */
FSM_API size_t fsmTextDiagnosticCount(const FsmText *text);
FSM_API void fsmTextDiagnostic(const FsmText *text, size_t index, FsmDiagnostic *diagnostic);
FSM_API void fsmTextDestroy(FsmText *text);

/* Since version 5. One kernel's code and launch contract as a value, made without a device: to be
 * kept, sent and launched by libfsm-runtime, or by a launcher of the caller's own. `form` is "ptx",
 * "cubin", which is what ptxas of a CUDA toolkit makes of that, where there is one, or "object",
 * which the target "cpu" has; "" is "ptx" or "object". Code is for what the option "arguments" says
 * is known, and without it for any arguments. A kernel that prints or asserts is refused: nobody
 * would hear of it. */
FSM_API FsmStatus fsmCompile(const FsmSource *source, const char *const *options,
                             size_t optionCount, const char *form, size_t formLength,
                             FsmCode **code, FsmError **error);
/* PTX, a cubin, or a relocatable object of the host, which needs no symbol but the functions of C's
 * mathematics. */
FSM_API const void *fsmCodeImage(const FsmCode *code, size_t *length);
/* The function to look for in it. That of an object is of the type FsmHostFunction, and its name
 * differs from those of other texts and options, so that they may be linked together. */
FSM_API const char *fsmCodeSymbol(const FsmCode *code, size_t *length);
/* The contract, which lives as long as the handle. That of an object has the function null: to
 * launch it, one makes a copy of the kernel and of its code with the function that was linked. */
FSM_API const FsmCompiledKernel *fsmCodeKernel(const FsmCode *code);
/* What there was to say besides errors. */
FSM_API size_t fsmCodeDiagnosticCount(const FsmCode *code);
FSM_API void fsmCodeDiagnostic(const FsmCode *code, size_t index, FsmDiagnostic *diagnostic);
FSM_API void fsmCodeDestroy(FsmCode *code);

/*===----------------------------------------------------------------------===*\
|* Engines and kernels
\*===----------------------------------------------------------------------===*/

/* Opens "cpu", "interp", "sim", "cuda" or "cuda:N"; "" opens a GPU if there is one, and else the CPU. */
FSM_API FsmStatus fsmEngineCreate(const char *device, size_t deviceLength, FsmEngine **engine,
                                  FsmError **error);
/* The same in a context of the caller (CUcontext), who keeps it as long as the engine and all that is
 * made with it; null: the primary context of the GPU, which frameworks share. */
FSM_API FsmStatus fsmEngineCreateInContext(const char *device, size_t deviceLength, void *context,
                                           FsmEngine **engine, FsmError **error);
/* "cuda:0" and its like. */
FSM_API const char *fsmEngineDevice(const FsmEngine *engine, size_t *length);
/* What its kernels are compiled for: "cpu", "sm_90a" and their like. */
FSM_API const char *fsmEngineTarget(const FsmEngine *engine, size_t *length);
FSM_API void fsmEngineDestroy(FsmEngine *engine);

/* Reads and checks a source and picks one kernel of it. Code is generated by the first launch, for
 * what is known of its arguments: alignments, sizes, which buffers overlap. With the option
 * "arguments=..." it is what that says; an empty word for each argument says that nothing is known. */
FSM_API FsmStatus fsmKernelLoad(FsmEngine *engine, const FsmSource *source,
                                const char *const *options, size_t optionCount, FsmKernel **kernel,
                                FsmError **error);
FSM_API const char *fsmKernelName(const FsmKernel *kernel, size_t *length);
FSM_API void fsmKernelDestroy(FsmKernel *kernel);

/* What a kernel takes. */
typedef struct FsmParameter {
  const char *name; /* without the `%` */
  size_t nameLength;
  const char *type; /* "f32" and its like: of the scalar, or of what the pointer points to */
  size_t typeLength;
  uint32_t pointerDepth; /* 0 for a scalar */
  int32_t isOutput;      /* the kernel writes what it points to, and never reads it */
} FsmParameter;

FSM_API size_t fsmKernelParameterCount(const FsmKernel *kernel);
/* Fills `parameter` with zeros when there is no such one. */
FSM_API void fsmKernelParameter(const FsmKernel *kernel, size_t index, FsmParameter *parameter);
/* Since version 7. Whether it is a pointer through which the kernel never writes, so that memory that may not be
 * written will do; 0 when there is no such one. */
FSM_API int32_t fsmKernelParameterIsInput(const FsmKernel *kernel, size_t index);

/*===----------------------------------------------------------------------===*\
|* Launching
\*===----------------------------------------------------------------------===*/

enum {
  FSM_HOST_BUFFER = 0,   /* memory of the host; copied to a GPU and back */
  FSM_DEVICE_BUFFER = 1, /* memory of the GPU, by its address there */
  FSM_INTEGER = 2,
  FSM_REAL = 3
};

/* The size of a buffer that the caller does not know. Taken on the CPU, and of memory of a GPU. */
#define FSM_UNKNOWN_SIZE UINT64_MAX

/* The value of one argument; the members that its kind does not name are ignored. */
typedef struct FsmArgument {
  int32_t kind; /* FSM_HOST_BUFFER, ... */
  int32_t reserved;
  uint64_t address; /* of a buffer */
  uint64_t bytes;   /* of a buffer: what the kernel may touch; interp and sim see to it */
  int64_t integer;  /* converted to the kernel's type, which must hold it */
  double real;      /* rounded to the kernel's type */
} FsmArgument;

/* Gets a line that the kernel prints. It must not call the library. */
typedef void (*FsmPrintLine)(void *user, const char *line, size_t length);

typedef struct FsmLaunchOptions {
  FsmPrintLine print; /* null: lines go to standard error */
  void *user;
  uint32_t printRecords; /* lines that are kept; 0: 65536 */
  int32_t allowsRaces;   /* 0: interp and sim report accesses of two programs that race */
} FsmLaunchOptions;

/* A kernel, and arguments like those of launches to come. */
typedef struct FsmCompileRequest {
  FsmKernel *kernel;
  const FsmArgument *arguments;
  size_t argumentCount;
} FsmCompileRequest;

/* Since version 2. Generates code as the first launches of these kernels of one engine would, on all
 * cores of the machine; it is that which one after the other would give. All are compiled even if
 * some fail: the error is that of the first which did. */
FSM_API FsmStatus fsmCompileAll(const FsmCompileRequest *requests, size_t requestCount,
                                FsmError **error);

/* Since version 3. Fills `grid` with the x, y and z of the grid that the kernel states, for these
 * arguments of a launch. A kernel that states none is bad input. */
FSM_API FsmStatus fsmKernelGrid(const FsmKernel *kernel, const FsmArgument *arguments,
                                size_t argumentCount, int32_t *grid, FsmError **error);

/* Runs a kernel with x * y * z programs and returns when it is done. `options` may be null. */
FSM_API FsmStatus fsmLaunch(FsmKernel *kernel, int32_t x, int32_t y, int32_t z,
                            const FsmArgument *arguments, size_t argumentCount,
                            const FsmLaunchOptions *options, FsmError **error);

/*===----------------------------------------------------------------------===*\
|* Values of parameters
\*===----------------------------------------------------------------------===*/

/* Since version 5. Chooses values for the parameters of a source that have a domain and no value in
 * `source`, by a model of the GPU's times: nothing is run. The GPU is the engine's, which is not
 * kept, or, where `engine` is null, that of the option "target". The kernel states its grid. What
 * is planned for arguments is remembered for others of which the same is known, and calls for a
 * chooser may come from any threads. */
FSM_API FsmStatus fsmChooserCreate(const FsmEngine *engine, const FsmSource *source,
                                   const char *const *options, size_t optionCount,
                                   FsmChooser **chooser, FsmError **error);
/* The values that are predicted to take the least time for arguments like these. */
FSM_API FsmStatus fsmChooserChoose(FsmChooser *chooser, const FsmArgument *arguments,
                                   size_t argumentCount, FsmChoice **choice, FsmError **error);
FSM_API void fsmChooserDestroy(FsmChooser *chooser);
/* All parameters with their values, `NAME=VALUE`, as FsmSource::parameters takes them. */
FSM_API const char *const *fsmChoiceParameters(const FsmChoice *choice, size_t *count);
/* The time that is predicted of a launch. */
FSM_API double fsmChoiceSeconds(const FsmChoice *choice);
/* Fills `grid` with the x, y and z of the grid that the kernel states for them. */
FSM_API void fsmChoiceGrid(const FsmChoice *choice, int32_t *grid);
FSM_API void fsmChoiceDestroy(FsmChoice *choice);

/*===----------------------------------------------------------------------===*\
|* Launching on memory of the device
\*===----------------------------------------------------------------------===*/

/* Prepares launches that copy nothing, of arguments like these: the kinds and sizes stay, the values
 * may change. Code is generated for what is known of them. A kernel that prints or asserts is
 * refused: nobody would hear of it. One thread uses it at a time; each may have its own. */
FSM_API FsmStatus fsmPrepare(FsmKernel *kernel, const FsmArgument *arguments, size_t argumentCount,
                             FsmPrepared **prepared, FsmError **error);
/* Queues a launch on a stream (CUstream) of the engine's context, null for its default one. `values`
 * has the bits of each argument in the low bytes, the others are ignored: an address on the device, an
 * integer, or a float in the format of its type. On cpu, interp and sim the launch is done on return.
 * While the driver records a graph of that stream, the launch becomes part of it. */
FSM_API FsmStatus fsmPreparedLaunch(FsmPrepared *prepared, int32_t x, int32_t y, int32_t z,
                                    const uint64_t *values, size_t valueCount, void *stream,
                                    FsmError **error);
/* Generates code for values, as their first launch of many programs would. */
FSM_API FsmStatus fsmPreparedWarmUp(FsmPrepared *prepared, const uint64_t *values,
                                    size_t valueCount, FsmError **error);
/* The same as a launch of that grid would. Kernels of blocks of 16384 elements or more may have other
 * code where there are few programs. */
FSM_API FsmStatus fsmPreparedWarmUpGrid(FsmPrepared *prepared, int32_t x, int32_t y, int32_t z,
                                        const uint64_t *values, size_t valueCount, FsmError **error);
FSM_API void fsmPreparedDestroy(FsmPrepared *prepared);

/* Memory and streams of a GPU, for callers that have none of their own. */
FSM_API FsmStatus fsmMemoryCreate(FsmEngine *engine, uint64_t bytes, FsmMemory **memory,
                                  FsmError **error);
FSM_API uint64_t fsmMemoryAddress(const FsmMemory *memory);
/* Bytes to the memory from an offset on, or from there; they wait for the streams made here. */
FSM_API FsmStatus fsmMemoryWrite(FsmMemory *memory, uint64_t offset, const void *from,
                                 uint64_t bytes, FsmError **error);
FSM_API FsmStatus fsmMemoryRead(const FsmMemory *memory, uint64_t offset, void *to, uint64_t bytes,
                                FsmError **error);
FSM_API void fsmMemoryDestroy(FsmMemory *memory);
FSM_API FsmStatus fsmStreamCreate(FsmEngine *engine, FsmStream **stream, FsmError **error);
/* The driver's handle (CUstream). */
FSM_API void *fsmStreamHandle(const FsmStream *stream);
/* Waits for all that was queued; its error, if any of it had one. */
FSM_API FsmStatus fsmStreamSynchronize(const FsmStream *stream, FsmError **error);
FSM_API void fsmStreamDestroy(FsmStream *stream);

/* Since version 4: a moment in a stream of a GPU. `stream` is a CUstream of the engine's context, null for its
 * default one, or a fsmStreamHandle. */
FSM_API FsmStatus fsmEventCreate(FsmEngine *engine, FsmEvent **event, FsmError **error);
/* The driver's handle (CUevent). */
FSM_API void *fsmEventHandle(const FsmEvent *event);
/* The moment is when all that the stream has got up to now is done. */
FSM_API FsmStatus fsmEventRecord(const FsmEvent *event, void *stream, FsmError **error);
/* What the stream gets from now on begins when the moment has come. */
FSM_API FsmStatus fsmEventHoldUp(const FsmEvent *event, void *stream, FsmError **error);
/* Waits for the moment; the error of what was in front of it, if any of it had one. */
FSM_API FsmStatus fsmEventSynchronize(const FsmEvent *event, FsmError **error);
/* Waits for `end` and says how many seconds it is behind `begin`; both have been recorded. */
FSM_API FsmStatus fsmEventSeconds(const FsmEvent *begin, const FsmEvent *end, double *seconds,
                                  FsmError **error);
FSM_API void fsmEventDestroy(FsmEvent *event);

#ifdef __cplusplus
}
#endif

#endif /* FSM_C_FSM_H */
