// Layouts as pictures, and how a block goes from one to the other.

// RUN: rm -rf %t && mkdir %t
// RUN: %fsm_opt %s --fsm-print-layouts='svg=%t/pictures max-elements=128' -o %t/after.mlir 2>&1 | FileCheck %s
// RUN: %fsm_opt %s -o %t/before.mlir && diff %t/before.mlir %t/after.mlir
// RUN: %fsm_opt %s --fsm-print-layouts='file=%t/text max-elements=128' -o %t/after.mlir 2>&1 | count 0
// RUN: FileCheck %s < %t/text

// A picture has a rectangle for each element; what is not drawn as text is not drawn at all.
// RUN: FileCheck %s --check-prefix=SVG < %t/pictures/rows_to_pairs-L0.svg
// RUN: ls %t/pictures | FileCheck %s --check-prefix=FILES
// SVG-COUNT-64: <rect
// SVG-NOT:      <rect
// FILES:        rows_to_pairs-L0.svg
// FILES-NEXT:   rows_to_pairs-L1.svg
// FILES-NOT:    svg

// A kernel's name leads nowhere out of the folder.
// RUN: sed 's/@rows_to_pairs/@"..\/up"/' %s | %fsm_opt --fsm-print-layouts='svg=%t/named max-elements=128' -o %t/named.mlir 2> %t/named.txt
// RUN: ls %t/named | FileCheck %s --check-prefix=NAMED
// NAMED: ___up-L0.svg

// Where nothing can be written, that is an error.
// RUN: not %fsm_opt %s --fsm-print-layouts='file=%t/no/such/text' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %fsm_opt %s --fsm-print-layouts='svg=%t/text' 2>&1 | FileCheck %s --check-prefix=FOLDER
// TEXT:   error: cannot write the layouts to '{{.*}}/no/such/text': No such file or directory
// FOLDER: error: cannot write the picture '{{.*}}rows_to_pairs-L0.svg':

#a = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#b = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#c = #fsm.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK-LABEL: kernel @rows_to_pairs
fsm.kernel @rows_to_pairs(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #a>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32, #a> -> tensor<64xf32, #a>
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}L0: register [(32)], lane [(1), (2), (4), (8), (16)], warp [], cta [] -> 64{{$}}
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-4]]:8: fsm.range
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-4]]:8: fsm.load
// CHECK-NEXT: lane:register
// CHECK-NEXT: 0 1 2 3
// CHECK-NEXT: 0 0:0 1:0 2:0 {{.*}} 31:0 0:1 1:1
  %y = fsm.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %q = fsm.range 0, 64 : tensor<64xi32, #b>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = scf.for %i = %zero to %n step %one iter_args(%acc = %y) -> (tensor<64xf32, #b>) : i32 {
    scf.yield %acc : tensor<64xf32, #b>
  }
  fsm.store %z, %p[%q] : tensor<64xf32, #b>, !fsm.ptr<f32>, tensor<64xi32, #b>
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}L1: register [(1)], lane [(2), (4), (8), (16), (32)], warp [], cta [] -> 64{{$}}
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-10]]:8: fsm.convert_layout
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-10]]:8: fsm.range
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-8]]:8: scf.for
// CHECK-NEXT: print-layouts.mlir:[[#@LINE-9]]:{{[0-9]+}}: argument of scf.for
// CHECK-NEXT: lane:register
// CHECK-NEXT: 0 1 2 3
// CHECK-NEXT: 0 0:0 0:1 1:0 {{.*}} 31:0 31:1
  %large = fsm.range 0, 256 : tensor<256xi32, #c>
  %w = arith.sitofp %large : tensor<256xi32, #c> to tensor<256xf32, #c>
  fsm.store %w, %p[%large] : tensor<256xf32, #c>, !fsm.ptr<f32>, tensor<256xi32, #c>
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}L2: {{.*}} -> 256{{$}}
// CHECK-NEXT: fsm.range
// CHECK-NEXT: arith.sitofp
// CHECK-NEXT: not drawn: 256 elements, more than 128
  fsm.return
}
// Elements 2l and 2l + 1 come to lane l from other lanes of the warp: shuffles do.
// CHECK-EMPTY:
// CHECK-NEXT: print-layouts.mlir:{{[0-9]+}}:8: fsm.convert_layout from L0 to L1, shuffles: {{.*}}; cost

// A reshape is a conversion, too; here each thread keeps what it has.
// CHECK-LABEL: kernel @folded
// CHECK:       print-layouts.mlir:[[#@LINE+5]]:8: fsm.reshape from L0 to L1, nothing; cost 0
#flat = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#rows = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
fsm.kernel @folded(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #flat>
  %x = fsm.reshape %o : tensor<64xi32, #flat> -> tensor<8x8xi32, #rows>
  %y = arith.sitofp %x : tensor<8x8xi32, #rows> to tensor<8x8xf32, #rows>
  fsm.store %y, %p[%x] : tensor<8x8xf32, #rows>, !fsm.ptr<f32>, tensor<8x8xi32, #rows>
  fsm.return
}

// What goes through shared memory says how wide its accesses are, and whether banks meet.
// CHECK-LABEL: kernel @exchanged
// CHECK:       print-layouts.mlir:[[#@LINE+9]]:3: fsm.shared_store from L0, 8 bytes a lane with 1 wavefront a phase
// CHECK-NEXT:  print-layouts.mlir:[[#@LINE+9]]:8: fsm.shared_load to L1, 4 bytes a lane with 1 wavefront a phase
// CHECK-NEXT:  print-layouts.mlir:[[#@LINE+10]]:3: fsm.shared_store from L1, row by row
#pairs = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#single = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#plain = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>
fsm.kernel @exchanged() attributes {num_warps = 1 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #pairs>
  %a = fsm.shared_alloc : !fsm.shared<64xi32, #plain>
  fsm.shared_store %x, %a : tensor<64xi32, #pairs>, !fsm.shared<64xi32, #plain>
  %y = fsm.shared_load %a : !fsm.shared<64xi32, #plain> -> tensor<64xi32, #single>
  %b = fsm.shared_alloc : !fsm.shared<64xi32>
  fsm.shared_store %y, %b : tensor<64xi32, #single>, !fsm.shared<64xi32>
  fsm.return
}

// CHECK-LABEL: kernel @none
// CHECK-NEXT:  no block has a layout; 'fsm-assign-layouts' gives each one
fsm.kernel @none() {
  fsm.return
}
