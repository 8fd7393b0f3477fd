// Indices and offsets that lead out of a block touch nothing else and do not trap: what is inside is right, and arrays begin and
// end at pages that nobody may touch. The interpreter reports them.
//
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(64, dtype=numpy.int32)[::-1].copy())"
// RUN: not %fsm_run %s --device=interp --grid=1 --arg=i32[64] --arg=i32[64]:arange --arg=100 2>&1 | FileCheck %s
// RUN: %fsm_run %s --device=cpu --guard=begin --grid=1 --arg=i32[64] --arg=i32[64]:arange --arg=100 --check=0:%t.npy
// RUN: %fsm_run %s --device=cpu --guard=end --grid=1 --arg=i32[64] --arg=i32[64]:arange --arg=-2147483648 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --grid=1 --arg=i32[64] --arg=i32[64]:arange --arg=2147483647 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --grid=1 --arg=i32[64] --arg=i32[64]:arange --arg=-1 --check=0:%t.npy
//
// CHECK: indices-outside.mlir:[[@LINE+12]]:12: program (0, 0, 0) takes element 163 of dimension 0, which has 64

// %far is added to every second index; what that gives is not stored.
fsm.kernel @reversed(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %far: i32) {
  %at = fsm.places : tensor<64xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %last = arith.constant dense<63> : tensor<64xi32>
  %back = arith.subi %last, %at : tensor<64xi32>
  %fars = fsm.splat %far : tensor<64xi32>
  %outside = arith.addi %back, %fars : tensor<64xi32>
  %many = arith.constant dense<100> : tensor<64xi32>
  %right = fsm.gather %x[%back] axis 0 : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  %wrong = fsm.gather %x[%outside] axis 0 : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  %part = fsm.slice %wrong[%far] : tensor<64xi32> -> tensor<8xi32>
  %one = fsm.extract %part[%far] : tensor<8xi32>
  %any = fsm.splat %one : tensor<64xi32>
  %isAny = arith.cmpi eq, %any, %wrong : tensor<64xi32>
  %none = arith.cmpi sgt, %x, %many : tensor<64xi32>
  %isUsed = arith.andi %isAny, %none : tensor<64xi1>
  %result = arith.select %isUsed, %any, %right : tensor<64xi1>, tensor<64xi32>
  fsm.store %result, %out[%at] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
