"""Steps whose values are pointers: as integers, in memory, chosen, carried by loops and handed to helpers."""

from .control_steps import FRAME
from .language import ELEMENTS
from .registry import step

# Elements that such a pointer may be moved by, and then read.
REACH = 8
# Pointers of a table that belong to one program.
SLOTS = 4
TABLE = "!fsm.ptr<!fsm.ptr<{}>>"


def target(kernel):
    """An element type, what a pointer to it is, and such a pointer."""
    element = kernel.dice.choice(kernel.buffers)
    return element, f"!fsm.ptr<{element}>", kernel.pointer(element, REACH)


def read(kernel, element, name):
    """What the pointer shows is a value."""
    kernel.define((), element, f"fsm.load {name} : !fsm.ptr<{element}> -> {element}", kernel.held(element))


def define(kernel, text):
    return kernel.define((), "ptr", text, hide=True).name


def condition(kernel):
    return kernel.some((), "i1").name


@step(("fsm.ptr_to_int",), ELEMENTS)
def through_an_integer(kernel, op, element):
    """A pointer becomes an integer and one again, and is read through."""
    kernel.need(element)
    base, kind = kernel.pointer(element, 1).name, f"!fsm.ptr<{element}>"
    address = define(kernel, f"fsm.ptr_to_int {base} : {kind} -> i64")
    read(kernel, element, define(kernel, f"fsm.int_to_ptr {address} : i64 -> {kind}"))


@step(("fsm.store",), ("ptr",), times=2)
def through_memory(kernel, op, element):
    """A pointer is stored in a table of pointers and loaded again; the table's own address goes through an integer."""
    element, kind, base = target(kernel)
    kernel.uses_table = True
    table = TABLE.format(element)
    address = define(kernel, "fsm.ptr_to_int %t : !fsm.ptr<i64> -> i64")
    whole = define(kernel, f"fsm.int_to_ptr {address} : i64 -> {table}")
    slot = kernel.constant((), "i32", kernel.dice.randrange(SLOTS)).name
    place = define(kernel, f"fsm.offset {whole}, {slot} : {table}, i32")
    if kernel.dice.random() < 0.75:
        address = define(kernel, f"fsm.ptr_to_int {place} : {table} -> i64")
        place = define(kernel, f"fsm.int_to_ptr {address} : i64 -> {table}")
    kernel.write(f"fsm.store {base.name}, {place} : {kind}, {table}")
    kernel.stored = True
    if kernel.dice.random() < 0.3:
        kernel.write("fsm.barrier")
    read(kernel, element, define(kernel, f"fsm.load {place} : {table} -> {kind}"))


@step(("arith.select", "ub.poison", "scf.if"), ("ptr",))
def choose(kernel, op, element):
    element, kind, first = target(kernel)
    second = kernel.pointer(element, REACH)
    if op == "scf.if":
        name = define(kernel, f"{op} {condition(kernel)} -> ({kind}) {{")
        kernel.write(f"  scf.yield {first.name} : {kind}")
        kernel.write("} else {")
        kernel.write(f"  scf.yield {second.name} : {kind}")
        kernel.write("}")
    elif op == "ub.poison":
        poison, no = define(kernel, f"{op} : {kind}"), kernel.constant((), "i1", 0).name
        name = define(kernel, f"arith.select {no}, {poison}, {first.name} : {kind}")
    else:
        name = define(kernel, f"{op} {condition(kernel)}, {first.name}, {second.name} : {kind}")
    read(kernel, element, name)


@step(("scf.for", "scf.while"), ("ptr",))
def carry(kernel, op, element):
    """A loop moves a pointer by an element in each of some trips."""
    element, kind, first = target(kernel)
    zero, one, end = (kernel.constant((), "i32", n).name for n in (0, 1, kernel.dice.randrange(REACH)))
    if op == "scf.for":
        name, number = kernel.name(), kernel.count
        kernel.write(f"{name} = scf.for %i{number} = {zero} to {end} step {one} iter_args(%c{number} = {first.name}) -> ({kind}) : i32 {{")
        kernel.write(f"  %d{number} = fsm.offset %c{number}, {one} : {kind}, i32")
        kernel.write(f"  scf.yield %d{number} : {kind}")
    else:
        pair, number = kernel.name(), kernel.count
        name, kinds = f"{pair}#1", f"i32, {kind}"
        kernel.write(f"{pair}:2 = scf.while (%i{number} = {zero}, %c{number} = {first.name}) : ({kinds}) -> ({kinds}) {{")
        kernel.write(f"  %g{number} = arith.cmpi slt, %i{number}, {end} : i32")
        kernel.write(f"  scf.condition(%g{number}) %i{number}, %c{number} : {kinds}")
        kernel.write("} do {")
        kernel.write(f"^bb0(%j{number}: i32, %e{number}: {kind}):")
        kernel.write(f"  %d{number} = fsm.offset %e{number}, {one} : {kind}, i32")
        kernel.write(f"  %k{number} = arith.addi %j{number}, {one} : i32")
        kernel.write(f"  scf.yield %k{number}, %d{number} : {kinds}")
    kernel.write("}")
    read(kernel, element, name)


@step(("func.call",), ("ptr",))
def move(kernel, op, element):
    """A helper gives a pointer behind the one that it takes."""
    element, kind, first = target(kernel)
    name = kernel.name()[1:]
    kernel.functions.append(
        f"func.func @{name}(%{name}_p: {kind}, %{name}_n: i32, {FRAME}) -> {kind} {{\n"
        f"  %{name}_q = fsm.offset %{name}_p, %{name}_n : {kind}, i32\n  func.return %{name}_q : {kind}\n}}\n")
    count = kernel.masked(kernel.some((), "i32"), REACH - 1).name
    read(kernel, element, define(kernel, f"{op} @{name}({first.name}, {count}, {FRAME}) : ({kind}, i32, {FRAME}) -> {kind}"))


@step(("fsm.print",), ("ptr",))
def show(kernel, op, element):
    """Addresses differ from run to run; what is printed is not compared."""
    if kernel.trips == 1:
        _, kind, first = target(kernel)
        kernel.write(f'{op} "address" {first.name} : {kind}')
