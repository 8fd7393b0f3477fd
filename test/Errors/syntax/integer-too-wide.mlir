// A constant takes as much memory as its type has bits.
module attributes {fsm.a = 1 : si16777215} {
}
