// Scans and reductions of tuples in helpers, loops and branches, as offsets, of what is computed on demand; regions with ops
// of all kinds.
//
// RUN: %fsm_run %s --kernel=loops --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=f8 --device=cpu --guard=begin --grid=1 --compare=interp --arg=f8E4M3FN[100] --arg=f8E4M3FN[100]:arange
// RUN: %fsm_run %s --kernel=demand --device=cpu --guard=end --grid=1 --compare=interp --arg=i32[77]
// RUN: %fsm_run %s --kernel=offsets --device=cpu --guard=begin --grid=1 --compare=interp --arg=f32[256] --arg=f32[256]:randn:1
// RUN: %fsm_run %s --kernel=steps --device=cpu --guard=end --grid=1 --compare=interp --arg=f32[1500] --arg=f32[1500]:randn:1
// RUN: %fsm_run %s --kernel=loops --device=sim --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=sim --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=1 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=3
// RUN: %fsm_run %s --kernel=loops --device=sim --num-warps=16 --grid=1 --compare=interp --arg=f32[300] --arg=f32[300]:randn:1 --arg=0
// RUN: %fsm_run %s --kernel=f8 --device=sim --grid=1 --compare=interp --arg=f8E4M3FN[100] --arg=f8E4M3FN[100]:arange
// RUN: %fsm_run %s --kernel=f8 --device=sim --num-warps=2 --grid=1 --compare=interp --arg=f8E4M3FN[100] --arg=f8E4M3FN[100]:arange
// RUN: %fsm_run %s --kernel=demand --device=sim --num-warps=1 --grid=1 --compare=interp --arg=i32[77]
// RUN: %fsm_run %s --kernel=demand --device=sim --num-warps=8 --grid=1 --compare=interp --arg=i32[77]
// RUN: %fsm_run %s --kernel=offsets --device=sim --grid=1 --compare=interp --arg=f32[256] --arg=f32[256]:randn:1
// RUN: %fsm_run %s --kernel=offsets --device=sim --num-warps=4 --grid=1 --compare=interp --arg=f32[256] --arg=f32[256]:randn:1
// RUN: %fsm_run %s --kernel=steps --device=sim --grid=1 --compare=interp --arg=f32[1500] --arg=f32[1500]:randn:1
// RUN: %fsm_run %s --kernel=steps --device=sim --num-warps=8 --grid=1 --compare=interp --arg=f32[1500] --arg=f32[1500]:randn:1

func.func @best(%x: tensor<6x50xf32>, %ids: tensor<6x50xi32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %r:2 = fsm.reduce_with %x, %ids axis 1 : tensor<6x50xf32>, tensor<6x50xi32> -> tensor<6xf32>, tensor<6xi32> {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %c = arith.constant 1.0 : f32
    %a1 = arith.mulf %a, %c : f32
    %more = arith.cmpf ogt, %a1, %b : f32
    // A maximum along the rows has equal elements, of which the last one counts in any order.
    %even = arith.cmpf oeq, %a1, %b : f32
    %later = arith.cmpi sgt, %i, %j : i32
    %kept = arith.andi %even, %later : i1
    %l = arith.ori %more, %kept : i1
    %v = arith.select %l, %a, %b : f32
    %k = arith.select %l, %i, %j : i32
    fsm.yield %v, %k : f32, i32
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xi32>
}

// Two equal calls, blocks that a loop carries, and a choice by what a reduction gives.
fsm.kernel @loops(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %flat = fsm.range 0, 300 : tensor<300xi32>
  %o = fsm.reshape %flat : tensor<300xi32> -> tensor<6x50xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<6x50xi32> -> tensor<6x50xf32>
  %acc0 = fsm.splat %zero : tensor<6xi32>
  %f0 = arith.constant 0.0 : f32
  %sum0 = fsm.splat %f0 : tensor<6x50xf32>
  %r:3 = scf.for %t = %zero to %n step %one iter_args(%y = %x, %acc = %acc0, %s = %sum0) -> (tensor<6x50xf32>, tensor<6xi32>, tensor<6x50xf32>) : i32 {
    %b:2 = func.call @best(%y, %o) : (tensor<6x50xf32>, tensor<6x50xi32>) -> (tensor<6xf32>, tensor<6xi32>)
    %e:2 = func.call @best(%y, %o) : (tensor<6x50xf32>, tensor<6x50xi32>) -> (tensor<6xf32>, tensor<6xi32>)
    %z = fsm.scan <sum> %y axis 0 reverse : tensor<6x50xf32>
    %w = fsm.scan <max> %z axis 1 : tensor<6x50xf32>
    %total, %cnt = fsm.reduce_with %b#0, %b#1 axis 0 : tensor<6xf32>, tensor<6xi32> -> f32, i32 {
    ^bb0(%a: f32, %i: i32, %c: f32, %j: i32):
      %v = arith.maxnumf %a, %c : f32
      %k = arith.addi %i, %j : i32
      fsm.yield %v, %k : f32, i32
    }
    %acc1 = arith.addi %acc, %e#1 : tensor<6xi32>
    %big = arith.cmpi sgt, %cnt, %zero : i32
    %pick = scf.if %big -> (tensor<6x50xf32>) {
      %q = fsm.scan_with %w axis 1 reverse : tensor<6x50xf32> {
      ^bb0(%a: f32, %c: f32):
        %half = arith.constant 0.5 : f32
        %m = arith.minnumf %a, %c : f32
        fsm.yield %m : f32
      }
      scf.yield %q : tensor<6x50xf32>
    } else {
      scf.yield %w : tensor<6x50xf32>
    }
    %ts = fsm.splat %total : tensor<6x50xf32>
    %p = arith.subf %pick, %ts : tensor<6x50xf32>
    %s1 = arith.addf %s, %p : tensor<6x50xf32>
    scf.yield %w, %acc1, %s1 : tensor<6x50xf32>, tensor<6xi32>, tensor<6x50xf32>
  }
  %fa = arith.sitofp %r#1 : tensor<6xi32> to tensor<6xf32>
  %fe = fsm.expand_dims %fa axis 1 : tensor<6xf32> -> tensor<6x1xf32>
  %fb = fsm.broadcast %fe : tensor<6x1xf32> -> tensor<6x50xf32>
  %res = arith.addf %r#2, %fb : tensor<6x50xf32>
  fsm.store %res, %out[%o] : tensor<6x50xf32>, !fsm.ptr<f32>, tensor<6x50xi32>
  fsm.return
}

// f8 is chosen, not computed on.
fsm.kernel @f8(%out: !fsm.ptr<f8E4M3FN>, %in: !fsm.ptr<f8E4M3FN>) {
  %o = fsm.range 0, 100 : tensor<100xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f8E4M3FN>, tensor<100xi32> -> tensor<100xf8E4M3FN>
  %k, %v = fsm.scan_with %o, %x axis 0 reverse : tensor<100xi32>, tensor<100xf8E4M3FN> {
  ^bb0(%a: i32, %i: f8E4M3FN, %b: i32, %j: f8E4M3FN):
    %c7 = arith.constant 7 : i32
    %m = arith.andi %a, %c7 : i32
    %z = arith.constant 0 : i32
    %c = arith.cmpi eq, %m, %z : i32
    %vv = arith.select %c, %i, %j : f8E4M3FN
    %kk = arith.select %c, %a, %b : i32
    fsm.yield %kk, %vv : i32, f8E4M3FN
  }
  fsm.store %v, %out[%o] : tensor<100xf8E4M3FN>, !fsm.ptr<f8E4M3FN>, tensor<100xi32>
  fsm.return
}

// Nothing has a layout of its own.
fsm.kernel @demand(%out: !fsm.ptr<i32>) {
  %o = fsm.range 0, 77 : tensor<77xi32>
  %k = fsm.reduce_with %o axis 0 : tensor<77xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %v = arith.addi %a, %b : i32
    fsm.yield %v : i32
  }
  %s = fsm.scan <xor> %o axis 0 : tensor<77xi32>
  fsm.store %s, %out[%o] : tensor<77xi32>, !fsm.ptr<i32>, tensor<77xi32>
  fsm.store %k, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// What a scan gives says nothing of neighbours.
fsm.kernel @offsets(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %c = arith.constant 100 : i32
  %cs = fsm.splat %c : tensor<256xi32>
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %ones = fsm.splat %one : tensor<256xi32>
  %m = arith.minsi %o, %cs : tensor<256xi32>
  %s = fsm.scan <max> %m axis 0 : tensor<256xi32>
  %r = fsm.scan <sum> %ones axis 0 reverse : tensor<256xi32>
  %d = arith.subi %r, %ones : tensor<256xi32>
  %k = fsm.reduce_with %o axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %w = arith.andi %a, %b : i32
    fsm.yield %w : i32
  }
  %p = fsm.offset %in, %k : !fsm.ptr<f32>, i32
  %x = fsm.load %p[%s] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  fsm.store %x, %out[%d] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}

// Lines of two elements are combined once each: any region will do.
fsm.kernel @steps(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %f = fsm.range 0, 1500 : tensor<1500xi32>
  %o = fsm.reshape %f : tensor<1500xi32> -> tensor<750x2xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<750x2xi32> -> tensor<750x2xf32>
  %s = fsm.scan_with %x axis 1 : tensor<750x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = fsm.convert %a rounding = toward_zero saturate : f32 -> f8E4M3FN
    %r = fsm.convert %q rounding = nearest_even : f8E4M3FN -> f32
    %one = arith.constant 1.0 : f32
    %aa = math.absf %b : f32
    %sq = fsm.sqrt_rn %aa : f32
    %d = fsm.div_rn %r, %sq : f32
    %e = arith.remf %d, %one : f32
    %z = arith.constant 7 : i32
    %i = arith.fptosi %b : f32 to i32
    %h = fsm.hint %i {multiple_of = array<i64: 1>} : i32
    %p0, %p1, %p2, %p3 = fsm.philox counter %h, %z, %z, %z key %z, %z : i32
    %m = arith.constant 255 : i32
    %n = arith.andi %p0, %m : i32
    %whole = arith.uitofp %n : i32 to f32
    %part = arith.constant 0.00390625 : f32
    %nf = arith.mulf %whole, %part : f32
    %poison = ub.poison : f32
    %never = arith.constant false
    %t = arith.addf %e, %nf : f32
    %u = arith.select %never, %poison, %t : f32
    %w = math.tanh %u : f32
    fsm.yield %w : f32
  }
  %turned = fsm.reshape %s : tensor<750x2xf32> -> tensor<2x750xf32>
  %places = fsm.reshape %f : tensor<1500xi32> -> tensor<2x750xi32>
  %t = fsm.scan_with %turned axis 0 reverse : tensor<2x750xf32> {
  ^bb0(%a: f32, %b: f32):
    %q = fsm.convert %a rounding = nearest_even : f32 -> f16
    %r = fsm.convert %q rounding = nearest_even : f16 -> f32
    %c = math.copysign %r, %b : f32
    %fm = math.fma %c, %a, %b : f32
    fsm.yield %fm : f32
  }
  fsm.store %t, %out[%places] : tensor<2x750xf32>, !fsm.ptr<f32>, tensor<2x750xi32>
  fsm.return
}
