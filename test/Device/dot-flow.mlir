// Products of matrices whose operands are computed, constant, carried, or products themselves, in branches and loops;
// every device computes what the interpreter does. All numbers are small integers, so that every order of a sum
// gives the same bits.
//
// RUN: %fsm_run %s --kernel=chain --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[96]
// RUN: %fsm_run %s --kernel=chain --device=sim --grid=1 --compare=interp --arg=f32[96]
// RUN: %fsm_run %s --kernel=chain --device=sim --grid=1 --compare=interp --num-warps=4 --arg=f32[96]
// RUN: %fsm_run %s --kernel=branches --device=cpu --guard=end --compare=interp --grid=4 --arg=i32[240]
// RUN: %fsm_run %s --kernel=branches --device=sim --compare=interp --grid=4 --arg=i32[240]
// RUN: %fsm_run %s --kernel=branches --device=sim --compare=interp --grid=4 --num-warps=2 --arg=i32[240]
// RUN: %fsm_run %s --kernel=powers --device=cpu --guard=begin --grid=1 --compare=interp --arg=f64[25] --arg=6
// RUN: %fsm_run %s --kernel=powers --device=sim --grid=1 --compare=interp --arg=f64[25] --arg=6
// RUN: %fsm_run %s --kernel=powers --device=sim --grid=1 --compare=interp --num-warps=8 --arg=f64[25] --arg=0
// RUN: %fsm_run %s --kernel=rewritten --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[48]
// RUN: %fsm_run %s --kernel=rewritten --device=sim --grid=1 --compare=interp --num-warps=4 --arg=f32[48]

// (a b) c + the transpose of it, where a is a table, b is computed, c is one number.
fsm.kernel @chain(%out: !fsm.ptr<f32>) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0], [7.0, 8.0, -9.0], [0.0, 1.0, 0.0]]> : tensor<4x3xf32>
  %n = fsm.range 0, 18 : tensor<18xi32>
  %m = fsm.reshape %n : tensor<18xi32> -> tensor<3x6xi32>
  %b = arith.sitofp %m : tensor<3x6xi32> to tensor<3x6xf32>
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %ab = fsm.dot %a, %b, %zero precision = ieee : tensor<4x3xf32>, tensor<3x6xf32> -> tensor<4x6xf32>
  %c = arith.constant dense<2.0> : tensor<6x24xf32>
  %begin = arith.constant dense<1.0> : tensor<4x24xf32>
  %abc = fsm.dot %ab, %c, %begin precision = tf32 : tensor<4x6xf32>, tensor<6x24xf32> -> tensor<4x24xf32>
  %more = fsm.dot %ab, %c, %abc precision = tf32 : tensor<4x6xf32>, tensor<6x24xf32> -> tensor<4x24xf32>
  %both = arith.addf %abc, %more : tensor<4x24xf32>
  %k = fsm.range 0, 96 : tensor<96xi32>
  %o = fsm.reshape %k : tensor<96xi32> -> tensor<4x24xi32>
  fsm.store %both, %out[%o] : tensor<4x24xf32>, !fsm.ptr<f32>, tensor<4x24xi32>
  fsm.return
}

// One of two products, of bytes whose sums wrap; a product of odd programs only.
fsm.kernel @branches(%out: !fsm.ptr<i32>) {
  %p = fsm.program_id x : i32
  %one = arith.constant 1 : i32
  %odd = arith.andi %p, %one : i32
  %is_odd = arith.cmpi eq, %odd, %one : i32
  %n = fsm.range 0, 48 : tensor<48xi32>
  %m = fsm.reshape %n : tensor<48xi32> -> tensor<6x8xi32>
  %ps = fsm.splat %p : tensor<6x8xi32>
  %mixed = arith.muli %m, %m : tensor<6x8xi32>
  %moved = arith.addi %mixed, %ps : tensor<6x8xi32>
  %a = arith.trunci %moved : tensor<6x8xi32> to tensor<6x8xi8>
  %l = fsm.range 200, 280 : tensor<80xi32>
  %q = fsm.reshape %l : tensor<80xi32> -> tensor<8x10xi32>
  %b = arith.trunci %q : tensor<8x10xi32> to tensor<8x10xi8>
  %most = arith.constant dense<2147483647> : tensor<6x10xi32>
  %chosen = scf.if %is_odd -> (tensor<6x10xi32>) {
    %d = fsm.dot %a, %b, %most : tensor<6x8xi8>, tensor<8x10xi8> -> tensor<6x10xi32>
    %e = fsm.dot %a, %b, %d : tensor<6x8xi8>, tensor<8x10xi8> -> tensor<6x10xi32>
    scf.yield %e : tensor<6x10xi32>
  } else {
    scf.yield %most : tensor<6x10xi32>
  }
  %k = fsm.range 0, 60 : tensor<60xi32>
  %o = fsm.reshape %k : tensor<60xi32> -> tensor<6x10xi32>
  %size = arith.constant 60 : i32
  %first = arith.muli %p, %size : i32
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %chosen, %to[%o] : tensor<6x10xi32>, !fsm.ptr<i32>, tensor<6x10xi32>
  fsm.return
}

// A power of a matrix: the loop carries a factor, and what it adds to is the factor of before.
fsm.kernel @powers(%out: !fsm.ptr<f64>, %count: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = fsm.range 0, 25 : tensor<25xi32>
  %o = fsm.reshape %n : tensor<25xi32> -> tensor<5x5xi32>
  %three = arith.constant dense<3> : tensor<5x5xi32>
  %small = arith.remsi %o, %three : tensor<5x5xi32>
  %a = arith.sitofp %small : tensor<5x5xi32> to tensor<5x5xf64>
  %power, %last = scf.for %i = %zero to %count step %one iter_args(%x = %a, %before = %a) -> (tensor<5x5xf64>, tensor<5x5xf64>) : i32 {
    %next = fsm.dot %x, %a, %before : tensor<5x5xf64>, tensor<5x5xf64> -> tensor<5x5xf64>
    scf.yield %next, %x : tensor<5x5xf64>, tensor<5x5xf64>
  }
  %sum = fsm.dot %power, %last, %last : tensor<5x5xf64>, tensor<5x5xf64> -> tensor<5x5xf64>
  fsm.store %sum, %out[%o] : tensor<5x5xf64>, !fsm.ptr<f64>, tensor<5x5xi32>
  fsm.return
}

// The operands and the sum are loaded from where the result is stored, and stored to in between.
fsm.kernel @rewritten(%p: !fsm.ptr<f32>) {
  %n = fsm.range 0, 16 : tensor<16xi32>
  %o = fsm.reshape %n : tensor<16xi32> -> tensor<4x4xi32>
  %numbers = arith.sitofp %o : tensor<4x4xi32> to tensor<4x4xf32>
  %sixteen = arith.constant 16 : i32
  %thirty_two = arith.constant 32 : i32
  %q = fsm.offset %p, %sixteen : !fsm.ptr<f32>, i32
  %r = fsm.offset %p, %thirty_two : !fsm.ptr<f32>, i32
  fsm.store %numbers, %p[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  fsm.store %numbers, %q[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<4x4xi32> -> tensor<4x4xf32>
  %b = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<4x4xi32> -> tensor<4x4xf32>
  %negated = arith.negf %numbers : tensor<4x4xf32>
  fsm.store %negated, %p[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  %acc = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<4x4xi32> -> tensor<4x4xf32>
  fsm.store %numbers, %p[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  %d = fsm.dot %a, %b, %acc precision = ieee : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  fsm.store %d, %q[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  %again = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<4x4xi32> -> tensor<4x4xf32>
  %e = fsm.dot %again, %a, %d precision = ieee : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  fsm.store %e, %r[%o] : tensor<4x4xf32>, !fsm.ptr<f32>, tensor<4x4xi32>
  fsm.return
}
