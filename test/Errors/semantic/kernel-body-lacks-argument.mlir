// The body has the arguments of the kernel's type.
"fsm.kernel"() <{function_type = (i32) -> (), sym_name = "k"}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
