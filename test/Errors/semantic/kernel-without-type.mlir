// A kernel has a function type.
"fsm.kernel"() <{sym_name = "k"}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
