; What LLVM 22 makes of tables, calls, parameters of all kinds, inline assembly,
; 8-bit floats and dot products. To make families.ptx of it:
;   llc -mcpu=sm_90 -mattr=+ptx84 families.ll -o families.ptx
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@fsm_shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i16 @llvm.nvvm.ff.to.e4m3x2.rn(float, float)
declare <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16)
declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32)
declare {i64,i1} @llvm.smul.with.overflow.i64(i64,i64)
declare i16 @llvm.nvvm.f16x2.to.e5m2x2.rn(<2 x half>)

define internal float @twice(float %x, <2 x float> %y) noinline {
  %a = extractelement <2 x float> %y, i32 1
  %r = fadd float %x, %a
  ret float %r
}

define internal <4 x float> @vec({float, i32, half} %s) noinline {
  %a = extractvalue {float,i32,half} %s, 0
  %h = extractvalue {float,i32,half} %s, 2
  %hf = fpext half %h to float
  %r0 = insertelement <4 x float> zeroinitializer, float %a, i32 0
  %r1 = insertelement <4 x float> %r0, float %hf, i32 3
  ret <4 x float> %r1
}

define internal i64 @outer(ptr %p, i8 %k, i1 %b) noinline {
  %z = zext i1 %b to i64
  %kk = sext i8 %k to i64
  %s = add i64 %z, %kk
  %v = load i64, ptr %p
  %r = add i64 %s, %v
  ret i64 %r
}

define ptx_kernel void @sw(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %t64
  %a = load i32, ptr addrspace(1) %p
  switch i32 %a, label %d [ i32 0, label %c0
  i32 1, label %c1
  i32 2, label %c2
  i32 3, label %c3
  i32 4, label %c4
  i32 5, label %c5
  i32 6, label %c6 ]
c0:
   %r0 = mul i32 %a, 11
  br label %j
c1:
   %r1 = add i32 %a, 12
  br label %j
c2:
   %r2 = xor i32 %a, 13
  br label %j
c3:
   %r3 = sub i32 %a, 14
  br label %j
c4:
   %r4 = or i32 %a, 15
  br label %j
c5:
   %r5 = shl i32 %a, 16
  br label %j
c6:
   %r6 = and i32 %a, 17
  br label %j
d:
  br label %j
j:
  %r = phi i32 [%r0,%c0],[%r1,%c1],[%r2,%c2],[%r3,%c3],[%r4,%c4],[%r5,%c5],[%r6,%c6],[777,%d]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @calls(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %t64
  %a = load float, ptr addrspace(1) %p
  %v0 = insertelement <2 x float> poison, float %a, i32 1
  %v = insertelement <2 x float> %v0, float 5.0, i32 0
  %x = call float @twice(float %a, <2 x float> %v)
  %s0 = insertvalue {float,i32,half} poison, float %x, 0
  %s1 = insertvalue {float,i32,half} %s0, i32 1, 1
  %s2 = insertvalue {float,i32,half} %s1, half 2.0, 2
  %w = call <4 x float> @vec({float,i32,half} %s2)
  %w0 = extractelement <4 x float> %w, i32 0
  %w3 = extractelement <4 x float> %w, i32 3
  %al = alloca i64
  store i64 5, ptr %al
  %o = call i64 @outer(ptr %al, i8 -1, i1 true)
  %of = sitofp i64 %o to float
  %r1 = fadd float %w0, %w3
  %r = fadd float %r1, %of
  store float %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @byval(ptr addrspace(1) %out, <2 x float> %v, <4 x i8> %b, {i32, i64} %s, i1 %f, half %h, i8 %c) {
  %a = extractelement <2 x float> %v, i32 1
  %s1 = extractvalue {i32,i64} %s, 1
  %sf = sitofp i64 %s1 to float
  %b3 = extractelement <4 x i8> %b, i32 3
  %bf = sitofp i8 %b3 to float
  %hf = fpext half %h to float
  %ff = uitofp i1 %f to float
  %cf = sitofp i8 %c to float
  %x1 = fadd float %a, %sf
  %x2 = fadd float %x1, %bf
  %x3 = fadd float %x2, %hf
  %x4 = fadd float %x3, %ff
  %x5 = fadd float %x4, %cf
  store float %x5, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @asmloads(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %a = call {i32,i32,i32,i32} asm sideeffect "ld.global.L1::evict_first.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1) %in)
  %b = call {i32,i32,i32,i32} asm sideeffect "ld.global.cs.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1) %in)
  %c = call {i32,i32,i32,i32} asm sideeffect "ld.global.nc.L1::no_allocate.L2::128B.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l"(ptr addrspace(1) %in)
  %a1 = extractvalue {i32,i32,i32,i32} %a, 1
  %b2 = extractvalue {i32,i32,i32,i32} %b, 2
  %c3 = extractvalue {i32,i32,i32,i32} %c, 3
  %p = call i32 asm sideeffect "{ .reg .pred %p; setp.ne.u32 %p, $1, 0; mov.b32 $0, 9; @%p ld.global.b32 $0, [$2]; }", "=r,r,l"(i32 %a1, ptr addrspace(1) %in)
  call void asm sideeffect "st.global.cs.v4.b32 [$0], {$1,$2,$3,$4};", "l,r,r,r,r"(ptr addrspace(1) %out, i32 %a1, i32 %b2, i32 %c3, i32 %p)
  ret void
}

define ptx_kernel void @asc(ptr %in, ptr addrspace(1) %out) {
  %s = addrspacecast ptr addrspace(3) @fsm_shared to ptr
  store i32 7, ptr %s
  %al = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = getelementptr [4 x i32], ptr %al, i32 0, i32 %t
  store i32 3, ptr %g
  %v = load i32, ptr %g
  %w = load i32, ptr %s
  %i = load i32, ptr %in
  %x = add i32 %v, %w
  %y = add i32 %x, %i
  store i32 %y, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @dp4a_s(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %t64
  %a = load i32, ptr addrspace(1) %p
  %r = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 5)
  store i32 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @redux(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %t64
  %a = load i32, ptr addrspace(1) %p
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %a, i32 -1)
  store i32 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @to_e4m3(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i16, ptr addrspace(1) %out, i64 %t64
  %v = load <2 x float>, ptr addrspace(1) %p
   %a = extractelement <2 x float> %v, i32 0
  %b = extractelement <2 x float> %v, i32 1
  %r = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %b, float %a)
  store i16 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @from_e4m3(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i16, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr <2 x half>, ptr addrspace(1) %out, i64 %t64
  %v = load i16, ptr addrspace(1) %p
   %r = call <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16 %v)
  store <2 x half> %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @half_to_e5m2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr <2 x half>, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i16, ptr addrspace(1) %out, i64 %t64
  %v = load <2 x half>, ptr addrspace(1) %p
   %r = call i16 @llvm.nvvm.f16x2.to.e5m2x2.rn(<2 x half> %v)
  store i16 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @from_e5m2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i16, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr <2 x half>, ptr addrspace(1) %out, i64 %t64
  %v = load i16, ptr addrspace(1) %p
   %r = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 %v)
  store <2 x half> %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @fptosisat_float_i8(ptr addrspace(1) %in, ptr addrspace(1) %out, float %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %t64
  %a = load float, ptr addrspace(1) %p
  %r = call i8 @llvm.fptosi.sat.i8.f32(float %a)
  store i8 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @add_i64(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %t64
  %a = load i64, ptr addrspace(1) %p
  %r = add i64 %a, %b
  store i64 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @smulo_i64(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %t64
  %a = load i64, ptr addrspace(1) %p
  %s = call {i64,i1} @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue {i64,i1} %s, 0
  %c = extractvalue {i64,i1} %s, 1
  %r = select i1 %c, i64 99, i64 %v
  store i64 %r, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @mulhi_sext_i64(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %t64
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %t64
  %a = load i64, ptr addrspace(1) %p
  %x = sext i64 %a to i128
  %y = sext i64 %b to i128
  %z = mul i128 %x, %y
  %h = lshr i128 %z, 64
  %r = trunc i128 %h to i64
  store i64 %r, ptr addrspace(1) %q
  ret void
}
