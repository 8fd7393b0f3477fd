// Promises are about arguments of kernels.
"fsm.kernel"() <{arg_attrs = [{fsm.align = 16 : i32}], function_type = (f32) -> (), sym_name = "k"}> ({
^entry(%x: f32):
  "fsm.return"() : () -> ()
}) : () -> ()
