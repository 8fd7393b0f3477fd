// There is one dictionary of attributes per argument.
"fsm.kernel"() <{arg_attrs = [{}, {}], function_type = () -> (), sym_name = "k"}> ({
  "fsm.return"() : () -> ()
}) : () -> ()
