//===- Prepared.cpp - Launches on memory of the device, for C -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace fsm;

//===----------------------------------------------------------------------===//
// Prepared launches
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmPrepared>> prepare(FsmKernel *kernel, const FsmArgument *arguments,
                                                    size_t count) {
  if (Result<void> given = checkGiven(kernel, "a kernel"); !given)
    return given.error();
  Result<std::vector<Argument>> converted = argumentsOf(arguments, count);
  if (!converted)
    return converted.error();
  Result<PreparedLaunch> launch = kernel->engine->prepare(kernel->kernel, *converted);
  if (!launch)
    return launch.error();
  return std::unique_ptr<FsmPrepared>(new FsmPrepared{kernel->engine, std::move(*launch)});
}

FsmStatus fsmPrepare(FsmKernel *kernel, const FsmArgument *arguments, size_t argumentCount,
                     FsmPrepared **prepared, FsmError **error) {
  return give(prepare(kernel, arguments, argumentCount), prepared, "a place for a prepared launch",
              error);
}

static Result<void> checkValues(const FsmPrepared *prepared, const uint64_t *values, size_t count) {
  if (Result<void> given = checkGiven(prepared, "a prepared launch"); !given)
    return given;
  size_t expected = prepared->launch.valueCount();
  if (count != expected)
    return badInput("error: expected " + std::to_string(expected) +
                    " values for a prepared launch, got " + std::to_string(count));
  return count == 0 ? Result<void>() : checkGiven(values, "values");
}

FsmStatus fsmPreparedLaunch(FsmPrepared *prepared, int32_t x, int32_t y, int32_t z,
                            const uint64_t *values, size_t valueCount, void *stream,
                            FsmError **error) {
  if (Result<void> checked = checkValues(prepared, values, valueCount); !checked)
    return finish(checked, error);
  return finish(prepared->launch.launch({x, y, z}, values, stream), error);
}

FsmStatus fsmPreparedWarmUp(FsmPrepared *prepared, const uint64_t *values, size_t valueCount,
                            FsmError **error) {
  if (Result<void> checked = checkValues(prepared, values, valueCount); !checked)
    return finish(checked, error);
  return finish(prepared->launch.warmUp(values), error);
}

FsmStatus fsmPreparedWarmUpGrid(FsmPrepared *prepared, int32_t x, int32_t y, int32_t z,
                                const uint64_t *values, size_t valueCount, FsmError **error) {
  if (Result<void> checked = checkValues(prepared, values, valueCount); !checked)
    return finish(checked, error);
  Grid grid{x, y, z};
  return finish(prepared->launch.warmUp(values, &grid), error);
}

void fsmPreparedDestroy(FsmPrepared *prepared) { delete prepared; }

//===----------------------------------------------------------------------===//
// Memory and streams
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmMemory>> allocate(FsmEngine *engine, uint64_t bytes) {
  if (Result<void> given = checkGiven(engine, "an engine"); !given)
    return given.error();
  Result<cuda::Memory> memory = engine->engine->allocate(bytes);
  if (!memory)
    return memory.error();
  return std::unique_ptr<FsmMemory>(new FsmMemory{engine->engine, std::move(*memory)});
}

FsmStatus fsmMemoryCreate(FsmEngine *engine, uint64_t bytes, FsmMemory **memory, FsmError **error) {
  return give(allocate(engine, bytes), memory, "a place for memory", error);
}

uint64_t fsmMemoryAddress(const FsmMemory *memory) { return memory ? memory->memory.address() : 0; }

/// Memory on both sides; no bytes need none on the host's.
static Result<void> checkCopy(const FsmMemory *memory, const void *onHost, uint64_t bytes) {
  Result<void> given = checkGiven(memory, "memory");
  return given && bytes != 0 ? checkGiven(onHost, "memory of the host") : given;
}

FsmStatus fsmMemoryWrite(FsmMemory *memory, uint64_t offset, const void *from, uint64_t bytes,
                         FsmError **error) {
  Result<void> given = checkCopy(memory, from, bytes);
  return finish(given ? memory->memory.copyIn(from, bytes, offset) : given, error);
}

FsmStatus fsmMemoryRead(const FsmMemory *memory, uint64_t offset, void *to, uint64_t bytes,
                        FsmError **error) {
  Result<void> given = checkCopy(memory, to, bytes);
  return finish(given ? memory->memory.copyOut(to, bytes, offset) : given, error);
}

void fsmMemoryDestroy(FsmMemory *memory) { delete memory; }

static Result<std::unique_ptr<FsmStream>> makeStream(FsmEngine *engine) {
  if (Result<void> given = checkGiven(engine, "an engine"); !given)
    return given.error();
  Result<cuda::Stream> stream = engine->engine->makeStream();
  if (!stream)
    return stream.error();
  return std::unique_ptr<FsmStream>(new FsmStream{engine->engine, std::move(*stream)});
}

FsmStatus fsmStreamCreate(FsmEngine *engine, FsmStream **stream, FsmError **error) {
  return give(makeStream(engine), stream, "a place for a stream", error);
}

void *fsmStreamHandle(const FsmStream *stream) { return stream ? stream->stream.handle() : nullptr; }

FsmStatus fsmStreamSynchronize(const FsmStream *stream, FsmError **error) {
  Result<void> given = checkGiven(stream, "a stream");
  return finish(given ? stream->stream.synchronize() : given, error);
}

void fsmStreamDestroy(FsmStream *stream) { delete stream; }

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmEvent>> makeEvent(FsmEngine *engine) {
  if (Result<void> given = checkGiven(engine, "an engine"); !given)
    return given.error();
  Result<cuda::Event> event = engine->engine->makeEvent();
  if (!event)
    return event.error();
  return std::unique_ptr<FsmEvent>(new FsmEvent{engine->engine, std::move(*event)});
}

FsmStatus fsmEventCreate(FsmEngine *engine, FsmEvent **event, FsmError **error) {
  return give(makeEvent(engine), event, "a place for an event", error);
}

void *fsmEventHandle(const FsmEvent *event) { return event ? event->event.handle() : nullptr; }

FsmStatus fsmEventRecord(const FsmEvent *event, void *stream, FsmError **error) {
  Result<void> given = checkGiven(event, "an event");
  return finish(given ? event->event.record(static_cast<cuda::StreamHandle>(stream)) : given,
                error);
}

FsmStatus fsmEventHoldUp(const FsmEvent *event, void *stream, FsmError **error) {
  Result<void> given = checkGiven(event, "an event");
  return finish(given ? event->event.holdUp(static_cast<cuda::StreamHandle>(stream)) : given,
                error);
}

FsmStatus fsmEventSynchronize(const FsmEvent *event, FsmError **error) {
  Result<void> given = checkGiven(event, "an event");
  return finish(given ? event->event.synchronize() : given, error);
}

static Result<void> readSeconds(const FsmEvent *begin, const FsmEvent *end, double *seconds) {
  for (const FsmEvent *event : {begin, end})
    if (Result<void> given = checkGiven(event, "an event"); !given)
      return given;
  if (Result<void> given = checkGiven(seconds, "a place for seconds"); !given)
    return given;
  Result<double> between = cuda::Event::secondsBetween(begin->event, end->event);
  if (!between)
    return between.error();
  *seconds = *between;
  return {};
}

FsmStatus fsmEventSeconds(const FsmEvent *begin, const FsmEvent *end, double *seconds,
                          FsmError **error) {
  return finish(readSeconds(begin, end, seconds), error);
}

void fsmEventDestroy(FsmEvent *event) { delete event; }
