// Nothing of FSM has sets of integers.
module attributes {fsm.a = affine_set<(d0) : (d0 >= 0)>} {
}
