// Matrix product of 16-bit activations and 8-bit weights, as models have them that were made
// smaller: c = a w, where element (k, n) of w is an integer times the scale of its column. A
// program computes a tile of BM x BN; it widens weights where it multiplies, and scales the
// sums once. Grid: tiles across times tiles down, as the kernel states.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BM = 64 in 16, 64, 128, 256
// param BN = 64 in 64, 128, 256
// param BK = 32 in 32, 64, 128
// param STAGES = 3 in 2, 3, 4, 6
// The element type of a and c: f16 or bf16.
// param T = f16

!a = tensor<${BM}x${BK}x${T}>
!w = tensor<${BK}x${BN}x${T}>
!sums = tensor<${BM}x${BN}xf32>
!matrix = !fsm.descriptor<2 x ${T}>

fsm.kernel @matmul(%c: !fsm.ptr<${T}>, %a: !fsm.ptr<${T}>, %w: !fsm.ptr<i8>, %scales: !fsm.ptr<f32>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %w_stride: i32) grid [ceildiv(%n, ${BN}), ceildiv(%m, ${BM})] {
  %in_a = fsm.descriptor %a sizes [%m, %k] strides [%a_stride, 1] : !fsm.ptr<${T}> -> !matrix
  %in_w = fsm.descriptor %w sizes [%k, %n] strides [%w_stride, 1] : !fsm.ptr<i8> -> !fsm.descriptor<2 x i8>
  %in_c = fsm.descriptor %c sizes [%m, %n] strides [%c_stride, 1] : !fsm.ptr<${T}> -> !matrix
  %in_scales = fsm.descriptor %scales sizes [%n] strides [1] : !fsm.ptr<f32> -> !fsm.descriptor<1 x f32>
  %across = fsm.program_id x : i32
  %down = fsm.program_id y : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %row = arith.muli %down, %bm overflow<nsw> : i32
  %column = arith.muli %across, %bn overflow<nsw> : i32
  %none = arith.constant 0 : i32
  %step = arith.constant ${BK} : i32
  %zeros = arith.constant dense<0.0> : !sums
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
    %x = fsm.load_tile %in_a[%row, %i] : !matrix -> !a
    %small = fsm.load_tile %in_w[%i, %column] : !fsm.descriptor<2 x i8> -> tensor<${BK}x${BN}xi8>
    %y = arith.sitofp %small : tensor<${BK}x${BN}xi8> to !w
    %next = fsm.dot %x, %y, %sum : !a, !w -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}
  %line = fsm.load_tile %in_scales[%column] : !fsm.descriptor<1 x f32> -> tensor<${BN}xf32>
  %lines = fsm.broadcast %line dims [1] : tensor<${BN}xf32> -> !sums
  %scaled = arith.mulf %sums, %lines : !sums
  %result = arith.truncf %scaled : !sums to tensor<${BM}x${BN}x${T}>
  fsm.store_tile %result, %in_c[%row, %column] : tensor<${BM}x${BN}x${T}>, !matrix
  fsm.return
}
