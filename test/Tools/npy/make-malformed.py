#!/usr/bin/env python3
"""make-malformed.py DIR: write .npy files that a strict reader must refuse.

Each differs from a good file in one respect, which its name tells. The list is the single place
where they are defined; malformed.golden holds the sentence expected for each.
"""
import os
import struct
import sys

MAGIC = b"\x93NUMPY"
GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"
DATA = bytes(48)


def framed(header, data=DATA, version=(1, 0), length=None, pad=True, magic=MAGIC):
    """A whole file around a header text; `length` lies about the header's length."""
    header = header if isinstance(header, bytes) else header.encode("utf-8")
    size = 2 if version[0] == 1 else 4
    if pad:
        total = -(-(8 + size + len(header) + 1) // 64) * 64
        header += b" " * (total - 8 - size - len(header) - 1) + b"\n"
    field = struct.pack("<H" if size == 2 else "<I", len(header) if length is None else length)
    return magic + bytes(version) + field + header + data


def with_descr(descr, data=DATA):
    return framed("{'descr': " + descr + ", 'fortran_order': False, 'shape': (3, 4), }", data)


def with_shape(shape, data=DATA, descr="'<f4'", version=(1, 0)):
    return framed(
        "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }",
        data,
        version,
    )


def with_order(order):
    return framed("{'descr': '<f4', 'fortran_order': " + order + ", 'shape': (3, 4), }")


def preamble_cases():
    good = framed(GOOD)
    yield "empty", b""
    for cut in (1, 5, 6, 7, 8, 9, 10, 11, 64, 127):
        yield f"cut-at-{cut}", good[:cut]
    for cut in (8, 9, 10, 11, 12, 13):
        yield f"version2-cut-at-{cut}", framed(GOOD, version=(2, 0))[:cut]
    yield "magic-first-byte", b"\x94" + good[1:]
    yield "magic-lower-case", framed(GOOD, magic=b"\x93numpy")
    yield "magic-last-byte", framed(GOOD, magic=b"\x93NUMPZ")
    yield "magic-missing-high-bit", framed(GOOD, magic=b"\x13NUMPY")
    yield "npz-archive", b"PK\x03\x04" + bytes(60)
    yield "gzip", b"\x1f\x8b\x08\x00" + bytes(60)
    yield "text-file", b"1.0 2.0 3.0\n"
    yield "only-zeros", bytes(256)
    for version in ((0, 0), (0, 9), (1, 1), (2, 1), (3, 1), (4, 0), (255, 255)):
        yield "version-%d-%d" % version, framed(GOOD, version=version)
    yield "length-zero", framed(GOOD, length=0)
    yield "length-one", framed(GOOD, length=1)
    yield "length-too-short", framed(GOOD, length=40)
    yield "length-past-end", framed(GOOD, length=400)
    yield "length-largest-16", framed(GOOD, length=0xFFFF)
    yield "length-one-past-end", framed(GOOD, data=b"", length=119)
    yield "length-into-data", framed(GOOD, length=120)
    yield "version2-length-4g", framed(GOOD, version=(2, 0), length=0xFFFFFFFF)
    yield "version2-length-65537", framed(GOOD + " " * 70000, version=(2, 0), length=65537)
    yield "version3-length-2g", framed(GOOD, version=(3, 0), length=0x80000000)
    yield "version1-field-as-2", framed(GOOD, version=(1, 0))[:6] + b"\x02\x00" + framed(GOOD)[8:]
    yield "version2-field-as-1", framed(GOOD, version=(2, 0))[:6] + b"\x01\x00" + framed(
        GOOD, version=(2, 0)
    )[8:]


def dictionary_cases():
    rest = "'fortran_order': False, 'shape': (3, 4), }"
    yield "header-blank", framed("")
    yield "header-nul", framed(b"\0" * 53)
    yield "header-list", framed("['<f4', False, (3, 4)]")
    yield "header-dict-call", framed("dict(descr='<f4')")
    yield "header-json", framed('{"descr": "<f4", "fortran_order": false, "shape": [3, 4]}')
    yield "header-not-closed", framed(GOOD[:-1])
    yield "header-no-newline", framed(GOOD + " " * 58 + " ", pad=False)
    yield "header-newline-only-inside", framed(GOOD + "\n ", pad=False)
    yield "header-ends-in-nul", framed(GOOD.encode() + b"\n\0", pad=False)
    yield "header-comment", framed(GOOD + " # comment")
    yield "header-second-dict", framed(GOOD + GOOD)
    yield "header-expression", framed(GOOD + " or 1")
    yield "header-empty-dict", framed("{}")
    yield "header-double-comma", framed("{'descr': '<f4',, " + rest)
    yield "header-leading-comma", framed("{, 'descr': '<f4', " + rest)
    yield "header-no-comma", framed("{'descr': '<f4' " + rest)
    yield "header-semicolon", framed("{'descr': '<f4'; " + rest)
    yield "header-carriage-return", framed("{'descr': '<f4',\r\n" + rest)
    yield "header-form-feed", framed("{'descr': '<f4',\f" + rest)
    yield "header-no-break-space", framed("{'descr':\u00a0'<f4', " + rest, version=(3, 0))
    yield "header-byte-order-mark", framed("\ufeff" + GOOD, version=(3, 0))
    yield "key-missing-descr", framed("{" + rest)
    yield "key-missing-order", framed("{'descr': '<f4', 'shape': (3, 4), }")
    yield "key-missing-shape", framed("{'descr': '<f4', 'fortran_order': False, }")
    yield "key-unknown", framed("{'descr': '<f4', 'extra': 1, " + rest)
    yield "key-upper-case", framed("{'Descr': '<f4', " + rest)
    yield "key-empty", framed("{'': '<f4', " + rest)
    yield "key-with-space", framed("{'descr ': '<f4', " + rest)
    yield "key-twice-descr", framed("{'descr': '<f4', 'descr': '<f8', " + rest)
    yield "key-twice-order", framed("{'descr': '<f4', 'fortran_order': True, " + rest)
    yield "key-twice-shape", framed("{'descr': '<f4', 'shape': (12,), " + rest)
    yield "key-unquoted", framed("{descr: '<f4', " + rest)
    yield "key-bytes", framed("{b'descr': '<f4', " + rest)
    yield "key-number", framed("{1: '<f4', " + rest)
    yield "key-no-colon", framed("{'descr' '<f4', " + rest)
    yield "key-equals", framed("{'descr' = '<f4', " + rest)
    yield "key-escape", framed("{'\\x64escr': '<f4', " + rest)
    yield "key-control-characters", framed("{'\x1b[31m': '<f4', " + rest)
    yield "key-not-closed", framed("{'descr: <f4, fortran_order: False}")
    yield "key-mixed-quotes", framed("{'descr\": '<f4', " + rest)


def descr_cases():
    for name, descr in {
        "object": "'|O'",
        "object-no-order": "'O'",
        "complex64": "'<c8'",
        "complex128": "'<c16'",
        "bytes": "'|S5'",
        "text": "'<U3'",
        "void": "'|V4'",
        "datetime": "'<M8[ns]'",
        "timedelta": "'<m8[s]'",
        "float128": "'<f16'",
        "float1": "'<f1'",
        "float3": "'<f3'",
        "int3": "'<i3'",
        "int16-bytes": "'<i16'",
        "uint0": "'<u0'",
        "bool4": "'<b4'",
        "no-order": "'f4'",
        "no-size": "'<f'",
        "only-order": "'<'",
        "empty": "''",
        "name": "'float32'",
        "bar-f4": "'|f4'",
        "trailing": "'<f4 '",
        "negative-size": "'<f-4'",
        "upper-case": "'<F4'",
        "two-orders": "'<<f4'",
        "comma-list": "'<f4,<f4'",
        "structured": "[('x', '<f4'), ('y', '<i4')]",
        "subarray": "('<f4', (2,))",
        "none": "None",
        "number": "4",
        "bytes-literal": "b'<f4'",
        "not-closed": "'<f4",
        "escape": "'<f\\x34'",
        "new-line": "'<f\n4'",
        "bfloat16": "'<bfloat16'",
        "void2": "'<V2'",
    }.items():
        yield "descr-" + name, with_descr(descr)
    for name, order in {
        "lower-case": "false",
        "number": "0",
        "string": "'False'",
        "none": "None",
        "longer-word": "Falsey",
        "empty": "",
        "not": "not True",
    }.items():
        yield "order-" + name, with_order(order)


def shape_cases():
    for name, shape in {
        "list": "[3, 4]",
        "number": "12",
        "no-comma": "(12)",
        "string": "'(3, 4)'",
        "none": "None",
        "not-closed": "(3, 4",
        "only-comma": "(,)",
        "double-comma": "(3,, 4)",
        "space-between": "(3 4)",
        "negative": "(-3, 4)",
        "negative-zero": "(-0,)",
        "plus": "(+3, 4)",
        "real": "(3.0, 4)",
        "exponent": "(3e0, 4)",
        "hex": "(0x3, 4)",
        "octal": "(0o3, 4)",
        "leading-zero": "(03, 4)",
        "underscore": "(1_2,)",
        "long": "(3L, 4L)",
        "bool": "(True, 12)",
        "nested": "((3, 4),)",
        "product-expression": "(3*4,)",
        "2-to-63": "(9223372036854775808,)",
        "2-to-64": "(18446744073709551616,)",
        "huge": "(" + "9" * 300 + ",)",
        "product-2-to-64": "(4294967296, 4294967296)",
        "product-2-to-66": "(4194304, 4194304, 4194304)",
        "product-beside-zero": "(0, 4294967296, 4294967296)",
        "bytes-2-to-63": "(2305843009213693952,)",
        "bytes-beside-zero": "(2305843009213693952, 0)",
        "petabyte": "(281474976710656,)",
        "65-extents": "(" + "1, " * 65 + ")",
    }.items():
        yield "shape-" + name, with_shape(shape)
    yield "shape-20000-extents", with_shape("(" + "1, " * 20000 + ")", version=(1, 0))
    yield "shape-deep", framed("{'shape': " + "(" * 30000 + ")" * 30000 + "}")


def data_cases():
    good = framed(GOOD)
    yield "data-missing", framed(GOOD, b"")
    yield "data-one-short", framed(GOOD, bytes(47))
    yield "data-one-more", framed(GOOD, bytes(49))
    yield "data-twice", framed(GOOD, bytes(96))
    yield "data-second-file", good + good
    yield "data-scalar-empty", with_shape("()", b"")
    yield "data-scalar-long", with_shape("()", bytes(5))
    yield "data-after-empty", with_shape("(0, 4)", b"\0")
    yield "data-newline", framed(GOOD, DATA + b"\n")
    yield "data-short-fortran", framed(GOOD.replace("False", "True"), bytes(40))
    yield "data-short-f8", with_descr("'<f8'")
    yield "data-long-f2", with_descr("'<f2'")
    yield "bool-two", with_shape("(4,)", b"\0\1\2\1", "'|b1'")
    yield "bool-255-last", with_shape("(2, 2)", b"\0\1\1\xff", "'|b1'")
    yield "bool-255-big-endian", with_shape("(1,)", b"\xff", "'>b1'")


def cases():
    for family in (preamble_cases, dictionary_cases, descr_cases, shape_cases, data_cases):
        yield from family()


def write_all(directory):
    """Writes every case and returns their names, in order."""
    names = []
    for name, content in cases():
        assert name not in names, name
        names.append(name)
        with open(os.path.join(directory, name + ".npy"), "wb") as file:
            file.write(content)
    return names


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(len(write_all(sys.argv[1])), "files")
