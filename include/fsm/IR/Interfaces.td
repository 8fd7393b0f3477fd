//===- Interfaces.td - What passes ask of ops --------------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each says once, with the op, what several passes want to know of it, so that a new op
// is known to all of them (docs/decisions/0046-op-interfaces.md).

#ifndef FSM_IR_INTERFACES_TD
#define FSM_IR_INTERFACES_TD

include "mlir/IR/Interfaces.td"

class FSM_Interface<string name, list<Interface> bases = []> : OpInterface<name, bases> {
  let cppNamespace = "::fsm";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def FSM_GlobalAccessInterface : FSM_Interface<"GlobalAccess"> {
  let description = [{
    Reads or writes global memory: a scalar at a pointer, or a block with one element at each
    of its offsets, where the mask allows it.
  }];
  let methods = [
    InterfaceMethod<"The address of the scalar, or of the element with offset 0.",
                    "::mlir::Value", "getPointer">,
    InterfaceMethod<"The block of offsets; null for a scalar.", "::mlir::Value", "getOffsets">,
    InterfaceMethod<"Which elements are accessed; null for all.", "::mlir::Value", "getMask">,
    InterfaceMethod<"The type of what is read or written: a block, or a scalar.",
                    "::mlir::Type", "getAccessedType">,
    InterfaceMethod<"What is written, or combined with memory; null for an op that only reads.",
                    "::mlir::Value", "getValue", (ins), "", "return {};">,
    InterfaceMethod<"Whether it reads memory.", "bool", "reads", (ins), "", "return true;">,
    InterfaceMethod<"Whether it writes to memory.", "bool", "writes", (ins), "", "return false;">,
    InterfaceMethod<"Whether it is neither removed nor moved across its like.",
                    "bool", "getIsVolatile", (ins), "", "return false;">,
    InterfaceMethod<"Whether all accesses behind it come after it.",
                    "bool", "acquires", (ins), "", "return false;">,
    InterfaceMethod<"Whether all accesses in front of it come before it.",
                    "bool", "releases", (ins), "", "return false;">,
  ];
  let extraClassDeclaration = [{
    bool onlyReads() { return !writes(); }
    bool onlyWrites() { return !reads(); }
  }];
}

def FSM_AtomicAccessInterface : FSM_Interface<"AtomicAccess", [FSM_GlobalAccessInterface]> {
  let description = [{
    Reads and writes each element of global memory in one step.
  }];
  let methods = [
    InterfaceMethod<"What memory must hold to be replaced; null for an op that always acts.",
                    "::mlir::Value", "getCompare", (ins), "", "return {};">,
    InterfaceMethod<"What is done to memory; nothing for an op that compares.",
                    "std::optional<::fsm::AtomicKind>", "updateKind", (ins), "",
                    "return std::nullopt;">,
    InterfaceMethod<"Which accesses it orders.", "::fsm::MemorySemantics", "getSem">,
    InterfaceMethod<"Among which threads it is one step.", "::fsm::MemoryScope", "getScope">,
  ];
}

def FSM_SlotCopyInterface : FSM_Interface<"SlotCopy"> {
  let description = [{
    Begins to fill a slot of shared memory. What it brings is on its way until a wait, behind
    which it has arrived.
  }];
  let methods = [
    InterfaceMethod<"The memory that has the slot.", "::mlir::Value", "getShared">,
    InterfaceMethod<"Which slot it is.", "::mlir::Value", "getSlot">,
    InterfaceMethod<"What the hardware arrives at; null for what threads copy themselves.",
                    "::mlir::Value", "getMbarriers">,
    InterfaceMethod<"Whether anything is copied; absent where something always is.",
                    "::mlir::MutableOperandRange", "getConditionMutable">,
  ];
}

def FSM_ThreadBarrierInterface : FSM_Interface<"ThreadBarrier"> {
  let description = [{
    Lets threads meet: accesses to shared memory in front of it, of the threads of its scope, come
    before those behind it.
  }];
  let methods = [
    InterfaceMethod<"Whose threads meet.", "::fsm::ThreadScope", "getScope", (ins), "",
                    "return ::fsm::ThreadScope::Program;">,
    InterfaceMethod<"Whether accesses to global memory keep their sides as well.",
                    "bool", "ordersGlobalMemory", (ins), "", "return false;">,
  ];
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

def FSM_AlongAxisInterface : FSM_Interface<"AlongAxis"> {
  let description = [{
    Combines elements, or tuples of them, along one dimension of its operands: a
    reduction, or a scan.
  }];
  let methods = [
    InterfaceMethod<"The dimension.", "uint32_t", "getAxis">,
    InterfaceMethod<"Whether each element is combined with those before it, instead of all to one.",
                    "bool", "isScan", (ins), "", "return false;">,
    InterfaceMethod<"Whether a scan goes from the end to the beginning.",
                    "bool", "getReverse", (ins), "", "return false;">,
    InterfaceMethod<"How two elements are combined; nothing where a region says it.",
                    "std::optional<::fsm::ReduceKind>", "knownKind", (ins), "", "return std::nullopt;">,
    InterfaceMethod<"Whether max and min of a NaN are NaN.",
                    "bool", "getPropagateNan", (ins), "", "return false;">,
    InterfaceMethod<"How warps exchange what each has of a line; none, or one region.",
                    "::mlir::MutableArrayRef<::mlir::Region>", "getExchange">,
  ];
  let extraClassDeclaration = [{
    /// Whether the order in which elements meet does not matter: they are all combined to one, by
    /// a kind.
    bool takesAnyOrder() { return knownKind() && !isScan(); }
  }];
}


def FSM_LayoutTransferInterface : FSM_Interface<"LayoutTransfer"> {
  let description = [{
    Gives the elements of its operands other places in a block, and no thread another's. So the
    layout of the operands follows from that of the results, and the other way round. (Ops that
    compute element by element have one layout for all of their blocks, and need not say so.)
  }];
  let methods = [
    InterfaceMethod<[{
      For each dimension of the result the one of the source that it is, or -1 for one along which
      elements repeat, and for a new one. Nothing where elements are not moved dimension by dimension.
    }], "std::optional<::llvm::SmallVector<int64_t>>", "sourceDims", (ins), "",
        "return std::nullopt;">,
    InterfaceMethod<[{
      The layout that block operands need, for this one of the results, if no element is to move to
      another thread. Nothing where there is none.
    }], "std::optional<::fsm::LinearLayout>", "operandLayout",
        (ins "const ::fsm::LinearLayout &":$result), "",
        "return ::fsm::layoutByDims(result, $_op->getOperand(0).getType(), *$_op.sourceDims());">,
    InterfaceMethod<[{
      The layout of the results where the operands have this one. Nothing where there is none, or
      where the results are not at home with the operands.
    }], "std::optional<::fsm::LinearLayout>", "resultLayout",
        (ins "const ::fsm::LinearLayout &":$operand), "", "return std::nullopt;">,
    InterfaceMethod<"Whether results are at home where their operands are, as `resultLayout` says.",
                    "bool", "followsOperands", (ins), "", "return false;">,
  ];
}

def FSM_BlockLookupInterface : FSM_Interface<"BlockLookup"> {
  let description = [{
    Reads elements of a block that may be anywhere in it, or many for each of the result: a product
    its factors, a gather its source. Threads find them in shared memory, wherever the block is at
    home; on the host all of the block is in a buffer before.
  }];
  let methods = [
    InterfaceMethod<"How many operands, the first ones, are read so.", "unsigned", "numLookedUp",
                    (ins), "", "return 1;">,
  ];
  let extraClassDeclaration = [{
    /// Whether the owner of an operand reads it so.
    static bool looksUp(::mlir::OpOperand &operand) {
      auto lookup = ::llvm::dyn_cast<BlockLookup>(operand.getOwner());
      return lookup && operand.getOperandNumber() < lookup.numLookedUp();
    }
  }];
}

def FSM_RematerializableInterface : FSM_Interface<"Rematerializable"> {
  let description = [{
    Computes a block again from its operands. On a GPU one that is cheap is computed where and as
    it is wanted, instead of held or moved; on a CPU it is weighed against a buffer. Ops of `arith`,
    `math` and `ub` have it by external models (Rematerialization.cpp).
  }];
  let methods = [
    InterfaceMethod<[{
      Whether computing the result again is cheaper than to hold or to move it, where `isCheapOperand`
      says so of block operands.
    }], "bool", "isCheap", (ins "::llvm::function_ref<bool(::mlir::Value)>":$isCheapOperand), "",
        "return ::fsm::areCheap($_op->getOperands(), isCheapOperand);">,
    InterfaceMethod<"What an element takes, operands aside, in simple operations of a CPU.",
                    "unsigned", "elementCost", (ins), "", "return 0;">,
  ];
}

//===----------------------------------------------------------------------===//
// Loops of the host
//===----------------------------------------------------------------------===//

def FSM_HostRootInterface : FSM_Interface<"HostRoot"> {
  let description = [{
    Walks over all elements of a block, for which the host gets a loop. What such an op gives, if
    it is a block, is in a buffer of its own.
  }];
  let methods = [
    InterfaceMethod<"The block whose elements are walked over: the first operand, or another.",
                    "::mlir::Value", "walkedBlock", (ins), "", "return $_op->getOperand(0);">,
    InterfaceMethod<"Whether there is a block, and no scalar.", "bool", "needsLoop", (ins), "",
                    "return true;">,
    InterfaceMethod<[{
      Whether the loop goes row by row, along the innermost dimension, so that other roots may
      share it.
    }], "bool", "sharesLoop", (ins), "", "return false;">,
  ];
}

#endif // FSM_IR_INTERFACES_TD
