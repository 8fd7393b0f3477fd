/*===- softmax.c - The loop a C programmer would write ------------*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <math.h>
#include <stddef.h>

/* Softmax of the rows first, first + step, ... of a rows x cols matrix. */
void cSoftmax(float *restrict out, const float *restrict in, size_t first, size_t step, size_t rows,
              size_t cols) {
  for (size_t row = first; row < rows; row += step) {
    const float *x = in + row * cols;
    float *y = out + row * cols;
    float max = -INFINITY;
    for (size_t i = 0; i < cols; ++i)
      max = x[i] > max ? x[i] : max;
    float sum = 0.0f;
    for (size_t i = 0; i < cols; ++i) {
      y[i] = expf(x[i] - max);
      sum += y[i];
    }
    for (size_t i = 0; i < cols; ++i)
      y[i] /= sum;
  }
}
