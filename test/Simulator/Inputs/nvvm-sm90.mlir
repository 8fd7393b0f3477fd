// How LLVM 22 spells what the NVVM dialect has for bulk copies on sm_90a. To make
// ../nvvm-sm90.ptx of it, here:
//   mlir-opt --convert-nvvm-to-llvm nvvm-sm90.mlir | mlir-translate --mlir-to-llvmir \
//     | llc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx86 -o ../nvvm-sm90.ptx

llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x i8>
llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : i64

// y[t] = x[t] + x[64 + t] + p by words for 64 threads: two phases of one mbarrier, and a
// store of the sums. p is 1 where the phase is found complete by each way to ask.
llvm.func @bulk(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %row = llvm.mlir.constant(64 : i32) : i32
  %bytes = llvm.mlir.constant(256 : i32) : i32
  %ticks = llvm.mlir.constant(10000000 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %full = llvm.mlir.addressof @full : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %isFirst = llvm.icmp "eq" %t, %zero : i32
  %second = llvm.getelementptr %x[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %upper = llvm.getelementptr %tile[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.cond_br %isFirst, ^make, ^made
^make:
  nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
  nvvm.fence.mbarrier.init
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  llvm.br ^made
^made:
  nvvm.barrier
  nvvm.cp.async.bulk.prefetch %x, %bytes : !llvm.ptr<1>
  %elected = nvvm.elect.sync -> i1
  %issues = llvm.and %elected, %isFirst : i1
  llvm.cond_br %issues, ^issue0, ^wait0
^issue0:
  nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
  %cluster = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
  nvvm.cp.async.bulk.shared.cluster.global %cluster, %x, %full, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
  llvm.br ^wait0
^wait0:
  nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
  %w0 = nvvm.mbarrier.test.wait %full, %zero : !llvm.ptr<3>, i32 -> i1
  // Without it the next phase may be over before all have seen that this one is.
  nvvm.barrier
  llvm.cond_br %issues, ^issue1, ^wait1
^issue1:
  nvvm.mbarrier.expect_tx %full, %bytes : !llvm.ptr<3>, i32
  nvvm.cp.async.bulk.shared.cluster.global %upper, %second, %full, %bytes : !llvm.ptr<3>, !llvm.ptr<1>
  %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
  llvm.br ^wait1
^wait1:
  nvvm.mbarrier.try_wait.parity %full, %one, %ticks : !llvm.ptr<3>, i32, i32
  %w1 = nvvm.mbarrier.try_wait %full, %one : !llvm.ptr<3>, i32 -> i1
  %both = llvm.and %w0, %w1 : i1
  %p = llvm.zext %both : i1 to i32
  %here = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %there = llvm.getelementptr %upper[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %a = llvm.load %here : !llvm.ptr<3> -> i32
  %b = llvm.load %there : !llvm.ptr<3> -> i32
  %ab = llvm.add %a, %b : i32
  %sum = llvm.add %ab, %p : i32
  llvm.store %sum, %here : i32, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.barrier id = %one number_of_threads = %row
  llvm.cond_br %isFirst, ^store, ^end
^store:
  nvvm.cp.async.bulk.global.shared.cta %y, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 0 {read}
  nvvm.cp.async.bulk.wait_group 0
  nvvm.mbarrier.inval %full : !llvm.ptr<3>
  llvm.br ^end
^end:
  llvm.return
}
