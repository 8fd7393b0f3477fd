//===- Control.cpp - Branches, calls and ends ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

void executeBranch(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  warp.branch(instruction, lanes);
}

/// brx.idx: the index must name one of the table's labels.
void executeTable(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const Operand &index = instruction.operands[0];
  warp.requireDefined(index, lanes, "an index into branch targets");
  Values values = warp.read(index, 0);
  std::map<uint32_t, uint32_t> groups;
  forLanes(lanes, [&](unsigned lane) {
    uint64_t chosen = values[lane] & 0xffffffff;
    if (chosen >= instruction.targets.size()) {
      warp.block.report(warp, Report::Kind::OutOfBounds, lane, 0,
                        "takes branch target " + std::to_string(chosen) + " of a table of " +
                            std::to_string(instruction.targets.size()));
      chosen = instruction.targets.size() - 1;
    }
    groups[instruction.targets[chosen]] |= uint32_t(1) << lane;
  });
  warp.branchTo(instruction, groups);
}

/// Copies parameters or results of a call within each thread's local memory;
/// the list holds from, to and bytes of each.
void copyLocal(Warp &warp, const Operand &list, uint32_t lanes) {
  Block &block = warp.block;
  forLanes(lanes, [&](unsigned lane) {
    uint64_t base = block.localBase(warp, lane);
    for (size_t index = 0; index < list.elements.size(); index += 3) {
      uint64_t from = base + list.elements[index].bits, to = base + list.elements[index + 1].bits;
      uint64_t bytes = list.elements[index + 2].bits;
      std::memcpy(&block.local[to], &block.local[from], bytes);
      std::memcpy(&block.localInitialized[to], &block.localInitialized[from], bytes);
    }
  });
}

/// call (results), function, (parameters); linking has made two lists of it.
void executeCall(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  copyLocal(warp, instruction.operands[0], lanes);
  warp.call(instruction, lanes);
}

void executeReturn(Warp &warp, const Instruction &, uint32_t lanes) {
  if (uint32_t site = warp.callSite(); site != kNowhere)
    copyLocal(warp, warp.block.instruction(site).operands[1], lanes);
  warp.leaveFunction(lanes);
}

void executeExit(Warp &warp, const Instruction &, uint32_t lanes) { warp.exit(lanes); }
void executeNothing(Warp &, const Instruction &, uint32_t) {}

void executeTrap(Warp &warp, const Instruction &, uint32_t lanes) {
  warp.block.report(warp, Report::Kind::Trap, static_cast<unsigned>(__builtin_ctz(lanes)), 0,
                    "the kernel trapped");
  warp.block.abort();
}

/// A call copies as many bytes as the callee has.
void checkValues(const Decoder &decoder, const Function &callee, const Operand *list,
                 const std::vector<Variable> &formal) {
  const size_t count = list ? list->elements.size() : 0;
  if (count != formal.size())
    fail(decoder.instruction.position, "expected " + std::to_string(formal.size()) +
                                           " values in the call of '" + callee.name + "', got " +
                                           std::to_string(count));
  for (size_t index = 0; index < count; ++index) {
    const Operand &value = list->elements[index];
    const uint64_t bytes = decoder.function.variables[value.index].bytes;
    if (bytes != formal[index].bytes)
      fail(value.position, "expected a variable of " + std::to_string(formal[index].bytes) +
                               " bytes for '" + formal[index].name + "' of '" + callee.name +
                               "', got " + std::to_string(bytes));
  }
}

/// call (results), function, (parameters)
void decodeCall(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const std::vector<Operand> &operands = instruction.operands;
  const size_t name = !operands.empty() && operands[0].kind == Operand::Kind::List;
  const bool hasArguments = operands.size() == name + 2;
  if ((operands.size() != name + 1 && !hasArguments) ||
      operands[name].kind != Operand::Kind::Name ||
      (hasArguments && operands[name + 1].kind != Operand::Kind::List))
    decoder.unsupported("a form other than 'call (results), function, (parameters)'");
  for (const Operand &list : operands)
    for (const Operand &value : list.elements)
      if (value.kind != Operand::Kind::Variable || value.index == kNowhere || value.offset ||
          decoder.function.variables[value.index].space != Space::Local)
        fail(value.position, "expected a '.param' variable of the body in a call");
  instruction.execute = executeCall;
  auto found = decoder.program.functions.find(operands[name].name);
  if (found == decoder.program.functions.end())
    return; // Linking refuses it, if a kernel comes there.
  const Function &callee = found->second;
  if (callee.isEntry)
    fail(instruction.position, "call of '" + callee.name + "', which is a kernel");
  checkValues(decoder, callee, hasArguments ? &operands[name + 1] : nullptr, callee.parameters);
  checkValues(decoder, callee, name ? &operands[0] : nullptr, callee.results);
}

/// setmaxnreg.inc and .dec: all warps of a group of four execute it, and the count is one that there
/// is. Who waits for registers is nothing that is simulated.
void executeRegisterCount(Warp &warp, const Instruction &instruction, uint32_t) {
  if (warp.gatherAll())
    warp.block.setRegisters(warp, static_cast<uint32_t>(instruction.operands[0].bits));
}

/// griddepcontrol.wait: the launches before this one have ended, of which one runs at a time here.
void executeLaunchWait(Warp &warp, const Instruction &, uint32_t lanes) { warp.awaited |= lanes; }

/// griddepcontrol.wait and .launch_dependents.
void decodeLaunchControl(Decoder &decoder) {
  decoder.expectOperands(0, 0);
  bool isWait = decoder.needOneOf("what to do", {"wait", "launch_dependents"}) == 0;
  decoder.instruction.execute = isWait ? executeLaunchWait : executeNothing;
}

void decodeRegisterCount(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  decoder.needOneOf("what to do", {"inc", "dec"});
  for (const char *needed : {"sync", "aligned", "u32"})
    if (!decoder.take(needed))
      decoder.unsupported("the form without '." + std::string(needed) + "'");
  decoder.expectOperands(1, 1);
  const Operand &count = instruction.operands[0];
  if (count.kind != Operand::Kind::Integer || count.bits < 24 || count.bits > 256 || count.bits % 8)
    fail(count.position, "expected a number of registers from 24 to 256, a multiple of 8");
  instruction.execute = executeRegisterCount;
}

} // namespace

bool sim::decodeControl(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const std::string &opcode = instruction.opcode;
  if (opcode == "brx") {
    if (!decoder.take("idx"))
      decoder.unsupported("a form other than 'brx.idx'");
    decoder.ignore({"uni"});
    instruction.execute = executeTable;
  } else if (opcode == "bra") {
    decoder.ignore({"uni"});
    instruction.execute = executeBranch;
  } else if (opcode == "call") {
    decoder.ignore({"uni"});
    decodeCall(decoder);
  } else if (opcode == "ret") {
    decoder.ignore({"uni"});
    instruction.execute = executeReturn;
  } else if (opcode == "exit") {
    instruction.execute = executeExit;
  } else if (opcode == "trap" || opcode == "brkpt") {
    instruction.execute = executeTrap;
  } else if (opcode == "nanosleep") {
    decoder.ignore({"u32"});
    decoder.immediates(Type::B32, 0);
    instruction.execute = executeNothing;
  } else if (opcode == "setmaxnreg") {
    decodeRegisterCount(decoder);
  } else if (opcode == "griddepcontrol") {
    decodeLaunchControl(decoder);
  } else if (opcode == "discard" || opcode == "prefetch" || opcode == "prefetchu") {
    decoder.ignore({"global", "local", "L1", "L2", "uniform", "tensormap", "param", "const",
                    "L2::evict_last", "L2::evict_normal"});
    instruction.execute = executeNothing;
  } else {
    return false;
  }
  return true;
}
