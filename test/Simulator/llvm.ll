; llc -march=nvptx64 -mcpu=sm_90 -mattr=+ptx83
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p1(<4 x float>, ptr addrspace(1), i32, <4 x i1>)
@exchange = internal addrspace(3) global [128 x float] undef, align 16

; y[127 - t] of 4-vectors, doubled, for t < n; through shared memory.
define ptx_kernel void @mirror(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  %m0 = insertelement <4 x i1> poison, i1 %in, i32 0
  %mask = shufflevector <4 x i1> %m0, <4 x i1> poison, <4 x i32> zeroinitializer
  %from = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %v = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) %from, i32 16, <4 x i1> %mask, <4 x float> zeroinitializer)
  %w = fmul <4 x float> %v, <float 2.0, float 2.0, float 2.0, float 2.0>
  %slot = getelementptr <4 x float>, ptr addrspace(3) @exchange, i32 %t
  store <4 x float> %w, ptr addrspace(3) %slot, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = sub i32 31, %t
  %other = getelementptr <4 x float>, ptr addrspace(3) @exchange, i32 %o
  %z = load <4 x float>, ptr addrspace(3) %other, align 16
  %to = getelementptr <4 x float>, ptr addrspace(1) %y, i32 %t
  store <4 x float> %z, ptr addrspace(1) %to, align 16
  ret void
}

define ptx_kernel void @halves(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr <4 x half>, ptr addrspace(1) %x, i32 %t
  %v = load <4 x half>, ptr addrspace(1) %from, align 8
  %w = fmul <4 x half> %v, %v
  %e = fpext <4 x half> %w to <4 x float>
  %s = fadd <4 x float> %e, <float 1.0, float 2.0, float 3.0, float 4.0>
  %r = fptrunc <4 x float> %s to <4 x half>
  %to = getelementptr <4 x half>, ptr addrspace(1) %y, i32 %t
  store <4 x half> %r, ptr addrspace(1) %to, align 8
  ret void
}
