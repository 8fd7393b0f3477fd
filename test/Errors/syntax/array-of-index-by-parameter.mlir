// Nor does a parameter.
// param A = array<ind
module attributes {fsm.a = ${A}ex>} {
}
