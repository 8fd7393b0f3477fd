//===- StreamsAndEvents.cpp - cuStream... and cuEvent... -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

using namespace fsm;
using namespace fsm::driver;

// All that a stream is given is done at once, so that there is nothing to wait for.

FSM_DRIVER_ENTRY CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return callInContext(
      [&](DriverState &, Context &context) {
        if (!stream || flags > CU_STREAM_NON_BLOCKING)
          return CUDA_ERROR_INVALID_VALUE;
        auto made = std::make_unique<Stream>(Stream{flags});
        *stream = made.get();
        context.streams.emplace(*stream, std::move(made));
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
  return cuStreamCreate(stream, flags);
}

FSM_DRIVER_ENTRY CUresult cuStreamDestroy_v2(CUstream stream) {
  return callInContext([&](DriverState &, Context &context) {
    return context.streams.erase(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

static CUresult checkStream(CUstream stream) {
  return callInContext([&](DriverState &, Context &context) {
    return context.has(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

FSM_DRIVER_ENTRY CUresult cuStreamSynchronize(CUstream stream) { return checkStream(stream); }
FSM_DRIVER_ENTRY CUresult cuStreamQuery(CUstream stream) { return checkStream(stream); }

FSM_DRIVER_ENTRY CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return callInContext([&](DriverState &, Context &context) {
    return context.has(stream) && context.events.count(event) ? CUDA_SUCCESS
                                                              : CUDA_ERROR_INVALID_HANDLE;
  });
}

FSM_DRIVER_ENTRY CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return callInContext(
      [&](DriverState &, Context &context) {
        if (!event || (flags & ~3u))
          return CUDA_ERROR_INVALID_VALUE;
        auto made = std::make_unique<Event>();
        made->isTimed = !(flags & CU_EVENT_DISABLE_TIMING);
        *event = made.get();
        context.events.emplace(*event, std::move(made));
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuEventDestroy_v2(CUevent event) {
  return callInContext([&](DriverState &, Context &context) {
    return context.events.erase(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

FSM_DRIVER_ENTRY CUresult cuEventRecord(CUevent event, CUstream stream) {
  return callInContext([&](DriverState &, Context &context) {
    if (!context.events.count(event) || !context.has(stream))
      return CUDA_ERROR_INVALID_HANDLE;
    event->isRecorded = true;
    event->time = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}

static CUresult checkEvent(CUevent event) {
  return callInContext([&](DriverState &, Context &context) {
    return context.events.count(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

FSM_DRIVER_ENTRY CUresult cuEventSynchronize(CUevent event) { return checkEvent(event); }
FSM_DRIVER_ENTRY CUresult cuEventQuery(CUevent event) { return checkEvent(event); }

/// The host's time between the events: how long the simulation took.
FSM_DRIVER_ENTRY CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return callInContext([&](DriverState &, Context &context) {
    if (!milliseconds)
      return CUDA_ERROR_INVALID_VALUE;
    for (CUevent event : {start, end})
      if (!context.events.count(event) || !event->isTimed || !event->isRecorded)
        return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}
