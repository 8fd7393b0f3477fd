// The body's arguments have the types of the kernel's type.
"fsm.kernel"() <{function_type = (i32) -> (), sym_name = "k"}> ({
^entry(%a: f32):
  "fsm.return"() : () -> ()
}) : () -> ()
