// A compile has one device module.

// RUN: not %fsm_device_code %s --emit=llvm 2>&1 | FileCheck %s

// CHECK: error: 'builtin.module' op needs one gpu.module, has 2
gpu.module @first {
}
gpu.module @second {
}
