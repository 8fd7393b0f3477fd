//===- Control.cpp - Branches, calls and ends ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

void executeBranch(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  warp.branch(instruction, lanes);
}

/// Copies parameters or results of a call within each thread's local memory;
/// the list holds from, to and bytes of each.
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

void copyLocal(Warp &warp, const Operand &list, uint32_t lanes) {
  Block &block = warp.block;
  const uint64_t extent = block.launch.linked.localBytes;
  forLanes(lanes, [&](unsigned lane) {
    uint64_t base = (warp.index * kLanes + lane) * extent;
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
    size_t name =
        !instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::List;
    if (instruction.operands.size() <= name || instruction.operands.size() > name + 2 ||
        instruction.operands[name].kind != Operand::Kind::Name)
      decoder.unsupported("a form other than 'call (results), function, (parameters)'");
    for (const Operand &list : instruction.operands)
      for (const Operand &value : list.elements)
        if (value.kind != Operand::Kind::Variable || value.index == kNowhere || value.offset ||
            decoder.function.variables[value.index].space != Space::Local)
          fail(value.position, "expected a '.param' variable of the body in a call");
    instruction.execute = executeCall;
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
  } else if (opcode == "discard" || opcode == "prefetch" || opcode == "prefetchu" ||
             opcode == "griddepcontrol") {
    decoder.ignore({"global", "local", "L1", "L2", "uniform", "wait", "launch_dependents",
                    "L2::evict_last", "L2::evict_normal"});
    instruction.execute = executeNothing;
  } else {
    return false;
  }
  return true;
}
