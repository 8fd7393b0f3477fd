// A kernel is a symbol.
"fsm.kernel"() <{function_type = () -> ()}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
