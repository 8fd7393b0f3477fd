// A comment hides nothing.
module attributes {fsm.a = array // <i64>
    < // i64
    index: 1>} {
}
