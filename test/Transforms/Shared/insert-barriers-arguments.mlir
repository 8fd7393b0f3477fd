// Of accesses through two arguments, which may be one memory, `fsm.unordered_arguments` leaves those of the same element ordered:
// a barrier stands where threads hand an element on, and none where each keeps its own, nor between scalars and blocks.

// RUN: %fsm_opt %s --fsm-insert-barriers --fsm-verify-shared | FileCheck %s
// RUN: sed 's/attributes {fsm.unordered_arguments, /attributes {/' %s > %t.mlir
// RUN: %fsm_opt %t.mlir --fsm-insert-barriers --fsm-verify-shared | FileCheck %s --check-prefix=ORDERED

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#turned = #fsm.layout<register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], cta = []>
#twice = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]], cta = []>

// Each thread stores what it has loaded, and a later iteration loads what it has stored.
// CHECK-LABEL: fsm.kernel @same_element
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
// ORDERED-LABEL: fsm.kernel @same_element
// ORDERED:         fsm.barrier
fsm.kernel @same_element(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %rows: i32) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 128 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %zero to %rows step %one : i32 {
    %a = arith.muli %i, %width overflow<nsw> : i32
    %src = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %dst = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
    fsm.store %x, %dst[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  }
  fsm.return
}

// The thread that stores an element is not the one that has loaded it.
// CHECK-LABEL: fsm.kernel @other_threads
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @other_threads(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %p = fsm.range 0, 128 : tensor<128xi32, #turned>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.store %p, %out[%p] : tensor<128xi32, #turned>, !fsm.ptr<i32>, tensor<128xi32, #turned>
  fsm.return
}

// Two threads load what one of them stores; of two stores both are the first one's.
// CHECK-LABEL: fsm.kernel @replicas
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.return
// ORDERED-LABEL: fsm.kernel @replicas
// ORDERED:         fsm.store
// ORDERED-NEXT:    fsm.barrier
// ORDERED-NEXT:    fsm.store
fsm.kernel @replicas(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #twice>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<64xi32, #twice> -> tensor<64xi32, #twice>
  fsm.store %x, %out[%o] : tensor<64xi32, #twice>, !fsm.ptr<i32>, tensor<64xi32, #twice>
  fsm.store %o, %in[%o] : tensor<64xi32, #twice>, !fsm.ptr<i32>, tensor<64xi32, #twice>
  fsm.return
}

// A scalar is no element of a block.
// CHECK-LABEL: fsm.kernel @scalar_and_block
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
// ORDERED-LABEL: fsm.kernel @scalar_and_block
// ORDERED:         fsm.barrier
// ORDERED:         fsm.barrier
fsm.kernel @scalar_and_block(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  fsm.store %n, %out : i32, !fsm.ptr<i32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.store %n, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// A scalar and a scalar are the same element, which all threads load and one stores.
// CHECK-LABEL: fsm.kernel @scalars
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @scalars(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %x = fsm.load %in : !fsm.ptr<i32> -> i32
  fsm.store %x, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// Blocks of other extents have what elements they may have had in common in any thread.
// CHECK-LABEL: fsm.kernel @other_extents
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @other_extents(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %p = fsm.range 0, 64 : tensor<64xi32, #twice>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.store %p, %out[%p] : tensor<64xi32, #twice>, !fsm.ptr<i32>, tensor<64xi32, #twice>
  fsm.return
}

// Within one argument all is ordered, and a pointer that was chosen may be of either.
// CHECK-LABEL: fsm.kernel @one_argument
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
fsm.kernel @one_argument(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32, %which: i1) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %chosen = arith.select %which, %out, %in : !fsm.ptr<i32>
  fsm.store %n, %out : i32, !fsm.ptr<i32>
  %x = fsm.load %out[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.store %n, %chosen : i32, !fsm.ptr<i32>
  fsm.return
}

// What an atomic orders is ordered, for all threads if the program looks at what it found.
// CHECK-LABEL: fsm.kernel @atomic
// CHECK:         fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.atomic_rmw
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.atomic_rmw
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.return
fsm.kernel @atomic(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %flag: !fsm.ptr<i32>, %n: i32) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  fsm.store %o, %out[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  %old = fsm.atomic_rmw <add> %n, %flag : i32, !fsm.ptr<i32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  %unseen = fsm.atomic_rmw <add> %old, %flag : i32, !fsm.ptr<i32>
  fsm.store %x, %out[%o] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.return
}
