// A tile of 8 x 16 numbers of a matrix with rows of %stride: the picture of its layout is in the README.
fsm.kernel @tile(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32},
                 %stride: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 1 : i32} {
  %ids = fsm.range 0, 8 : tensor<8xi32>
  %strides = fsm.splat %stride : tensor<8xi32>
  %starts = arith.muli %ids, %strides overflow<nsw> : tensor<8xi32>
  %column = fsm.expand_dims %starts axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %rows = fsm.broadcast %column : tensor<8x1xi32> -> tensor<8x16xi32>
  %line = fsm.range 0, 16 : tensor<16xi32>
  %row = fsm.expand_dims %line axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %columns = fsm.broadcast %row : tensor<1x16xi32> -> tensor<8x16xi32>
  %offsets = arith.addi %rows, %columns overflow<nsw> : tensor<8x16xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<f32>, tensor<8x16xi32> -> tensor<8x16xf32>
  fsm.store %x, %out[%offsets] : tensor<8x16xf32>, !fsm.ptr<f32>, tensor<8x16xi32>
  fsm.return
}
