/*===- fsm-runtime.h - Launch kernels that were compiled before ---*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef FSM_C_FSM_RUNTIME_H
#define FSM_C_FSM_RUNTIME_H

#include "fsm-c/fsm-compiled.h"
#include "fsm-c/fsm-status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* libfsm-runtime launches what `fsm-run --emit=header` has made of a kernel. It has no compiler in
 * it and needs nothing but, for a GPU, NVIDIA's driver, which it looks for when a GPU is asked for.
 *
 * - Calls may come from any threads. A device is closed when no other call uses it.
 * - What a call gives is unchanged when it fails. Its status says why, and fsmRuntimeError the
 *   sentence.
 */

/* The version of this header. A library that gives the same number for fsmRuntimeVersion has all
 * that is declared here; numbers only rise, and what was declared once stays as it is. */
#define FSM_RUNTIME_VERSION 3

FSM_API uint32_t fsmRuntimeVersion(void);

/* The error of this thread's last call that failed: a sentence behind `error: `, notes in lines of
 * their own. It lives until another call of this thread fails; "" in front of the first. */
FSM_API const char *fsmRuntimeError(void);

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

typedef struct FsmDevice FsmDevice;

/* How many devices "cuda" or "sim" has; 0 where there is no driver. Of "cpu" there is 1. */
FSM_API FsmStatus fsmDeviceCount(const char *name, int32_t *count);
/* Opens "cpu", "cuda", "cuda:N", "sim" or "sim:N"; "" opens a GPU if there is one, and else the
 * CPU. `context` is a context of the caller (CUcontext), who keeps it as long as the device; null:
 * the primary context of the GPU, which frameworks share. */
FSM_API FsmStatus fsmDeviceOpen(const char *name, void *context, FsmDevice **device);
/* "cpu", "cuda:0" and their like; lives as long as the device. */
FSM_API const char *fsmDeviceName(const FsmDevice *device);
/* Returns when all launches are done; their error, if one had any. */
FSM_API FsmStatus fsmDeviceSynchronize(FsmDevice *device);
/* Gives up its memory and the code that was loaded on it. Null is no device. */
FSM_API void fsmDeviceClose(FsmDevice *device);

/* Memory of a device, for callers that have none of their own; of the CPU it is memory of the host.
 * It begins at a multiple of 256 bytes. No bytes are no memory: the address is null. */
FSM_API FsmStatus fsmDeviceAllocate(FsmDevice *device, uint64_t bytes, void **address);
/* Null is no memory. */
FSM_API FsmStatus fsmDeviceFree(FsmDevice *device, void *address);
/* Copies from the host to any part of memory that fsmDeviceAllocate gave, or from there. Copies
 * wait for the launches on the default stream. */
FSM_API FsmStatus fsmDeviceWrite(FsmDevice *device, void *to, const void *from, uint64_t bytes);
FSM_API FsmStatus fsmDeviceRead(FsmDevice *device, void *to, const void *from, uint64_t bytes);

/* Copies between any parts of memory of two devices, or of one, and waits. */
FSM_API FsmStatus fsmDeviceCopy(FsmDevice *toDevice, void *to, FsmDevice *fromDevice, const void *from,
                                uint64_t bytes);

/* A stream of a GPU (CUstream), for callers that have none of their own; it is destroyed before the
 * device is closed. On the CPU the stream is null. */
FSM_API FsmStatus fsmDeviceStreamCreate(FsmDevice *device, void **stream);
FSM_API FsmStatus fsmDeviceStreamSynchronize(FsmDevice *device, void *stream);
FSM_API FsmStatus fsmDeviceStreamDestroy(FsmDevice *device, void *stream);

/*===----------------------------------------------------------------------===*\
|* Compiled kernels
\*===----------------------------------------------------------------------===*/

/* Queues a launch of x * y * z programs on a stream (CUstream) of the device's context, null for its
 * default one. `values` has the bits of each argument in the low bytes, the others are ignored: an
 * address on the device, an integer, or a float in the format of its type.
 *
 * The code is the best for the device whose facts hold; it is loaded by the first launch that needs
 * it. On the CPU and the simulator, where there is no stream, the launch is done on return. */
FSM_API FsmStatus fsmCompiledLaunch(const FsmCompiledKernel *kernel, FsmDevice *device, void *stream,
                                    int32_t x, int32_t y, int32_t z, const uint64_t *values);
/* Loads all code of a kernel that launches on the device may need: a launch loads none any more, as
 * is needed while the driver records a graph. */
FSM_API FsmStatus fsmCompiledLoad(const FsmCompiledKernel *kernel, FsmDevice *device);
/* Since version 2. Gives up what a device keeps of a kernel, which may be changed or freed then:
 * another may lie at the same address. Its launches are done, and no other call uses it on this
 * device. */
FSM_API FsmStatus fsmCompiledUnload(const FsmCompiledKernel *kernel, FsmDevice *device);
/* The target of the code that a launch with these values runs; null if there is none, with an error. */
FSM_API const char *fsmCompiledTarget(const FsmCompiledKernel *kernel, FsmDevice *device,
                                      const uint64_t *values);

#ifdef __cplusplus
}
#endif

#endif /* FSM_C_FSM_RUNTIME_H */
