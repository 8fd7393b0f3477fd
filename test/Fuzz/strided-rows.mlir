// Offsets that lie in rows of other extents, six elements apart: a vector of them wants the offset of each lane, which come
// from a buffer only. It had none, and the kernel was refused on the CPU. Kernel 2600241 of a run, by hand.
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i32[64]:full:7 --arg=i32[64]:uniform:1 --guard=begin
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i32[64]:full:7 --arg=i32[64]:uniform:1 --guard=end
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[64]:full:7 --arg=i32[64]:uniform:1

fsm.kernel @strided_rows(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %three = fsm.range 0, 3 : tensor<3xi32>
  %two = arith.constant dense<2> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<6xi32>
  %a = arith.muli %three, %two : tensor<3xi32>
  %down = fsm.expand_dims %a axis 1 : tensor<3xi32> -> tensor<3x1xi32>
  %downs = fsm.broadcast %down : tensor<3x1xi32> -> tensor<3x6xi32>
  %range6 = fsm.range 0, 6 : tensor<6xi32>
  %b = arith.muli %range6, %six overflow<nsw> : tensor<6xi32>
  %across = fsm.expand_dims %b axis 0 : tensor<6xi32> -> tensor<1x6xi32>
  %acrosses = fsm.broadcast %across : tensor<1x6xi32> -> tensor<3x6xi32>
  %offs = arith.addi %downs, %acrosses overflow<nsw> : tensor<3x6xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<3x6xi32> -> tensor<3x6xi32>
  %m = arith.cmpi slt, %x, %offs : tensor<3x6xi32>
  %y = fsm.reshape %x : tensor<3x6xi32> -> tensor<1x9x2xi32>
  %o = fsm.reshape %offs : tensor<3x6xi32> -> tensor<1x9x2xi32>
  %mm = fsm.reshape %m : tensor<3x6xi1> -> tensor<1x9x2xi1>
  fsm.store %y, %out[%o], %mm : tensor<1x9x2xi32>, !fsm.ptr<i32>, tensor<1x9x2xi32>
  fsm.return
}
