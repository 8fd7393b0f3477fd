// A kernel's type has a result.
"fsm.kernel"() <{function_type = () -> i32, sym_name = "k"}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
