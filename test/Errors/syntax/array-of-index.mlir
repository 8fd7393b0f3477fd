// MLIR's parser dereferences null here: an index has no width.
module attributes {fsm.a = array<index>} {
}
