// A kernel's type is a function type.
"fsm.kernel"() <{function_type = i32, sym_name = "k"}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
