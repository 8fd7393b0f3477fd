// A kernel has exactly one block.
"fsm.kernel"() <{function_type = () -> (), sym_name = "k"}> ({

}) : () -> ()
