// Two values make one word.
// param A = array<
// param B = index>
module attributes {fsm.a = ${A}${B}} {
}
