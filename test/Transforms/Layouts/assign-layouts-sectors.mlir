// What is moved in parts of sectors costs what whole ones do.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a}))' --mlir-print-local-scope | FileCheck %s

// A tile of 2 KB: 8 elements a thread, loaded at once along dimension 0. Stored from there, 8 instructions of a warp would touch 4 sectors
// each and fill half of them.
// CHECK-LABEL: fsm.kernel @tile
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 8 : i32
// CHECK:         fsm.convert_layout
// CHECK:         fsm.store {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 8 : i32
fsm.kernel @tile(%out: !fsm.ptr<bf16> {fsm.align = 16 : i32}, %in: !fsm.ptr<bf16> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [1024, 1] bounds [32, 32] : tensor<32x32xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 1024] bounds [32, 32] : tensor<32x32xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<bf16>, tensor<32x32xi32> -> tensor<32x32xbf16>
  fsm.store %x, %out[%along] : tensor<32x32xbf16>, !fsm.ptr<bf16>, tensor<32x32xi32>
  fsm.return
}

// Places of a picture of unknown width, beside channels that lie a multiple of 16 elements apart: it is guessed that rows are long, and
// lanes go along places. Places that lie any stride apart are no rows, but nearer than what lies a multiple of 16 apart; where any
// stride lies between channels as well, these go along lanes as in any block.
// CHECK-LABEL: fsm.kernel @picture
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32
// CHECK:         fsm.load {{.*}}fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32
// CHECK:         fsm.load {{.*}}fsm.access_dim = 1 : i32, fsm.access_width = 1 : i32
fsm.kernel @picture(%out: !fsm.ptr<bf16>, %in: !fsm.ptr<bf16>, %width: i32, %pitch: i32, %size: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %program = fsm.program_id x : i32
  %length = arith.constant 128 : i32
  %first = arith.muli %program, %length overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %place = arith.addi %firsts, %r overflow<nsw> : tensor<128xi32>
  %widths = fsm.splat %width : tensor<128xi32>
  %column = arith.remsi %place, %widths : tensor<128xi32>
  %row = arith.divsi %place, %widths : tensor<128xi32>
  %pitches = fsm.splat %pitch : tensor<128xi32>
  %begin = arith.muli %row, %pitches overflow<nsw> : tensor<128xi32>
  %at = arith.addi %begin, %column overflow<nsw> : tensor<128xi32>
  %c = fsm.range 0, 32 : tensor<32xi32>
  %sizes = fsm.splat %size : tensor<32xi32>
  %plane = arith.muli %c, %sizes overflow<nsw> : tensor<32xi32>
  %a = fsm.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %b = fsm.expand_dims %plane axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %aa = fsm.broadcast %a : tensor<128x1xi32> -> tensor<128x32xi32>
  %bb = fsm.broadcast %b : tensor<1x32xi32> -> tensor<128x32xi32>
  %from = arith.addi %aa, %bb overflow<nsw> : tensor<128x32xi32>
  %x = fsm.load %in[%from] : !fsm.ptr<bf16>, tensor<128x32xi32> -> tensor<128x32xbf16>
  fsm.store %x, %out[%from] : tensor<128x32xbf16>, !fsm.ptr<bf16>, tensor<128x32xi32>
  %apart = arith.muli %at, %pitches overflow<nsw> : tensor<128xi32>
  %d = fsm.expand_dims %apart axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %dd = fsm.broadcast %d : tensor<128x1xi32> -> tensor<128x32xi32>
  %other = arith.addi %dd, %bb overflow<nsw> : tensor<128x32xi32>
  %y = fsm.load %in[%other] : !fsm.ptr<bf16>, tensor<128x32xi32> -> tensor<128x32xbf16>
  fsm.store %y, %out[%other] : tensor<128x32xbf16>, !fsm.ptr<bf16>, tensor<128x32xi32>
  %any = fsm.splat %pitch : tensor<32xi32>
  %near = arith.muli %c, %any overflow<nsw> : tensor<32xi32>
  %e = fsm.expand_dims %near axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ee = fsm.broadcast %e : tensor<1x32xi32> -> tensor<128x32xi32>
  %third = arith.addi %dd, %ee overflow<nsw> : tensor<128x32xi32>
  %z = fsm.load %in[%third] : !fsm.ptr<bf16>, tensor<128x32xi32> -> tensor<128x32xbf16>
  fsm.store %z, %out[%third] : tensor<128x32xbf16>, !fsm.ptr<bf16>, tensor<128x32xi32>
  fsm.return
}
