/*===- DriverControls.h - The simulator behind the CUDA driver's names -- C -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libfsm-simulator.so exports beside the driver's entry points. Callers
// look these up by name (dlsym), as they do the driver's.
//
//===----------------------------------------------------------------------===*/

#ifndef FSM_SIMULATOR_DRIVERCONTROLS_H
#define FSM_SIMULATOR_DRIVERCONTROLS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets one of
 *   multiprocessors            132
 *   compute_capability_major   9
 *   compute_capability_minor   0
 *   devices                    1, at most 16; 0 makes cuInit return CUDA_ERROR_NO_DEVICE
 *   memory_bytes               141 GiB
 *   driver_version             13000
 *   seed                       0; any other number permutes warps and paths
 *   landing                    0; when asynchronous copies land: 1 as early as may
 *                              be, 2 as late, 3 at any time, 0 as the seed has it
 *   leave_out                  0; n leaves out of each kernel its n-th barrier, wait,
 *                              commit, arrival, fence or condition of an access
 *   list_omissions             0; 1 refuses launches with a list of these
 *   global_races               0; 1 reports races in global memory, of the threads of a
 *                              program and of programs, too; 2 two writes of a
 *                              program by one store as well
 *   program_races              1; reports races of programs in global memory, of two
 *                              stores those of different values; 0 does not
 *   allow_races                0; 1 reports no races in global memory at all
 *   max_steps                  2^28 warp instructions per block
 *   threads                    0: as many host threads as there are cores
 *   most_blocks                0; n runs so many CTAs of a larger grid, spread evenly
 *   unwritten                  0; any other number: words of 8 bytes, aligned in the host's
 *                              memory, that hold it count as not written when
 *                              cuMemcpyHtoD copies them, and 4 of its bytes at the end
 *   strict                     1: uninitialised reads, races and divergent
 *                              barriers fail with CUDA_ERROR_LAUNCH_FAILED
 *   fail_call                  0; n makes the n-th call from now fail
 *   programs_per_cta           1; n > 1: each warp of a CTA is a program, and
 *                              reports number programs along x, not CTAs
 *   ctas                       1; n > 1: n CTAs along x are one program, which
 *                              reports name
 *   batch                      1; n > 1: the same threads are n programs, of
 *                              which reports name the first
 * Returns 0, or 1 (CUDA_ERROR_INVALID_VALUE) for an unknown key or a value that
 * is not allowed. The environment variable FSM_SIMULATOR sets the same at the
 * start: "key=value,key=value". */
int fsmSimulatorConfigure(const char *key, long value);

/* What kernels did wrong and why calls were refused, one sentence a line, since
 * the last time this was asked. The text lives until the same thread asks again. */
const char *fsmSimulatorReports(void);

/* Calls the device memory that begins at `base` "argument NAME" in reports; a
 * null or empty name takes the name away. Returns 0, or 1 if none begins there. */
int fsmSimulatorNameArgument(unsigned long long base, const char *name);

/* With 1, launches end that other threads have begun, and fail, as do those to
 * come; with 0 none any more. It waits for nobody. */
void fsmSimulatorStop(int stops);

/* Driver calls since fail_call was set last, or since the start. cuGetErrorName
 * and cuGetErrorString do not count. */
long fsmSimulatorCalls(void);

/* A number of the last launch: warp_instructions, thread_instructions,
 * global_accesses, global_sectors or bank_conflicts; -1 for another name. */
long long fsmSimulatorCounter(const char *name);

/* What the accesses of the last launch to global and to shared memory moved, and what would have
 * sufficed: in all, then by source line and instruction. The text lives until the same thread asks
 * again. */
const char *fsmSimulatorAccesses(void);

#ifdef __cplusplus
}
#endif

#endif /* FSM_SIMULATOR_DRIVERCONTROLS_H */
