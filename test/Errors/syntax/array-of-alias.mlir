// Nor does an alias.
!i = index
module attributes {fsm.a = array<!i: 1>} {
}
