"""Every message that a user can see is seen by a test."""

import re

from .cplusplus import closing, code_only, string_value, tokens
from .tree import Finding, line_of, shorten

EMITTER = re.compile(r"\bemit(?:Op)?Error\s*\(")


def _statement_end(code, start):
    """The offset of the semicolon that ends the statement, or of the bracket that closes around it."""
    offset = start
    while offset < len(code) and code[offset] not in ";)}":
        offset = closing(code, offset) + 1 if code[offset] in "([{" else offset + 1
    return offset


def _pieces(text, strings, start, end):
    """The literal texts of a statement; literals with only blanks or comments between them are one."""
    pieces, last = [], None
    for token in strings:
        if start <= token.start < end:
            value = string_value(text[token.start : token.end])
            between = text[last:token.start] if last is not None else "x"
            if re.fullmatch(r"(?:\s|//[^\n]*\n)*", between):
                pieces[-1] += value
            else:
                pieces.append(value)
            last = token.end
    return pieces


def _messages(text):
    """The longest literal piece of each error a file can report, as pairs (piece, offset)."""
    code = code_only(text)
    strings = [token for token in tokens(text) if token.kind == "string"]
    for match in EMITTER.finditer(code):
        pieces = _pieces(text, strings, match.start(), _statement_end(code, match.start()))
        longest = max((" ".join(piece.split()) for piece in pieces), key=len, default="")
        if re.search(r"\w", longest):
            yield longest, match.start()


def diagnostics_have_tests(tree):
    """The longest literal piece of each emitError and emitOpError in lib/ stands in some file under test/."""
    tests = [" ".join(tree.text(name).split()) for name in tree.files(("test/",)) if not name.startswith("test/House/")]
    for name in tree.files(("lib/",), (".cpp", ".h")):
        text = tree.text(name)
        for message, offset in _messages(text):
            if not any(message in test for test in tests):
                yield Finding(name, line_of(text, offset), f"no file under test/ contains the message `{shorten(message)}`")
