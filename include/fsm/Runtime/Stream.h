//===- Stream.h - Work in order, and its time -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_STREAM_H
#define FSM_RUNTIME_STREAM_H

#include "fsm/Runtime/Memory.h"

namespace fsm::cuda {

/// A queue of work. It waits for the copies of Memory and they wait for it.
class Stream {
public:
  static Result<Stream> create(const Device &device);

  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&other) noexcept;
  ~Stream();

  StreamHandle handle() const { return stream; }
  const Device &device() const { return owner; }

  /// Returns when all work of the queue is done; the error of any of it.
  Result<void> synchronize() const;

  /// Queues writing one byte value over a whole allocation.
  Result<void> fill(const Memory &memory, uint8_t value) const;

private:
  Stream(const Device &device, StreamHandle stream) : owner(device), stream(stream) {}
  Device owner;
  StreamHandle stream;
};

/// A moment in a stream.
class Event {
public:
  static Result<Event> create(const Device &device);

  Event(Event &&other) noexcept;
  Event &operator=(Event &&other) noexcept;
  ~Event();

  EventHandle handle() const { return event; }

  /// The moment is when all work that is in the stream now is done; null is the default one.
  Result<void> record(StreamHandle stream) const;
  Result<void> record(const Stream &stream) const { return record(stream.handle()); }

  /// Returns when the moment has come; the error of any work in front of it.
  Result<void> synchronize() const;

  /// What the stream gets from now on begins when the moment has come.
  Result<void> holdUp(StreamHandle stream) const;

  /// Waits for `end` and returns the seconds from `begin` to it.
  static Result<double> secondsBetween(const Event &begin, const Event &end);

private:
  Event(const Device &device, EventHandle event) : device(device), event(event) {}
  Device device;
  EventHandle event;
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_STREAM_H
