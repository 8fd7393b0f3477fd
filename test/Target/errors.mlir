// What a target lacks is refused where it stands, before the code generator,
// which would abort, sees it.

// RUN: split-file %s %t
// RUN: not %fsm_device_code %t/features.mlir --target=sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: %fsm_device_code %t/features.mlir --target=sm_90a | FileCheck %s --check-prefix=NEW
// RUN: not %fsm_device_code %t/nowhere.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not %fsm_device_code %t/arch.mlir --target=sm_100 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not %fsm_device_code %t/ptx.mlir --target=sm_80 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not %fsm_device_code %t/shared.mlir --target=sm_86 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %fsm_device_code %t/shared.mlir --target=sm_80 | FileCheck %s --check-prefix=ENOUGH
// RUN: %python -c "print(open(r'%t/arguments.mlir').read() %% ', '.join('%%%%a%%d: i64' %% i for i in range(513)))" > %t/513.mlir
// RUN: not %fsm_device_code %t/513.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not %fsm_device_code %t/many.mlir 2>&1 | FileCheck %s --check-prefix=MANY

// OLD: features.mlir:3:5: error: 'nvvm.cp.async.commit.group' needs sm_80, the target is sm_75
// OLD-NEXT: features.mlir:4:10: error: 'nvvm.redux.sync' needs sm_80, the target is sm_75
// OLD-NEXT: features.mlir:5:10: error: 'createpolicy' in inline PTX needs sm_80, the target is sm_75
// OLD-NEXT: features.mlir:6:10: error: 'llvm.nvvm.ff.to.e4m3x2.rn' needs sm_89, the target is sm_75
// OLD-NEXT: features.mlir:7:5: error: 'nvvm.wgmma.fence.aligned' needs sm_90a, the target is sm_75
// OLD-NOT: error
// NEW: cp.async.commit_group
// NEW: redux.sync.add.s32
// NEW: createpolicy
// NEW: cvt.rn.satfinite.e4m3x2.f32
// NEW: wgmma.fence

// NOWHERE: nowhere.mlir:3:10: error: 'llvm.intr.exp' has no instruction on a GPU
// NOWHERE-NEXT: nowhere.mlir:4:10: error: 'llvm.intr.exp2' of f64 has no instruction on a GPU, only that of f32 has
// NOWHERE-NEXT: nowhere.mlir:5:10: error: 'llvm.intr.sin' needs the fastmath flag 'afn', for a GPU only approximates it
// NOWHERE-NEXT: nowhere.mlir:6:5: error: 'llvm.call' of '@elsewhere', which is not in the module, and a GPU has none
// NOWHERE-NEXT: nowhere.mlir:7:5: error: 'llvm.call' through a pointer has no stack to run on
// NOWHERE-NEXT: nowhere.mlir:8:5: error: 'nvvm.breakpoint' is in no table of what GPUs have
// NOWHERE-NEXT: nowhere.mlir:9:10: error: 'llvm.nvvm.unheard.of' is in no table of what GPUs have
// NOWHERE-NEXT: nowhere.mlir:10:10: error: 'llvm.fpext' has the type f128, which no GPU has
// NOWHERE-NOT: error

// ARCH: arch.mlir:3:10: error: 'nvvm.redux.sync' of f32 needs sm_100a, the target is sm_100
// ARCH-NEXT: arch.mlir:4:5: error: 'nvvm.wgmma.fence.aligned' needs sm_90a, the target is sm_100
// ARCH-NOT: error

// PTX: ptx.mlir:3:10: error: '.e4m3x2' in inline PTX needs sm_89, the target is sm_80
// PTX-NOT: error

// SHARED: shared.mlir:2:3: error: kernel '@k' needs 131072 bytes of shared memory, and a CTA of sm_86 has at most 101376
// ENOUGH: .entry k(

// ARGUMENTS: 513.mlir:2:3: error: kernel '@k' takes 4104 bytes of arguments, and a GPU passes at most 4096

// The first ten are enough.
// MANY-COUNT-10: error: 'llvm.intr.exp' has no instruction
// MANY-NOT: error

//--- features.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32, %m: i32, %q: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 4 : i32} {
    nvvm.cp.async.commit.group
    %r = nvvm.redux.sync add %m, %m : i32 -> i32
    %p = llvm.inline_asm has_side_effects "createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "=l" : () -> i64
    %e = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%x, %x) : (f32, f32) -> i16
    nvvm.wgmma.fence.aligned
    llvm.store %r, %q {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.store volatile %p, %q {alignment = 8 : i64} : i64, !llvm.ptr<1>
    llvm.store volatile %e, %q {alignment = 2 : i64} : i16, !llvm.ptr<1>
    gpu.return
  }
}
//--- nowhere.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32, %d: f64, %f: !llvm.ptr) kernel attributes {fsm.num_warps = 1 : i32} {
    %a = math.exp %x : f32
    %b = math.exp2 %d : f64
    %c = math.sin %x : f32
    llvm.call @elsewhere(%x) : (f32) -> ()
    llvm.call %f(%x) : !llvm.ptr, (f32) -> ()
    nvvm.breakpoint
    %e = llvm.call_intrinsic "llvm.nvvm.unheard.of"(%x) : (f32) -> f32
    %w = llvm.fpext %x : f32 to f128
    gpu.return
  }
  llvm.func @elsewhere(f32)
}
//--- arch.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32, %m: i32) kernel attributes {fsm.num_warps = 4 : i32} {
    %r = nvvm.redux.sync fmin %x, %m : f32 -> f32
    nvvm.wgmma.fence.aligned
    gpu.return
  }
}
//--- ptx.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32) kernel attributes {fsm.num_warps = 1 : i32} {
    %e = llvm.inline_asm "cvt.rn.satfinite.e4m3x2.f32 $0, $1, $1;", "=h,f" %x : (f32) -> i16
    gpu.return
  }
}
//--- shared.mlir
gpu.module @kernels {
  gpu.func @k() kernel attributes {fsm.num_warps = 1 : i32, fsm.shared_bytes = 131072 : i32} {
    gpu.return
  }
}
//--- arguments.mlir
gpu.module @kernels {
  gpu.func @k(%s) kernel attributes {fsm.num_warps = 1 : i32} {
    gpu.return
  }
}
//--- many.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32) kernel attributes {fsm.num_warps = 1 : i32} {
    %0 = math.exp %x : f32
    %1 = math.exp %0 : f32
    %2 = math.exp %1 : f32
    %3 = math.exp %2 : f32
    %4 = math.exp %3 : f32
    %5 = math.exp %4 : f32
    %6 = math.exp %5 : f32
    %7 = math.exp %6 : f32
    %8 = math.exp %7 : f32
    %9 = math.exp %8 : f32
    %10 = math.exp %9 : f32
    gpu.return
  }
}
