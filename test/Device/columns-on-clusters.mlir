// Sums of columns of a few long rows on a cluster, whose ctas have no room to hand one another what each has of whole rows: they share
// the rows. Those of one element, of tuples, and beside a maximum of each row; all of it is used again element by element.

// RUN: %fsm_run %s --device=sim --target=sm_90a --num-warps=8 --num-ctas=8 --grid=1 --arg='f32[5x8804]' --arg='f32[5]' --arg='i32[8804]' --arg='i32[5x8804]:uniform:1' --compare=interp
// RUN: %fsm_run %s --device=sim --target=sm_90a --num-warps=4 --num-ctas=16 --grid=1 --arg='f32[5x8804]' --arg='f32[5]' --arg='i32[8804]' --arg='i32[5x8804]:uniform:2' --compare=interp

fsm.kernel @columns(%out: !fsm.ptr<f32>, %largest: !fsm.ptr<f32>, %rows: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %places, %inside = fsm.places origin [0, 0] strides [8804, 1] bounds [5, 8804] : tensor<5x8804xi32>
  %numbers = fsm.load %in[%places] : !fsm.ptr<i32>, tensor<5x8804xi32> -> tensor<5x8804xi32>
  %bits = arith.constant dense<1023> : tensor<5x8804xi32>
  %small = arith.andi %numbers, %bits : tensor<5x8804xi32>
  %x = arith.sitofp %small : tensor<5x8804xi32> to tensor<5x8804xf32>
  %sums = fsm.reduce <sum> %x axis 0 : tensor<5x8804xf32> -> tensor<8804xf32>
  %sums1 = fsm.expand_dims %sums axis 0 : tensor<8804xf32> -> tensor<1x8804xf32>
  %spread = fsm.broadcast %sums1 : tensor<1x8804xf32> -> tensor<5x8804xf32>
  %y = arith.subf %x, %spread : tensor<5x8804xf32>
  fsm.store %y, %out[%places] : tensor<5x8804xf32>, !fsm.ptr<f32>, tensor<5x8804xi32>
  %max = fsm.reduce <max> %x axis 1 : tensor<5x8804xf32> -> tensor<5xf32>
  %row = fsm.range 0, 5 : tensor<5xi32>
  fsm.store %max, %largest[%row] : tensor<5xf32>, !fsm.ptr<f32>, tensor<5xi32>
  %row1 = fsm.expand_dims %row axis 1 : tensor<5xi32> -> tensor<5x1xi32>
  %row2 = fsm.broadcast %row1 : tensor<5x1xi32> -> tensor<5x8804xi32>
  %best:2 = fsm.reduce_with %x, %row2 axis 0 : tensor<5x8804xf32>, tensor<5x8804xi32> -> tensor<8804xf32>, tensor<8804xi32> {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %first = arith.cmpf oge, %a, %b : f32
    %value = arith.select %first, %a, %b : f32
    %index = arith.select %first, %i, %j : i32
    fsm.yield %value, %index : f32, i32
  }
  %column = fsm.range 0, 8804 : tensor<8804xi32>
  fsm.store %best#1, %rows[%column] : tensor<8804xi32>, !fsm.ptr<i32>, tensor<8804xi32>
  fsm.return
}
