// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize)' 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=c})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=a arguments=1,2,3})' 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=a arguments=1,two})' 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=a spread=3})' 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=a spread=16})' 2>&1 | FileCheck %s --check-prefix=SIXTEEN

// WHICH: specialize-errors.mlir:1:1: error: expected the name of one of the kernels '@a', '@b'
// WHICH: specialize-errors.mlir:[[#A:]]:1: note: '@a' is here
// WHICH: specialize-errors.mlir:[[#A+4]]:1: note: '@b' is here
// NONE:  specialize-errors.mlir:1:1: error: there is no kernel '@c' in the module; it has '@a', '@b'
// NONE: specialize-errors.mlir:[[#A:]]:1: note: '@a' is here
// NONE: specialize-errors.mlir:[[#A+4]]:1: note: '@b' is here
// THREE: specialize-errors.mlir:[[# @LINE+5]]:1: error: expected spread to be a power of two from 1 to 8, got 3
// SIXTEEN: specialize-errors.mlir:[[# @LINE+4]]:1: error: expected spread to be a power of two from 1 to 8, got 16
// COUNT: specialize-errors.mlir:[[# @LINE+3]]:1: error: expected facts of 2 arguments, got 3
// WORD:  specialize-errors.mlir:[[# @LINE+2]]:1: error: expected the fact of argument 1 to be {{.*}}, got 'two'
// WORD: specialize-errors.mlir:[[# @LINE+1]]:34: note: what it is said of is this argument
fsm.kernel @a(%p: !fsm.ptr<f32>, %n: i32) {
  fsm.return
}

fsm.kernel @b() {
  fsm.return
}
