// Every type of an argument, and names that C has other plans for.
fsm.kernel @types(%a: i1, %b: i8, %c: i16, %int: i32, %stream: i64, %f: f16, %g: bf16, %h: f32, %i: f64, %j: f8E4M3FN,
                  %k: !fsm.ptr<i1>, %l: !fsm.ptr<f16>, %m: !fsm.ptr<f8E5M2>, %n: !fsm.ptr<!fsm.ptr<f32>>, %out: !fsm.ptr<f64>) {
  fsm.store %i, %out : f64, !fsm.ptr<f64>
  fsm.return
}

// Writes what it is given, and where it was asked to be.
fsm.kernel @mixed(%out: !fsm.ptr<f64>, %count: i64 {fsm.divisible = 4 : i32}, %half: f16, %factor: f64, %small: i8) {
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %width = fsm.num_programs x : i32
  %row = arith.muli %y, %width : i32
  %place = arith.addi %row, %x : i32
  %wide = arith.extf %half : f16 to f64
  %number = arith.sitofp %count : i64 to f64
  %eight = arith.sitofp %small : i8 to f64
  %product = arith.mulf %wide, %factor : f64
  %sum = arith.addf %product, %number : f64
  %all = arith.addf %sum, %eight : f64
  %to = fsm.offset %out, %place : !fsm.ptr<f64>, i32
  fsm.store %all, %to : f64, !fsm.ptr<f64>
  fsm.return
}

fsm.kernel @says(%n: i32) {
  fsm.print "n" %n : i32
  fsm.return
}

fsm.kernel @no$name() {
  fsm.return
}

fsm.kernel @nothing() {
  fsm.return
}
