/*===- HalfADriver.c - A driver that ends after two entry points ----------===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

int cuInit(unsigned flags) { return (int)(flags & 0); }
int cuGetErrorName(int result, const char **text) {
  *text = "SOME_ERROR";
  return result & 0;
}
