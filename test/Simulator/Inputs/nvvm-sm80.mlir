// How LLVM 22 spells what the NVVM dialect has for asynchronous copies on sm_80. To make
// ../nvvm-sm80.ptx of it, here:
//   mlir-opt --convert-nvvm-to-llvm nvvm-sm80.mlir | mlir-translate --mlir-to-llvmir \
//     | llc -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx80 -o ../nvvm-sm80.ptx

llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<2048 x i8>
llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : i64

// y[i][t] = x[i][63 - t], rows i < n of 64 vectors of 16 bytes, two rows at a time in
// flight; of the last vector of each row the last `tail` bytes only.
llvm.func @groups(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32, %tail: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %row = llvm.mlir.constant(64 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %mirrored = llvm.sub %last, %t : i32
  %isLast = llvm.icmp "eq" %t, %last : i32
  %bytes = llvm.select %isLast, %tail, %sixteen : i1, i32
  %from0 = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %to0 = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  %any = llvm.icmp "sgt" %n, %zero : i32
  %first = llvm.select %any, %bytes, %zero : i1, i32
  nvvm.cp.async.shared.global %to0, %from0, 16, cache = cg, %first : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %next = llvm.add %i, %one : i32
  %hasNext = llvm.icmp "slt" %next, %n : i32
  %slot = llvm.and %next, %one : i32
  %slotBase = llvm.mul %slot, %row : i32
  %toIndex = llvm.add %slotBase, %t : i32
  %rowBase = llvm.mul %next, %row : i32
  %fromIndex = llvm.add %rowBase, %t : i32
  %to = llvm.getelementptr %tile[%toIndex] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  %from = llvm.getelementptr %x[%fromIndex] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %taken = llvm.select %hasNext, %bytes, %zero : i1, i32
  nvvm.cp.async.shared.global %to, %from, 16, cache = ca, %taken : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  nvvm.barrier
  %here = llvm.and %i, %one : i32
  %hereBase = llvm.mul %here, %row : i32
  %readIndex = llvm.add %hereBase, %mirrored : i32
  %read = llvm.getelementptr %tile[%readIndex] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  %v = llvm.load %read {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %outBase = llvm.mul %i, %row : i32
  %outIndex = llvm.add %outBase, %t : i32
  %out = llvm.getelementptr %y[%outIndex] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  llvm.store %v, %out {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  nvvm.barrier
  llvm.br ^head(%next : i32)
^end:
  nvvm.cp.async.wait.group 0
  llvm.return
}

// y[t] = x[63 - t] by words, the copies tracked by an mbarrier.
llvm.func @tracked(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %count = llvm.mlir.constant(128 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %full = llvm.mlir.addressof @full : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %isFirst = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %isFirst, ^make, ^made
^make:
  nvvm.mbarrier.init %full, %count : !llvm.ptr<3>, i32
  llvm.br ^made
^made:
  nvvm.barrier
  %from = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %to = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  nvvm.cp.async.shared.global %to, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.mbarrier.arrive %full {noinc = true} : !llvm.ptr<3>
  %generic = llvm.addrspacecast %full : !llvm.ptr<3> to !llvm.ptr
  nvvm.cp.async.mbarrier.arrive %generic : !llvm.ptr
  %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
  llvm.br ^wait
^wait:
  %done = nvvm.mbarrier.test.wait %full, %state : !llvm.ptr<3>, i64 -> i1
  llvm.cond_br %done, ^seen, ^wait
^seen:
  %mirrored = llvm.sub %last, %t : i32
  %read = llvm.getelementptr %tile[%mirrored] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %v = llvm.load %read : !llvm.ptr<3> -> i32
  %out = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %out : i32, !llvm.ptr<1>
  nvvm.barrier
  llvm.cond_br %isFirst, ^unmake, ^end
^unmake:
  nvvm.mbarrier.inval %full : !llvm.ptr<3>
  llvm.br ^end
^end:
  llvm.return
}
