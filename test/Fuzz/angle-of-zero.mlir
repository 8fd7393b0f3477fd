// Zeros that are known before the code runs have the angles of IEEE 754, 0 or pi with the sign of y: kernel 66 of the
// fuzzer, by hand.
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=f32[4] --out=0:%t.cpu.npy
// RUN: %fsm_run %s --device=sim --grid=1 --arg=f32[4] --out=0:%t.sim.npy
// RUN: %python -c "import numpy, sys; [numpy.testing.assert_array_equal(numpy.load(p).view('u4'), numpy.array([0.0, -0.0, numpy.pi, -numpy.pi], 'f4').view('u4')) for p in sys.argv[1:]]" %t.cpu.npy %t.sim.npy

fsm.kernel @angles(%p: !fsm.ptr<f32>) {
  %y = arith.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %x = arith.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf32>
  %angles = math.atan2 %y, %x : tensor<4xf32>
  %places = fsm.range 0, 4 : tensor<4xi32>
  fsm.store %angles, %p[%places] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.return
}
