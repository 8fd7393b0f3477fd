//===- RegisterFile.h - A thread's registers by number ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_REGISTERFILE_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_REGISTERFILE_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// The values of all registers of a thread; null where it holds nothing.
using RegisterFile = SmallVector<Value>;

/// A vector of the live registers of a layout as a file, and back.
RegisterFile unpack(DeviceProgram &program, Value source, const LinearLayout &layout);
Value pack(DeviceProgram &program, const RegisterFile &file, const LinearLayout &layout);

/// Some value of a file that has one.
Value anyOf(ArrayRef<Value> file);

/// The file in which register r has what register r ^ s had, where s is linear in the
/// thread: the exclusive or of the columns for the set bits of its lane and warp. One
/// layer of selections for each dimension of the space of all s.
RegisterFile exchange(DeviceProgram &program, RegisterFile file,
                      const std::vector<uint64_t> &byLane, const std::vector<uint64_t> &byWarp);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_REGISTERFILE_H
