"""Malformed sources that no text file should hold: too large, too deep, or no text at all."""

KERNEL = b"fsm.kernel @k(%n: i32) {\n%s  fsm.return\n}\n"
MAX_BYTES = 16 << 20
MAX_NESTING = 256
MAX_OPS = 8192


def doubled(first, line, count):
    """Aliases, each of which stands for its predecessor twice."""
    return first + b"".join(line % (i, i - 1, i - 1) for i in range(1, count))


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
    yield "generated-type-aliases-over-lines-too-deep", b"!a0 = f32\n" + b"".join(b"!a%d =\n tuple<!a%d>\n" % (i, i - 1) for i in range(1, 100_000))
    yield "generated-type-aliases-too-long", doubled(b"!a0 = f32\n", b"!a%d = tuple<!a%d, !a%d>\n", 40) + KERNEL.replace(b"i32", b"!a39").replace(b"%s", b"")
    yield "generated-location-aliases-too-long", doubled(b'#a0 = loc("a")\n', b"#a%d = loc(callsite(#a%d at #a%d))\n", 40) + KERNEL.replace(b"%s", b"")
    yield "generated-aliases-not-defined", b"!a = tuple<!b>\n" + KERNEL.replace(b"%s", b"")
    yield "generated-very-long-line", KERNEL.replace(b"%s", b"  // " + b"x" * 1_000_000 + b"\n  ?\n")
    yield "generated-return-behind-comment", b"//\rmodule attributes {x = " + b"[" * 100_000
    yield "generated-return-in-comment", b"func.func @f(%v: tensor //\r<*xf32>) {\n}\n"
    yield "generated-return-in-string", b'module attributes {\r\n  x = "a\rb"} {\r\n}\r\n'
    yield "generated-return-at-end", KERNEL.replace(b"%s", b"") + b"\r"
    yield "generated-error-behind-returns", b'\r\nmodule {\r\n}\r\n "abc\r\n'
    yield "generated-nul-in-comment", b"// \0\n" + KERNEL.replace(b"%s", b"")
    yield "generated-parameter-too-long", b"// param X = " + b"[" * 100_000 + b"\nmodule attributes {x = ${X}"
    yield "generated-parameters-too-deep", b"// param X = " + b"[" * 200 + b"\nmodule attributes {x = ${X}${X}"
    yield "generated-parameters-too-large", b"// param X = " + b"x" * 256 + b"\n" + b"${X}\n" * 70_000
    yield "generated-parameter-makes-bytecode", b"M${X}\n// param X = L\xefR\n"
    yield "generated-bytecode-behind-split", b"// -----\nML\xefR"
    yield "generated-parameter-makes-nul", b"// param X = \0\n" + b"${X}"
    yield "generated-too-many-extents", KERNEL.replace(b"%s", b"%a = ub.poison : tensor<" + b"1x" * 1_000_000 + b"f32>\n")
    yield "generated-integer-too-long", b"module attributes {x = " + b"9" * 100_000 + b"} {\n}\n"
    yield "generated-float-too-long", b"module attributes {x = 1." + b"9" * 100_000 + b"} {\n}\n"
    yield "generated-result-numbers-too-large", KERNEL.replace(b"%s", b"".join(b"  %%a%d = arith.addi %%x%d#9999, %%n : i32\n" % (i, i) for i in range(1000)))


def generate(folder):
    """Writes each to a file of its own."""
    for name, text in sources():
        (folder / f"{name}.mlir").write_bytes(text)
