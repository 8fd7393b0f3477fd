// Rows of 16-bit elements whose length is odd begin at every place of a vector, and are whole vectors and edges (fsm-split-edges):
// nothing in front of a row or behind it is read or written, masks may end anywhere, and rows of the result may lie otherwise.
//
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=9 --arg=f16[9x4095] --arg=f16[9x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=4095
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=9 --arg=f16[9x4097] --arg=f16[9x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4097 --arg=4095
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=3001
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=3
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=0
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=5000
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=4095 --shift=0:3 --shift=1:5 --shift=2:1
//
// Known of nothing, as where code is made ahead: the result may be the rows themselves.
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=4095 --no-specialize
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=1 --arg=f16[4095] --arg=f16[8200]:randn:1 --arg=f16[4095]:randn:2 --overlap=0:1:5 --arg=4095 --arg=4095 --arg=4095
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=1 --arg=f16[4095] --arg=f16[4095]:randn:1 --arg=f16[8200]:randn:2 --overlap=0:2:5 --arg=4095 --arg=4095 --arg=4095
//
// Several warps of several CTAs, and as many as the author says.
// RUN: %fsm_run %s --kernel=norm --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=4095 --num-warps=1 --num-ctas=4
// RUN: %fsm_run %s --kernel=norm --device=sim --target=sm_80 --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=4095 --arg=4095 --arg=4095 --num-warps=16
//
// What the mask leaves out is combined as it is: each kind, of all elements of the block.
// RUN: %fsm_run %s --kernel=kinds --device=sim --compare=interp --grid=5 --arg=i16[5x6] --arg=i16[5x5001]:arange --arg=5001 --arg=4003
// RUN: %fsm_run %s --kernel=kinds --device=sim --compare=interp --grid=5 --arg=i16[5x6] --arg=i16[5x5001]:arange --arg=5001 --arg=5001
// RUN: %fsm_run %s --kernel=kinds --device=sim --compare=interp --grid=5 --arg=i16[5x6] --arg=i16[5x5001]:arange --arg=5001 --arg=2
//
// Of a block that has one element more than its vectors, places that no element is left for are among the last ones.
// RUN: sed 's/5001/1025/g' %s > %t-one-more.mlir
// RUN: %fsm_run %t-one-more.mlir --kernel=kinds --device=sim --compare=interp --grid=9 --arg=i16[9x6] --arg=i16[9x1025]:arange --arg=1025 --arg=1025

// A row is stored while others of the program's numbers are still to come: weights that lie there are those of before.
// RUN: %fsm_run %s --kernel=early --device=sim --compare=interp --grid=1 --arg=f16[4095] --arg=f16[4095]:randn:1 --arg=f16[8200]:randn:2 --overlap=0:2:5 --arg=f16[4095] --arg=4095 --no-specialize
// RUN: %fsm_run %s --kernel=early --device=sim --compare=interp --grid=3 --arg=f16[3x4095] --arg=f16[3x4095]:randn:1 --arg=f16[4095]:randn:2 --arg=f16[3x4095] --arg=4095

fsm.kernel @norm(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %weight: !fsm.ptr<f16>, %in_stride: i32, %out_stride: i32, %n: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %in_stride overflow<nsw> : i32
  %o = arith.muli %pid, %out_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %o : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %ns = fsm.splat %n : tensor<4095xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<4095xi32>
  %raw = fsm.load %src[%offs], %mask : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %x = arith.extf %raw : tensor<4095xf16> to tensor<4095xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<4095xf32> -> f32
  %maxes = fsm.splat %max : tensor<4095xf32>
  %moved = arith.subf %x, %maxes : tensor<4095xf32>
  %squares = arith.mulf %moved, %moved : tensor<4095xf32>
  %sum = fsm.reduce <sum> %squares axis 0 : tensor<4095xf32> -> f32
  %one = arith.constant 1.0 : f32
  %more = arith.addf %sum, %one : f32
  %scale = math.rsqrt %more : f32
  %scales = fsm.splat %scale : tensor<4095xf32>
  %w = fsm.load %weight[%offs], %mask : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %wide = arith.extf %w : tensor<4095xf16> to tensor<4095xf32>
  %normal = arith.mulf %moved, %scales : tensor<4095xf32>
  %weighted = arith.mulf %normal, %wide : tensor<4095xf32>
  %y = arith.truncf %weighted : tensor<4095xf32> to tensor<4095xf16>
  fsm.store %y, %dst[%offs], %mask : tensor<4095xf16>, !fsm.ptr<f16>, tensor<4095xi32>
  fsm.return
}

// Offsets count among what is combined, with those that the mask leaves out.
fsm.kernel @kinds(%out: !fsm.ptr<i16>, %in: !fsm.ptr<i16>, %stride: i32, %n: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<i16>, i32
  %six = arith.constant 6 : i32
  %o = arith.muli %pid, %six overflow<nsw> : i32
  %offs = fsm.range 0, 5001 : tensor<5001xi32>
  %ns = fsm.splat %n : tensor<5001xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<5001xi32>
  %other = arith.constant 77 : i16
  %x = fsm.load %src[%offs], %mask, %other : !fsm.ptr<i16>, tensor<5001xi32> -> tensor<5001xi16>
  %low = arith.trunci %offs : tensor<5001xi32> to tensor<5001xi16>
  %both = arith.xori %x, %low : tensor<5001xi16>
  %sum = fsm.reduce <sum> %both axis 0 : tensor<5001xi16> -> i16
  %max = fsm.reduce <max> %both axis 0 : tensor<5001xi16> -> i16
  %least = fsm.reduce <umin> %both axis 0 : tensor<5001xi16> -> i16
  %xor = fsm.reduce <xor> %both axis 0 : tensor<5001xi16> -> i16
  %ones = arith.constant dense<1> : tensor<5001xi16>
  %odd = arith.ori %both, %ones : tensor<5001xi16>
  %product = fsm.reduce <prod> %odd axis 0 : tensor<5001xi16> -> i16
  %and = fsm.reduce <and> %odd axis 0 : tensor<5001xi16> -> i16
  %to = fsm.offset %out, %o : !fsm.ptr<i16>, i32
  fsm.store %sum, %to : i16, !fsm.ptr<i16>
  %c1 = arith.constant 1 : i32
  %to1 = fsm.offset %to, %c1 : !fsm.ptr<i16>, i32
  fsm.store %max, %to1 : i16, !fsm.ptr<i16>
  %c2 = arith.constant 2 : i32
  %to2 = fsm.offset %to, %c2 : !fsm.ptr<i16>, i32
  fsm.store %least, %to2 : i16, !fsm.ptr<i16>
  %c3 = arith.constant 3 : i32
  %to3 = fsm.offset %to, %c3 : !fsm.ptr<i16>, i32
  fsm.store %xor, %to3 : i16, !fsm.ptr<i16>
  %c4 = arith.constant 4 : i32
  %to4 = fsm.offset %to, %c4 : !fsm.ptr<i16>, i32
  fsm.store %product, %to4 : i16, !fsm.ptr<i16>
  %c5 = arith.constant 5 : i32
  %to5 = fsm.offset %to, %c5 : !fsm.ptr<i16>, i32
  fsm.store %and, %to5 : i16, !fsm.ptr<i16>
  fsm.return
}

fsm.kernel @early(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %weight: !fsm.ptr<f16> {fsm.align = 16 : i32}, %result: !fsm.ptr<f16> {fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %to = fsm.offset %result, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  fsm.store %raw, %dst[%offs] : tensor<4095xf16>, !fsm.ptr<f16>, tensor<4095xi32>
  %x = arith.extf %raw : tensor<4095xf16> to tensor<4095xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<4095xf32> -> f32
  %maxes = fsm.splat %max : tensor<4095xf32>
  %moved = arith.subf %x, %maxes : tensor<4095xf32>
  %wide = arith.extf %w : tensor<4095xf16> to tensor<4095xf32>
  %weighted = arith.mulf %moved, %wide : tensor<4095xf32>
  %y = arith.truncf %weighted : tensor<4095xf32> to tensor<4095xf16>
  fsm.store %y, %to[%offs] : tensor<4095xf16>, !fsm.ptr<f16>, tensor<4095xi32>
  fsm.return
}
