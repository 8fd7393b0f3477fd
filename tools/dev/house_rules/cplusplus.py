"""As much of C++ as the rules need: what is code, what is a string, where a function begins and ends."""

import re
from collections import namedtuple

Token = namedtuple("Token", "kind start end")
Function = namedtuple("Function", "name start end")

_TOKEN = re.compile(
    r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<character>(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)

_ESCAPES = {"n": "\n", "t": "\t"}


def tokens(text):
    """The comments, strings, characters and preprocessor directives of a file, in order."""
    return [Token(match.lastgroup if match.lastgroup != "delimiter" else "raw", *match.span())
            for match in _TOKEN.finditer(text)]


def code_only(text):
    """The text with comments, directives and the insides of strings blanked out; offsets and lines stay."""
    pieces, end = [], 0
    for token in tokens(text):
        pieces.append(text[end : token.start])
        blank = re.sub(r"[^\n]", " ", text[token.start : token.end])
        if token.kind in ("string", "raw", "character"):
            blank = '"' + blank[1:-1] + '"'
        pieces.append(blank)
        end = token.end
    pieces.append(text[end:])
    return "".join(pieces)


def string_value(literal):
    """The characters that an ordinary string literal stands for."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), literal[1:-1])


def closing(code, start):
    """The offset of the bracket that closes the one at `start`, or the end of the code."""
    depth = 0
    for offset in range(start, len(code)):
        depth += (code[offset] in "([{") - (code[offset] in ")]}")
        if depth == 0:
            return offset
    return len(code) - 1


_BEFORE_HEADER = re.compile(r"(?:\s|(?:public|private|protected)\s*:(?!:))*")
_SCOPE = re.compile(r'^(?:inline\s+)?namespace\b|^extern\s*"\s*"$')
_TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:class|struct|union|enum)\b(?!.*\)\s*(?:const\s*)?$)",
                   re.DOTALL)
_INITIALISERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")
_NAME = re.compile(r"(operator\s*\S+?|~?[A-Za-z_]\w*)\s*\(")

SCOPE, FUNCTION, MEMBER, DATA = "scope", "function", "member", "data"


def _brace_kind(header):
    """What the brace after `header`, the code since the last statement, begins."""
    if _SCOPE.search(header) or _TYPE.search(header):
        return SCOPE
    if _INITIALISERS.search(header) and re.search(r"[\w>]$", header):
        return MEMBER  # `: member{value}` before the body of a constructor
    if "(" not in header or (header.endswith("=") and "operator" not in header):
        return DATA
    return FUNCTION


def functions(text):
    """The function definitions of a file, lambdas and local classes counted as part of the function around them."""
    code = code_only(text)
    found, header_start, offset = [], 0, 0
    while offset < len(code):
        character = code[offset]
        if character == "(":
            offset = closing(code, offset)
        elif character in ";}":
            header_start = offset + 1
        elif character == "{":
            begin = _BEFORE_HEADER.match(code, header_start).end()
            kind = _brace_kind(code[begin:offset].rstrip())
            end = offset if kind == SCOPE else closing(code, offset)
            if kind == FUNCTION:
                name = _NAME.search(code, begin, offset)
                found.append(Function(name[1] if name else "?", begin, end))
            if kind != MEMBER:
                header_start = end + 1
            offset = end
        offset += 1
    return found


def includes(text):
    """The headers a file includes, as pairs (name, offset)."""
    found = []
    for token in tokens(text):
        match = token.kind == "directive" and re.match(r'\s*#\s*include\s*[<"]([^>"]+)', text[token.start : token.end])
        if match:
            found.append((match[1], token.start))
    return found
