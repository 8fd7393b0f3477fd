// A byte of memory that is not 0 is true, be it 1 or another, as NumPy has it: of each width that a thread loads, stored again
// (where it becomes 1), in a choice, as a mask and as a number. The truth values lie where an argument has bytes.
//
// RUN: %python %S/Inputs/truth.py %t
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i1[1000] --arg=i32[1000] --arg=f32[1000] --arg=@%t.in.npy --arg=f32[1000]:arange --check=0:%t.truth.npy --check=1:%t.chosen.npy --check=2:%t.masked.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i1[1000] --arg=i32[1000] --arg=f32[1000] --arg=@%t.in.npy --arg=f32[1000]:arange --check=0:%t.truth.npy --check=1:%t.chosen.npy --check=2:%t.masked.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --grid=1 --arg=i1[1000] --arg=i32[1000] --arg=f32[1000] --arg=@%t.in.npy --arg=f32[1000]:arange --check=0:%t.truth.npy --check=1:%t.chosen.npy --check=2:%t.masked.npy
// RUN: %fsm_run %s --device=sim --num-warps=8 --grid=1 --arg=i1[1000] --arg=i32[1000] --arg=f32[1000] --arg=@%t.in.npy --arg=f32[1000]:arange --check=0:%t.truth.npy --check=1:%t.chosen.npy --check=2:%t.masked.npy

fsm.kernel @truth(%out: !fsm.ptr<i1>, %chosen: !fsm.ptr<i32>, %masked: !fsm.ptr<f32>, %bytes: !fsm.ptr<i8>,
                  %numbers: !fsm.ptr<f32>) {
  %address = fsm.ptr_to_int %bytes : !fsm.ptr<i8> -> i64
  %in = fsm.int_to_ptr %address : i64 -> !fsm.ptr<i1>
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %end = arith.constant dense<1000> : tensor<1024xi32>
  %inside = arith.cmpi slt, %at, %end : tensor<1024xi32>
  %x = fsm.load %in[%at], %inside : !fsm.ptr<i1>, tensor<1024xi32> -> tensor<1024xi1>
  fsm.store %x, %out[%at], %inside : tensor<1024xi1>, !fsm.ptr<i1>, tensor<1024xi32>
  %seven = arith.constant dense<7> : tensor<1024xi32>
  %number = arith.extui %x : tensor<1024xi1> to tensor<1024xi32>
  %choice = arith.select %x, %seven, %number : tensor<1024xi1>, tensor<1024xi32>
  %sum = arith.addi %choice, %number : tensor<1024xi32>
  fsm.store %sum, %chosen[%at], %inside : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %some = fsm.load %numbers[%at], %x : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  fsm.store %some, %masked[%at], %inside : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}
