//===- RowMask.h - Where the rows of a host's loop end ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_ROWMASK_H
#define FSM_ANALYSIS_ROWMASK_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Bytes of a page of the host's memory, of each of which one line is touched before a row is
/// stored.
inline constexpr int64_t kHostPageBytes = 4096;

/// The mask of rows of a loop that computes these roots on a host: that of all masked accesses of
/// the loop, if they have one and it has a row for each of the loop's. Else null.
mlir::Value rowMask(llvm::ArrayRef<mlir::Operation *> roots);

/// Whether the loop of these roots has no more to do once all lanes of its row mask are false and
/// what it has reduced stays the same: its stores are masked by it, what it reduces is alike in all
/// elements there, and what it keeps is read there by nobody else.
bool endsWithMask(llvm::ArrayRef<mlir::Operation *> roots);

/// Whether vectors of a loop that has this root alone may begin at any element of a row: of no
/// block elements are found by the bits of their number, and there is no mask, unless the loop ends
/// with it.
bool mayBeginAnywhere(mlir::Operation *root);

/// The block that a root walks over.
mlir::Value walkedBlock(mlir::Operation *root);

} // namespace fsm

#endif // FSM_ANALYSIS_ROWMASK_H
