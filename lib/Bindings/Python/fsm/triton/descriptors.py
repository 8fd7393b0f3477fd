"""Descriptors of tensors: Triton's own pass takes them apart into pointers, strides and masks, and what it loses is kept here.

A descriptor promises that the hardware may copy what it describes: its address and its strides but the last are multiples of
16 bytes, and the last stride is 1. Of one that a kernel makes, an `llvm.intr.assume` behind it says so; of one that is an
argument, and whose promises Triton has seen to when it was made, attributes of the arguments that it becomes.
"""

import re

from triton._C.libtriton import ir, passes

from . import errors

# What addresses and strides are multiples of, in bytes.
MULTIPLE = 16


def are_of_arguments(module):
    """Whether descriptors are among the kernel's arguments, or the kernel makes some of an argument's memory: the launch knows
    what they describe then."""
    function = module.get_function(module.get_entry_func_name())
    arguments = [function.args(i) for i in range(function.get_num_args())]
    if any("tensordesc" in str(argument.get_type()) for argument in arguments):
        return True
    bases, known = [], {argument.id() for argument in arguments}
    module.walk(lambda op: bases.append(op.get_operand(0).id()) if op.get_name() == "tt.make_tensor_descriptor" else None)
    return any(base in known for base in bases)


def taken_apart(module):
    """The module without descriptors, if it has some."""
    text = str(module)
    if "tensordesc" not in text:
        return
    builder = ir.builder(module.context)
    made = []
    module.walk(lambda op: made.append(op) if op.get_name() == "tt.make_tensor_descriptor" else None)
    for op in made:
        _assume_multiples(builder, op)
    function = module.get_function(module.get_entry_func_name())
    kinds = [str(function.args(i).get_type()) for i in range(function.get_num_args())]
    _run(module, text, passes.ttir.add_rewrite_tensor_descriptor_to_pointer)
    _promise_multiples(builder, module, kinds)
    _run(module, text, passes.common.add_canonicalizer, passes.common.add_cse, passes.common.add_symbol_dce)


def _run(module, text, *added):
    manager = ir.pass_manager(module.context)
    for add in added:
        add(manager)
    try:
        manager.run(module, "fsm")
    except RuntimeError:
        place, op = _op_of(text)
        raise errors.CompileError(f"{place}error: expected an access to a tensor by its descriptor that Triton can take "
                                  f"apart, got '{op}'") from None


def _shape_of(kind):
    """Rank and bytes of an element of what a descriptor describes, by the text of its type."""
    extents, bits = re.search(r"tensor<((?:\d+x)+)[a-z]+(\d+)", kind).groups()
    return extents.count("x"), max(1, int(bits) // 8)


def _assume_multiples(builder, op):
    result = op.get_result(0)
    rank, element = _shape_of(str(result.get_type()))
    builder.set_insertion_point_after(op)
    builder.set_loc(result.get_loc())
    zero = builder.get_int64(0)

    def assume(number, multiple):
        rest = builder.create_and(number, builder.get_int64(multiple - 1))
        builder.create_assume(builder.create_icmpEQ(rest, zero))

    assume(builder.create_ptr_to_int(op.get_operand(0), builder.get_int64_ty()), MULTIPLE)
    # Behind the address are the extents, then the strides.
    for index in range(1 + rank, 2 * rank):
        if element < MULTIPLE:
            assume(op.get_operand(index), MULTIPLE // element)


def _promise_multiples(builder, module, kinds):
    """`kinds` are the types of the kernel's arguments before: one that was a descriptor is its address, extents, strides and
    what it is filled up with."""
    function = module.get_function(module.get_entry_func_name())
    builder.set_insertion_point_to_start(_first_block(module, function))
    at = 0
    for kind in kinds:
        if "tensordesc" not in kind:
            at += 1
            continue
        rank, element = _shape_of(kind)
        function.set_arg_attr(at, "tt.divisibility", MULTIPLE)
        for stride in range(at + 1 + rank, at + 2 * rank):
            if element < MULTIPLE:
                function.set_arg_attr(stride, "tt.divisibility", MULTIPLE // element)
        function.args(at + 2 * rank).replace_all_uses_with(builder.get_int64(1))
        at += 2 * rank + 2


def _first_block(module, function):
    body, blocks = function.get_region(0).id(), []
    module.walk(lambda op: blocks.append(op.get_block()) if op.get_block() and op.get_block().get_parent().id() == body else None)
    return blocks[0]


def _op_of(text):
    """Place and words of the first reduction by a descriptor, which Triton cannot always take apart, or of another access."""
    ops = re.findall(r"(tt\.descriptor_\w+(?: \w+)?).*loc\((#loc\d*)\)", text)
    op, place = next((pair for pair in ops if "reduce" in pair[0]), (ops or [("a descriptor", "")])[0])
    places = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))
    # Names and calls have places of their own in them; of a call, what is called.
    while place in places and not re.match(r'".*":\d+:\d+$', places[place]):
        inner = re.search(r"#loc\d*", places[place])
        place = inner[0] if inner else ""
    found = re.match(r'"(.*)":(\d+):(\d+)$', places.get(place, ""))
    return f"{found[1]}:{found[2]}:{found[3]}: " if found else "", op
