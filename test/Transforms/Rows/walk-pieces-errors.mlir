// What cannot be walked is an error at the op that is in the way.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-walk-pieces))'

// Its rows are its columns.
fsm.kernel @two_long(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  // expected-error @below {{a block of more than 4 elements cannot be walked piece by piece: a block would be walked along two dimensions of more than 4 elements, which an op makes one}}
  %o = fsm.places strides [8, 1] : tensor<8x8xi32>
  %x = fsm.load %q[%o] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %turned = fsm.transpose %x order [1, 0] : tensor<8x8xi32> -> tensor<8x8xi32>
  %both = arith.addi %x, %turned : tensor<8x8xi32>
  fsm.store %both, %p[%o] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  fsm.return
}

// -----

fsm.kernel @volatile(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: it is no access that may be made again}}
  %x = fsm.load %p[%o] volatile : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %s = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  fsm.store %s, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @old(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: what memory held would have to be kept}}
  %x = fsm.atomic_rmw <add> %o, %p[%o] sem = relaxed : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  %s = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  fsm.store %s, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @gather(%p: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: it needs more of a block than a piece}}
  %x = fsm.gather %o[%o] axis 0 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  fsm.store %x, %p[%o] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

// Another piece may be stored to where this one reads.
fsm.kernel @elsewhere(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: 'fsm.store' may write what it reads, and another piece of it}}
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  fsm.store %x, %q[%o] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

// The sum needs what the store has replaced by then.
fsm.kernel @again(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: 'fsm.store' may write what it reads, and a loop behind that reads it again}}
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  fsm.store %o, %p[%o] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.barrier
  %s = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  fsm.store %s, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

fsm.kernel @in_a_loop(%p: !fsm.ptr<i32>, %n: i32) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{cannot be walked piece by piece: 'fsm.store' may write what it reads, and it is read again in a loop}}
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %s = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
    fsm.print "sum" %s : i32
  }
  fsm.store %o, %p[%o] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

// What the loop in front of a reverse scan has read the store would have replaced.
fsm.kernel @ahead(%p: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %far = arith.muli %o, %two : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: 'fsm.store' may write what it reads, and another piece of it}}
  %x = fsm.load %p[%o] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %forward = fsm.scan <sum> %x axis 0 : tensor<8xi32>
  %both = fsm.scan <sum> %forward axis 0 reverse : tensor<8xi32>
  fsm.store %both, %p[%far] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

// Behind the atomic another program may have written.
fsm.kernel @between(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 8 : tensor<8xi32>
  // expected-error @below {{cannot be walked piece by piece: 'fsm.atomic_rmw' may write what it reads, and a loop behind that reads it again}}
  %x = fsm.load %out[%o] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  %old = fsm.atomic_rmw <add> %one, %lock : i32, !fsm.ptr<i32>
  %sums = fsm.splat %sum : tensor<8xi32>
  %y = arith.addi %x, %sums : tensor<8xi32>
  fsm.store %y, %out[%o] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// -----

// Pieces of two rows are no pieces of columns of two.
fsm.kernel @turned(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %o = fsm.range 0, 8 : tensor<8xi32>
  %row = fsm.expand_dims %o axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %rows = fsm.broadcast %row : tensor<1x8xi32> -> tensor<2x8xi32>
  %column = fsm.expand_dims %o axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.broadcast %column : tensor<8x1xi32> -> tensor<8x2xi32>
  %x = fsm.load %in[%rows] : !fsm.ptr<i32>, tensor<2x8xi32> -> tensor<2x8xi32>
  // expected-error @below {{cannot be walked piece by piece: it needs more of a block than a piece}}
  %y = fsm.reshape %x : tensor<2x8xi32> -> tensor<8x2xi32>
  fsm.store %y, %out[%columns] : tensor<8x2xi32>, !fsm.ptr<i32>, tensor<8x2xi32>
  fsm.return
}
