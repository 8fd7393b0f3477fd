// Values hold no placeholders.
// options: -DA=${B}
// param A = 64
// param B = 64
fsm.kernel @k() {
  %a = fsm.range 0, ${A} : tensor<64xi32>
  fsm.return
}
