//===- Stream.cpp - Work in order, and its time ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/Stream.h"

#include <utility>

using namespace fsm;
using namespace fsm::cuda;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Result<Stream> Stream::create(const Device &device) {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  StreamHandle stream = nullptr;
  if (int result = device.driver().streamCreate(&stream, /*flags=*/0); result != kSuccess)
    return device.driver().errorOf(result, "make a stream");
  return Stream(device, stream);
}

Stream::Stream(Stream &&other) noexcept
    : owner(other.owner), stream(std::exchange(other.stream, nullptr)) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  std::swap(owner, other.owner);
  std::swap(stream, other.stream);
  return *this;
}

Stream::~Stream() {
  if (!stream)
    return;
  ContextScope scope(owner);
  owner.driver().streamDestroy(stream);
}

Result<void> Stream::synchronize() const {
  ContextScope scope(owner);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  return owner.driver().check(owner.driver().streamSynchronize(stream), "finish the launch");
}

Result<void> Stream::fill(const Memory &memory, uint8_t value) const {
  if (memory.bytes() == 0)
    return {};
  ContextScope scope(owner);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  const Driver &driver = owner.driver();
  return driver.check(driver.memsetD8Async(memory.address(), value, memory.bytes(), stream),
                      "fill memory of the device");
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Result<Event> Event::create(const Device &device) {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  EventHandle event = nullptr;
  if (int result = device.driver().eventCreate(&event, /*flags=*/0); result != kSuccess)
    return device.driver().errorOf(result, "make an event");
  return Event(device, event);
}

Event::Event(Event &&other) noexcept
    : device(other.device), event(std::exchange(other.event, nullptr)) {}

Event &Event::operator=(Event &&other) noexcept {
  std::swap(device, other.device);
  std::swap(event, other.event);
  return *this;
}

Event::~Event() {
  if (!event)
    return;
  ContextScope scope(device);
  device.driver().eventDestroy(event);
}

Result<void> Event::record(StreamHandle stream) const {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  return device.driver().check(device.driver().eventRecord(event, stream), "record an event");
}

Result<void> Event::synchronize() const {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  return device.driver().check(device.driver().eventSynchronize(event), "wait for an event");
}

Result<void> Event::holdUp(StreamHandle stream) const {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  return device.driver().check(device.driver().streamWaitEvent(stream, event, /*flags=*/0),
                               "let a stream wait for an event");
}

Result<double> Event::secondsBetween(const Event &begin, const Event &end) {
  const Driver &driver = end.device.driver();
  ContextScope scope(end.device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  if (int result = driver.eventSynchronize(end.event); result != kSuccess)
    return driver.errorOf(result, "wait for an event");
  float milliseconds = 0;
  if (int result = driver.eventElapsedTime(&milliseconds, begin.event, end.event);
      result != kSuccess)
    return driver.errorOf(result, "read the time between two events");
  return double(milliseconds) * 1e-3;
}
