// atan2 of the smallest numbers that there are, 0 to 15 times 2^-1074 with both signs, where half of a number is none.
//
// RUN: %python -c "import numpy; n = numpy.ldexp(numpy.arange(16.0), -1074); n = numpy.concatenate([n, -n]); y, x = (a.ravel() for a in numpy.meshgrid(n, n)); [numpy.save(r'%t.' + k + '.npy', v) for k, v in (('y', y), ('x', x), ('o', numpy.arctan2(y, x)))]"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=o=f64[1024] --arg=y=@%t.y.npy --arg=x=@%t.x.npy --check=o:%t.o.npy,rtol=1e-15
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=o=f64[1024] --arg=y=@%t.y.npy --arg=x=@%t.x.npy --check=o:%t.o.npy,rtol=1e-15
// RUN: %fsm_run %s --device=sim --grid=1 --arg=o=f64[1024] --arg=y=@%t.y.npy --arg=x=@%t.x.npy --check=o:%t.o.npy,rtol=1e-15

fsm.kernel @angles(%o: !fsm.ptr<f64>, %y: !fsm.ptr<f64>, %x: !fsm.ptr<f64>) {
  %i = fsm.range 0, 1024 : tensor<1024xi32>
  %a = fsm.load %y[%i] : !fsm.ptr<f64>, tensor<1024xi32> -> tensor<1024xf64>
  %b = fsm.load %x[%i] : !fsm.ptr<f64>, tensor<1024xi32> -> tensor<1024xf64>
  %c = math.atan2 %a, %b : tensor<1024xf64>
  fsm.store %c, %o[%i] : tensor<1024xf64>, !fsm.ptr<f64>, tensor<1024xi32>
  fsm.return
}
