"""What TableGen says of passes and ops."""

import re
from collections import namedtuple

from .tree import Finding, line_of, shorten

# A record with a body: its name, what it derives from, the body's text and where it begins.
Record = namedtuple("Record", "name bases body start")

_DEF = re.compile(r"^def\s+(\w+)\s*:\s*", re.MULTILINE)
_PASS_FLAG = re.compile(r'^Pass\s*<\s*"([\w-]+)"')
_OP = re.compile(r"^FSM_\w+Op$")
_OPERANDS = re.compile(r"^\s*let\s+(arguments|results)\s*=\s*\(\s*(?:ins|outs)\b", re.MULTILINE)
_OPERAND = re.compile(r"(?P<type>.*):\$(?P<name>\w+)$", re.DOTALL)
# Behind it the effects on what the operand refers to may stand, in brackets.
_SENTENCE = re.compile(r'^(?:Arg|Res)\s*<.*,\s*(?:"(?P<text>[^"]*)"|(?P<parameter>[a-z]\w*))\s*(?:,\s*\[[^\]]*\]\s*)?>$',
                       re.DOTALL)
_TEST_PATH = re.compile(r"\btest/[\w./-]*\w")


def _skip_literal(text, offset):
    """The end of the comment, string or code block at `offset`, or `offset` if there is none."""
    for opening, ending in (("[{", "}]"), ('"', '"'), ("//", "\n"), ("/*", "*/")):
        if text.startswith(opening, offset):
            end = text.find(ending, offset + len(opening))
            return len(text) if end < 0 else end + len(ending)
    return offset


def _records(text):
    """The `def`s of a file."""
    for match in _DEF.finditer(text):
        offset, depth, body = match.end(), 0, None
        while offset < len(text):
            after = _skip_literal(text, offset)
            if after != offset:
                offset = after
                continue
            if text[offset] == "{" and depth == 0 and body is None:
                body = offset
            depth += (text[offset] in "{[<(") - (text[offset] in "}]>)")
            if depth == 0 and (text[offset] == ";" and body is None or text[offset] == "}"):
                break
            offset += 1
        bases = text[match.end() : offset if body is None else body]
        yield Record(match[1], bases.strip(), text[body : offset + 1] if body is not None else "", match.start())


def _all_records(tree):
    for name in tree.files(("include/fsm/",), (".td",)):
        for record in _records(tree.text(name)):
            yield name, line_of(tree.text(name), record.start), record


def _passes(tree):
    """The passes of the tree, as tuples (file, line, record, flag)."""
    for name, line, record in _all_records(tree):
        flag = _PASS_FLAG.match(record.bases)
        if flag:
            yield name, line, record, flag[1]


def _summary(record):
    match = re.search(r'\blet\s+summary\s*=\s*((?:"[^"]*"\s*)+);', record.body)
    return "".join(re.findall(r'"([^"]*)"', match[1])).strip() if match else ""


def _description(record):
    match = re.search(r"\blet\s+description\s*=\s*\[\{(.*?)\}\]", record.body, re.DOTALL)
    return match[1].strip() if match else ""


def passes_are_described(tree):
    """A pass has a summary, and a description that names an example test; its flag is its name."""
    for name, line, record, flag in _passes(tree):
        if not _summary(record):
            yield Finding(name, line, f"the pass {record.name} has no summary")
        description = _description(record)
        examples = _TEST_PATH.findall(description)
        if not description:
            yield Finding(name, line, f"the pass {record.name} has no description")
        elif not examples:
            yield Finding(name, line, f"the description of {record.name} names no example test (test/...)")
        for example in examples:
            if not tree.has(example) and not tree.files((example + "/",)):
                yield Finding(name, line, f"the description of {record.name} names {example}, which does not exist")
        plain_name = re.sub(r"Pass$", "", record.name).lower()
        if plain_name not in (flag.replace("-", ""), re.sub(r"^fsm-", "", flag).replace("-", "")):
            yield Finding(name, line, f"the flag {flag} does not match the name of the pass {record.name}")


def passes_have_tests(tree):
    """A pass with the flag fsm-foo-bar has a test foo-bar.mlir somewhere under test/."""
    tests = {name.rsplit("/", 1)[1] for name in tree.files(("test/",), (".mlir",))}
    for name, line, record, flag in _passes(tree):
        wanted = re.sub(r"^fsm-", "", flag) + ".mlir"
        if wanted not in tests:
            yield Finding(name, line, f"the pass {record.name} has no test named {wanted} under test/")


def ops_are_described(tree):
    """An op has a summary, and a description with an example."""
    for name, line, record in _all_records(tree):
        if not _OP.match(record.name):
            continue
        if not _summary(record):
            yield Finding(name, line, f"the op {record.name} has no summary")
        if not _description(record):
            yield Finding(name, line, f"the op {record.name} has no description")
        elif "```mlir" not in _description(record):
            yield Finding(name, line, f"the description of the op {record.name} has no example in ```mlir")


def _pieces(text, start):
    """What stands between the commas in the brackets that open before `start`, as pairs (text, offset)."""
    begin, offset, depth = start, start, 0
    while offset < len(text) and depth >= 0:
        after = _skip_literal(text, offset)
        if after != offset:
            offset = after
            continue
        depth += (text[offset] in "([{<") - (text[offset] in ")]}>")
        if depth < 0 or (depth == 0 and text[offset] == ","):
            begin += len(text[begin:offset]) - len(text[begin:offset].lstrip())
            yield text[begin:offset].strip(), begin
            begin = offset + 1
        offset += 1


def _operands(tree):
    """The operands, attributes and results of the ops, as tuples (file, line, op, text, wrapper)."""
    for name in tree.files(("include/fsm/",), (".td",)):
        text = tree.text(name)
        for match in _OPERANDS.finditer(text):
            owner = re.findall(r"^(?:def|class)\s+(\w+)", text[: match.start()], re.MULTILINE)[-1:]
            if owner and _OP.match(owner[0]):
                wrapper = "Arg" if match[1] == "arguments" else "Res"
                yield from ((name, line_of(text, offset), owner[0], piece, wrapper)
                            for piece, offset in _pieces(text, match.end()) if piece)


def operands_are_described(tree):
    """Each operand, attribute and result of an op is an Arg or Res with a sentence: lower case, no full stop."""
    for name, line, op, piece, wrapper in _operands(tree):
        operand = _OPERAND.match(piece)
        what = f"`{operand['name'] if operand else shorten(piece)}` of {op}"
        sentence = _SENTENCE.match(operand["type"]) if operand else None
        text = sentence and (sentence["parameter"] or sentence["text"].strip())
        if not text:
            yield Finding(name, line, f'{what} has no sentence: {wrapper}<TYPE, "what it is">')
        elif text[0].isupper() or text.endswith("."):
            yield Finding(name, line, f"the sentence of {what} begins in upper case or ends in a full stop")
