// In front of a wait for the launches before this one nothing of its block accesses memory that they may write. Here the order
// is wrong from the start; LLVM's scheduler may make it so of loads that it takes for constant.

// RUN: %fsm_device_code %s --target=sm_90a | FileCheck %s

// CHECK-LABEL: .entry moved(
// CHECK:         griddepcontrol.launch_dependents;
// CHECK:         st.volatile.shared.b32
// CHECK:         griddepcontrol.wait;
// CHECK-NEXT:    ld.volatile.global.b32
// CHECK:         atom.global
// CHECK-NOT:     griddepcontrol
// CHECK:         ret;

// Behind a label others come from elsewhere.
// CHECK-LABEL: .entry stays(
// CHECK:         ld.volatile.global.b32
// CHECK:         $L__BB1_2:
// CHECK:         griddepcontrol.wait;
// CHECK-NEXT:    st.global.b32
gpu.module @kernels {
  llvm.mlir.global internal @cell() {addr_space = 3 : i32} : i32
  llvm.func @moved(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %value: i32) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.griddepcontrol launch_dependents
    %cell = llvm.mlir.addressof @cell : !llvm.ptr<3>
    llvm.store volatile %value, %cell : i32, !llvm.ptr<3>
    %x = llvm.load volatile %from : !llvm.ptr<1> -> i32
    %old = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr<1>, i32
    nvvm.griddepcontrol wait
    llvm.return
  }
  llvm.func @stays(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %x = llvm.load volatile %from : !llvm.ptr<1> -> i32
    %some = llvm.icmp "sgt" %x, %zero : i32
    llvm.cond_br %some, ^other, ^join
  ^other:
    llvm.store volatile %zero, %from : i32, !llvm.ptr<1>
    llvm.br ^join
  ^join:
    llvm.store %x, %to : i32, !llvm.ptr<1>
    nvvm.griddepcontrol wait
    llvm.return
  }
}
