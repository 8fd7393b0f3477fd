// A kernel ends with fsm.return.
"fsm.kernel"() <{function_type = () -> (), sym_name = "k"}> ({
^entry:
}) : () -> ()
