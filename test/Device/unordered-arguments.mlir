// `fsm.unordered_arguments`, launched in place: an element that is loaded through one argument and stored through another keeps its
// order, whichever threads hold it; and where an order is missing, the simulator says so.
//
// DEFINE: %{run} = %fsm_run %s --compare=interp --grid=1 --no-specialize --arg=i32[4096]:arange --arg=i32[4096]:arange --arg=i32[4096]:arange --overlap=0:1:0 --num-warps=4 --kernel
// RUN: %{run}=same --device=cpu
// RUN: %{run}=same --device=sim
// RUN: %{run}=turned --device=cpu
// RUN: %{run}=turned --device=sim
// RUN: %{run}=other_threads --device=cpu
// RUN: %{run}=other_threads --device=sim
// RUN: %{run}=few --device=cpu
// RUN: %{run}=few --device=sim
// RUN: %{run}=scalars --device=cpu
// RUN: %{run}=scalars --device=sim
// RUN: %{run}=within --device=cpu
// RUN: %{run}=within --device=sim

// What is no order of the kernel's is a race of threads, where arguments overlap and only there.
// RUN: not %{run}=unordered --device=sim 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=unordered --device=sim --compare=interp --grid=1 --num-warps=4 --no-specialize --arg=i32[4096]:arange --arg=i32[4096]:arange --arg=i32[4096]
// CHECK: global memory race: reads byte 0 of argument %out, %in{{.*}} warp 0 lane 0 wrote{{.*}} with no barrier between

// Each row, in a loop whose later rows are stored by the threads that load them.
fsm.kernel @same(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}, %more: !fsm.ptr<i32>) attributes {fsm.unordered_arguments} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rows = arith.constant 4 : i32
  %width = arith.constant 1024 : i32
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  scf.for %i = %zero to %rows step %one : i32 {
    %first = arith.muli %i, %width overflow<nsw> : i32
    %from = fsm.offset %in, %first : !fsm.ptr<i32>, i32
    %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
    %x = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
    %y = arith.muli %x, %x : tensor<1024xi32>
    fsm.store %y, %to[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  }
  fsm.return
}

// A tile changes places with itself: what is stored at an element others have loaded.
fsm.kernel @turned(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}, %more: !fsm.ptr<i32>) attributes {fsm.unordered_arguments} {
  %all = fsm.range 0, 4096 : tensor<4096xi32>
  %at = fsm.reshape %all : tensor<4096xi32> -> tensor<64x64xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<64x64xi32> -> tensor<64x64xi32>
  %y = fsm.transpose %x order [1, 0] : tensor<64x64xi32> -> tensor<64x64xi32>
  fsm.store %y, %out[%at] : tensor<64x64xi32>, !fsm.ptr<i32>, tensor<64x64xi32>
  fsm.return
}

// A tile is loaded along its columns, which lie together; where its elements are stored, only memory says, and lanes have rows.
fsm.kernel @other_threads(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}, %more: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {fsm.unordered_arguments} {
  %all = fsm.range 0, 4096 : tensor<4096xi32>
  %at = fsm.reshape %all : tensor<4096xi32> -> tensor<64x64xi32>
  %turned = fsm.transpose %at order [1, 0] : tensor<64x64xi32> -> tensor<64x64xi32>
  %width = arith.constant dense<64> : tensor<64x64xi32>
  %numbers = fsm.load %more[%at] : !fsm.ptr<i32>, tensor<64x64xi32> -> tensor<64x64xi32>
  %rows = arith.divsi %numbers, %width : tensor<64x64xi32>
  %columns = arith.remsi %numbers, %width : tensor<64x64xi32>
  %down = arith.muli %columns, %width : tensor<64x64xi32>
  %same = arith.addi %down, %rows : tensor<64x64xi32>
  %x = fsm.load %in[%turned] : !fsm.ptr<i32>, tensor<64x64xi32> -> tensor<64x64xi32>
  fsm.store %numbers, %out[%same] : tensor<64x64xi32>, !fsm.ptr<i32>, tensor<64x64xi32>
  fsm.store %x, %more[%turned] : tensor<64x64xi32>, !fsm.ptr<i32>, tensor<64x64xi32>
  fsm.return
}

// Within one argument all is ordered: threads load what one has stored by itself.
fsm.kernel @within(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}, %more: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {fsm.unordered_arguments} {
  %far = arith.constant 3000 : i32
  %place = fsm.offset %more, %far : !fsm.ptr<i32>, i32
  fsm.store %far, %place : i32, !fsm.ptr<i32>
  %at = fsm.range 0, 4096 : tensor<4096xi32>
  %x = fsm.load %more[%at] : !fsm.ptr<i32>, tensor<4096xi32> -> tensor<4096xi32>
  fsm.store %x, %out[%at] : tensor<4096xi32>, !fsm.ptr<i32>, tensor<4096xi32>
  fsm.return
}

// Of the warps that load an element one stores it, and all give their share of the sum.
fsm.kernel @few(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %more: !fsm.ptr<i32>) attributes {fsm.unordered_arguments} {
  %at = fsm.range 0, 32 : tensor<32xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
  %y = arith.muli %x, %x : tensor<32xi32>
  fsm.store %y, %out[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  %column = fsm.expand_dims %x axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %wide = fsm.broadcast %column : tensor<32x1xi32> -> tensor<32x64xi32>
  %flat = fsm.reshape %wide : tensor<32x64xi32> -> tensor<2048xi32>
  %all = fsm.range 0, 2048 : tensor<2048xi32>
  fsm.store %flat, %more[%all] : tensor<2048xi32>, !fsm.ptr<i32>, tensor<2048xi32>
  fsm.return
}

// All threads load the scalar that one of them stores.
fsm.kernel @scalars(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %more: !fsm.ptr<i32>) attributes {fsm.unordered_arguments} {
  %one = arith.constant 1 : i32
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in : !fsm.ptr<i32> -> i32
  %y = arith.addi %x, %one : i32
  fsm.store %y, %out : i32, !fsm.ptr<i32>
  %all = fsm.splat %x : tensor<1024xi32>
  fsm.store %all, %more[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  fsm.return
}

// A scalar is stored, and a block loaded in which it is an element.
fsm.kernel @unordered(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %more: !fsm.ptr<i32>) attributes {fsm.unordered_arguments} {
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %last = arith.constant dense<1023> : tensor<1024xi32>
  %back = arith.subi %last, %at : tensor<1024xi32>
  fsm.store %seven, %out : i32, !fsm.ptr<i32>
  %x = fsm.load %in[%back] : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  fsm.store %x, %more[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  fsm.return
}
