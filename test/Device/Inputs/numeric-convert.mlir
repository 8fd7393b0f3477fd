// One conversion in its four ways; `fsm-run` is driven by converts.py.
// param FROM
// param TO
// param BLOCK = 1024
!out = !fsm.ptr<${TO}>
!offsets = tensor<${BLOCK}xi32>
!source = tensor<${BLOCK}x${FROM}>
!result = tensor<${BLOCK}x${TO}>
fsm.kernel @convert(%near: !out, %near_saturated: !out, %cut: !out, %cut_saturated: !out,
                    %in: !fsm.ptr<${FROM}>, %n: i32) {
  %pid = fsm.program_id x : i32
  %size = arith.constant ${BLOCK} : i32
  %start = arith.muli %pid, %size overflow<nsw> : i32
  %range = fsm.range 0, ${BLOCK} : !offsets
  %starts = fsm.splat %start : !offsets
  %o = arith.addi %starts, %range overflow<nsw> : !offsets
  %bound = fsm.splat %n : !offsets
  %mask = arith.cmpi slt, %o, %bound : !offsets
  %x = fsm.load %in[%o], %mask : !fsm.ptr<${FROM}>, !offsets -> !source
  %a = fsm.convert %x rounding = nearest_even : !source -> !result
  %b = fsm.convert %x rounding = nearest_even saturate : !source -> !result
  %c = fsm.convert %x rounding = toward_zero : !source -> !result
  %d = fsm.convert %x rounding = toward_zero saturate : !source -> !result
  fsm.store %a, %near[%o], %mask : !result, !out, !offsets
  fsm.store %b, %near_saturated[%o], %mask : !result, !out, !offsets
  fsm.store %c, %cut[%o], %mask : !result, !out, !offsets
  fsm.store %d, %cut_saturated[%o], %mask : !result, !out, !offsets
  fsm.return
}
