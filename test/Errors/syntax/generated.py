"""Malformed sources that no text file should hold: too large, too deep, or no text at all."""

KERNEL = b"fsm.kernel @k(%n: i32) {\n%s  fsm.return\n}\n"
MAX_BYTES = 16 << 20
MAX_NESTING = 256
MAX_OPS = 8192


def nested_loops(count):
    loop = b"scf.for %i = %n to %n step %n : i32 {\n"
    return KERNEL.replace(b"%s", loop * count + b"}\n" * count)


def sources():
    """Names and bytes."""
    yield "generated-bytecode", b"ML\xefR\x06MLIR22\0" + bytes(range(64))
    yield "generated-bytecode-magic-only", b"ML\xefR"
    yield "generated-nul", b"fsm.kernel @k() {\n  fsm.return\0\n}\n"
    yield "generated-nul-first", b"\0" + KERNEL.replace(b"%s", b"")
    yield "generated-not-utf-8", KERNEL.replace(b"%s", b"  \xff\xfe\n")
    yield "generated-one-byte-too-large", b" " * (MAX_BYTES + 1)
    yield "generated-empty", b""
    yield "generated-loops-too-deep", nested_loops(MAX_NESTING)
    yield "generated-loops-much-too-deep", nested_loops(100_000)
    yield "generated-types-too-deep", b"fsm.kernel @k(%p: " + b"!fsm.ptr<" * 300 + b"f32" + b">" * 300 + b") {\n}\n"
    yield "generated-tuples-too-deep", KERNEL.replace(b"%s", b"%a = ub.poison : " + b"tuple<" * 5000 + b">" * 5000 + b"\n")
    yield "generated-attributes-too-deep", b"module attributes {x = " + b"[" * 5000 + b"]" * 5000 + b"} {\n}\n"
    yield "generated-dictionaries-too-deep", b"module attributes " + b"{x = " * 1000 + b"1" + b"}" * 1000 + b"\n"
    yield "generated-locations-too-deep", b"module {\n} loc(" + b"callsite(" * 1000 + b"unknown"
    yield "generated-too-many-ops", KERNEL.replace(b"%s", b"".join(b"  %%a%d = arith.addi %%n, %%n : i32\n" % i for i in range(MAX_OPS)))
    yield "generated-type-aliases-too-deep", b"!a0 = f32\n" + b"".join(b"!a%d = tuple<!a%d>\n" % (i, i - 1) for i in range(1, 100_000))
    yield "generated-attribute-aliases-too-deep", b"#a0 = 1\n" + b"".join(b"#a%d = [#a%d]\n" % (i, i - 1) for i in range(1, 100_000))
    yield "generated-aliases-not-defined", b"!a = tuple<!b>\n" + KERNEL.replace(b"%s", b"")
    yield "generated-very-long-line", KERNEL.replace(b"%s", b"  // " + b"x" * 1_000_000 + b"\n  ?\n")


def generate(folder):
    """Writes each to a file of its own."""
    for name, text in sources():
        (folder / f"{name}.mlir").write_bytes(text)
