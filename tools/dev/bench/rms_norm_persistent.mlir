// RMS norm by programs that keep the weights and share the rows: what a program does once pays the more, the more
// rows it has. `rms_norm` of examples/09-rms-norm.mlir is the same with one row a program.
//
// param BLOCK = 4096
// param STAGES = 4

fsm.kernel @rms_norm(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %weight: !fsm.ptr<f32>, %in_stride: i32, %out_stride: i32, %rows: i32, %cols: i32, %eps: f32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %w = fsm.load %weight[%offs], %mask : !fsm.ptr<f32>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}xf32>
  %count = arith.sitofp %cols : i32 to f32
  %apart = arith.cmpi sge, %out_stride, %cols : i32
  fsm.assume %apart
  scf.for %row = %first to %rows step %step : i32 {
    %i = arith.muli %row, %in_stride overflow<nsw> : i32
    %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %src[%offs], %mask : !fsm.ptr<f32>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}xf32>
    %square = arith.mulf %x, %x : tensor<${BLOCK}xf32>
    %sum = fsm.reduce <sum> %square axis 0 : tensor<${BLOCK}xf32> -> f32
    %mean = arith.divf %sum, %count : f32
    %stable = arith.addf %mean, %eps : f32
    %scale = math.rsqrt %stable : f32
    %scales = fsm.splat %scale : tensor<${BLOCK}xf32>
    %normal = arith.mulf %x, %scales : tensor<${BLOCK}xf32>
    %y = arith.mulf %normal, %w : tensor<${BLOCK}xf32>
    %o = arith.muli %row, %out_stride overflow<nsw> : i32
    %dst = fsm.offset %out, %o : !fsm.ptr<f32>, i32
    fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}xf32>, !fsm.ptr<f32>, tensor<${BLOCK}xi32>
  } {fsm.num_stages = ${STAGES} : i32}
  fsm.return
}
