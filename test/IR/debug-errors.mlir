// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @nothing() {
  // expected-error @below {{'fsm.print' op expected at least one value to print}}
  fsm.print "label"
  fsm.return
}

// -----

fsm.kernel @shapes(%i: i32) {
  // expected-note@+1 {{the other one is made here}}
  %a = fsm.splat %i : tensor<4xi32>
  // expected-note@+1 {{this block is made here}}
  %b = fsm.splat %i : tensor<2x2xi32>
  // expected-error @below {{'fsm.print' op expected blocks of one shape, got 'tensor<2x2xi32>' beside another}}
  fsm.print "label" %a, %i, %b : tensor<4xi32>, i32, tensor<2x2xi32>
  fsm.return
}

// -----

// expected-note@+1 {{the value is this argument}}
fsm.kernel @hex(%i: i32, %x: f32) {
  // expected-error @below {{'fsm.print' op expected integers or pointers for 'hex', got 'f32'}}
  fsm.print "label" hex %i, %x : i32, f32
  fsm.return
}

// -----

fsm.kernel @condition(%i: i32) {
  // expected-error @below {{op operand #0 must be i1 or block of i1, but got}}
  fsm.assert %i, "message" : i32
  fsm.return
}

// -----

fsm.kernel @number(%i: i32) {
  // expected-error @below {{expected 'fsm.debug_number' on fsm.print and fsm.assert, with an i32 of at least 0, as fsm-number-debug-ops writes it, got -1 : i32}}
  fsm.print "label" %i : i32 {fsm.debug_number = -1 : i32}
  fsm.return
}

// -----

fsm.kernel @place(%i: i32) {
  // expected-error @below {{expected 'fsm.debug_number' on fsm.print and fsm.assert, with an i32 of at least 0, as fsm-number-debug-ops writes it, got 0 : i32}}
  %a = fsm.splat %i {fsm.debug_number = 0 : i32} : tensor<4xi32>
  fsm.return
}

// -----

// expected-error @below {{expected 'fsm.debug_ops' on the kernel, then the function, with a list of dictionaries with place, text, values and so on, as fsm-number-debug-ops writes it, got [{place = "here"}]}}
fsm.kernel @list() attributes {fsm.debug_ops = [{place = "here"}]} {
  fsm.return
}

// -----

// expected-error @below {{expected 'fsm.hidden_arguments' on the function, with a list of program_count, debug_records, scratch and tensor_map, as convert-fsm-to-gpu or convert-fsm-to-cpu writes it, got ["program_count", "stream"] on 'fsm.kernel'}}
fsm.kernel @hidden() attributes {fsm.hidden_arguments = ["program_count", "stream"]} {
  fsm.return
}
