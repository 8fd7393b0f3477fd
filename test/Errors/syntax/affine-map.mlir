// MLIR divides the smallest number by -1.
module attributes {fsm.a = affine_map<(d0) -> ((d0 * -9223372036854775807 - d0) floordiv -1)>} {
}
