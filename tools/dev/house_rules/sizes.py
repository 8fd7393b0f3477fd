"""How long a file or a function may be."""

import ast

from .cplusplus import functions
from .tree import Finding, line_of

FILE_LIMITS = {".cpp": 600, ".h": 600, ".c": 600, ".py": 600, ".td": 400}
CLOSE = 0.15
FUNCTION_LIMIT = 80
MAIN_LIMIT = 30
MAIN_LIMITS = {"fsm-lsp-server": 20}

SOURCE_FOLDERS = ("include/", "lib/", "tools/", "test/", "examples/")


def _suffix(tree, name):
    if tree.is_python(name):
        return ".py"
    return next((suffix for suffix in FILE_LIMITS if name.endswith(suffix)), None)


def _lengths(tree):
    """The files that have a wall, as tuples (file, lines, limit)."""
    for name in tree.files(SOURCE_FOLDERS):
        limit = FILE_LIMITS.get(_suffix(tree, name))
        if limit is not None:
            yield name, len(tree.text(name).splitlines()), limit


def files_are_short(tree):
    """A .cpp, .h, .c or Python file has at most 600 lines, a .td file 400."""
    for name, lines, limit in _lengths(tree):
        if lines > limit:
            yield Finding(name, limit + 1, f"the file has {lines} lines, {limit} is the wall: split it by what it defines")


def files_close_to_walls(tree):
    """The files within CLOSE of their wall, the closest first, as tuples (file, lines, limit). No rule: what is next."""
    close = [row for row in _lengths(tree) if (1 - CLOSE) * row[2] <= row[1] <= row[2]]
    return sorted(close, key=lambda row: row[1] / row[2], reverse=True)


def _too_long(name, function, first, last, limit):
    length = last - first + 1
    if length > limit:
        yield Finding(name, first, f"the function {function} has {length} lines, {limit} is the wall")


def cpp_functions_are_short(tree):
    """A C or C++ function has at most 80 lines, signature and lambdas included."""
    for name in tree.files(SOURCE_FOLDERS, (".cpp", ".h", ".c")):
        text = tree.text(name)
        for function in functions(text):
            lines = line_of(text, function.start), line_of(text, function.end)
            yield from _too_long(name, function.name, *lines, FUNCTION_LIMIT)


def python_functions_are_short(tree):
    """A Python function has at most 80 lines."""
    for name in filter(tree.is_python, tree.files(SOURCE_FOLDERS)):
        try:
            module = ast.parse(tree.text(name))
        except SyntaxError as error:
            yield Finding(name, error.lineno or 1, f"this is not Python: {error.msg}")
            continue
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _too_long(name, node.name, node.lineno, node.end_lineno, FUNCTION_LIMIT)


def mains_are_short(tree):
    """The main of a tool registers and calls the library: 30 lines, of fsm-lsp-server 20."""
    for name in tree.files(("tools/",), (".cpp",)):
        text = tree.text(name)
        limit = MAIN_LIMITS.get(name.split("/")[1], MAIN_LIMIT)
        for function in functions(text):
            if function.name == "main":
                lines = line_of(text, function.start), line_of(text, function.end)
                yield from _too_long(name, "main", *lines, limit)
