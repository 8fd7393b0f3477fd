// The largest and the smallest number of each row of 512, as they are and made f32. TO may be "propagate_nan :".
// param T = f16
// param TO = :

fsm.kernel @extremes(%out: !fsm.ptr<f32>, %in: !fsm.ptr<${T}>) {
  %row = fsm.program_id x : i32
  %size = arith.constant 512 : i32
  %first = arith.muli %row, %size overflow<nsw> : i32
  %from = fsm.offset %in, %first : !fsm.ptr<${T}>, i32
  %i = fsm.range 0, 512 : tensor<512xi32>
  %x = fsm.load %from[%i] : !fsm.ptr<${T}>, tensor<512xi32> -> tensor<512x${T}>
  %wide = arith.extf %x : tensor<512x${T}> to tensor<512xf32>
  %most = fsm.reduce <max> %wide axis 0 ${TO} tensor<512xf32> -> f32
  %least = fsm.reduce <min> %wide axis 0 ${TO} tensor<512xf32> -> f32
  %narrow_most = fsm.reduce <max> %x axis 0 ${TO} tensor<512x${T}> -> ${T}
  %narrow_least = fsm.reduce <min> %x axis 0 ${TO} tensor<512x${T}> -> ${T}
  %second = arith.extf %narrow_most : ${T} to f32
  %third = arith.extf %narrow_least : ${T} to f32
  %four = arith.constant 4 : i32
  %at = arith.muli %row, %four overflow<nsw> : i32
  %to = fsm.offset %out, %at : !fsm.ptr<f32>, i32
  fsm.store %most, %to : f32, !fsm.ptr<f32>
  %one = arith.constant 1 : i32
  %to1 = fsm.offset %to, %one : !fsm.ptr<f32>, i32
  fsm.store %least, %to1 : f32, !fsm.ptr<f32>
  %to2 = fsm.offset %to1, %one : !fsm.ptr<f32>, i32
  fsm.store %second, %to2 : f32, !fsm.ptr<f32>
  %to3 = fsm.offset %to2, %one : !fsm.ptr<f32>, i32
  fsm.store %third, %to3 : f32, !fsm.ptr<f32>
  fsm.return
}
