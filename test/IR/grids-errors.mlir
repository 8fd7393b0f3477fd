// Grids that are refused.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected an integer argument of the kernel in its grid, got %x}}
fsm.kernel @grid(%x: f32) grid [%x] {
  fsm.return
}

// -----

// expected-error @below {{expected an integer argument of the kernel in its grid, got %m-1}}
fsm.kernel @dash(%m: i32) grid [%m-1] {
  fsm.return
}

// -----

// expected-error @below {{expected a number in the kernel's grid, got true}}
fsm.kernel @boolean(%m: i32) grid [%m + true] {
  fsm.return
}

// -----

// expected-error @below {{expected SSA operand}}
fsm.kernel @bracket(%m: i32) grid [[8]] {
  fsm.return
}

// -----

// expected-error @below {{expected a grid of one to three extents of at most 256 numbers, integer arguments and signs}}
fsm.kernel @extents(%m: i32) grid [1, 2, 3, %m] {
  fsm.return
}

// -----

// expected-error @below {{expected a grid of one to three extents of at most 256 numbers, integer arguments and signs}}
fsm.kernel @words(%m: i32) attributes {grid = ["arg0 arg1 +"]} {
  fsm.return
}

// -----

// expected-error @below {{expected a grid of one to three extents of at most 256 numbers, integer arguments and signs}}
fsm.kernel @long(%m: i32) grid [%m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m + %m] {
  fsm.return
}
