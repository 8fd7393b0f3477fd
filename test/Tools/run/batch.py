"""Lines of a batch and what must come of each.

Call: batch.py FSM_RUN EXAMPLES [--talk]      (in a folder that has 'a copy.mlir')

With --talk each line is written only when the answer to the one before it is there.
"""

import re
import subprocess
import sys

FSM_RUN, EXAMPLES = sys.argv[1:3]
HEAD = re.compile(rb"\[(\d+)\] rc=(\d+) stdout=(\d+) stderr=(\d+)\n")
COPY = "'a copy.mlir' --grid=4 --arg='f32[4000]' --arg='f32[4000]:randn:1' --arg=4000"
SHORT = "'a copy.mlir' --grid=4 --arg=f32[4000] --arg=f32[3999] --arg=4000"
LIST = "@copy(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32)"

# (line, exit code or None for no answer, what stdout and stderr hold)
LINES = [
    ("# a comment", None, "", ""),
    ("", None, "", ""),
    (" \t", None, "", ""),
    ("'a copy.mlir' --list", 0, LIST, ""),
    # Every way to quote.
    ('"a copy.mlir" --list', 0, LIST, ""),
    (r"a\ copy.mlir --list", 0, LIST, ""),
    ("a' 'co\"py\".mlir\t --list\r", 0, LIST, ""),
    (r"""'a\b' --list""", 2, "", r"a\b: cannot open"),
    (r'''"a\b\"\\" --list''', 2, "", r'a\b"\: cannot open'),
    ("'' --list", 2, "", "fsm-run: expected a file name, got an empty word"),
    ("'a copy.mlir --list", 2, "", "fsm-run: --batch: expected another ' before the end of the line"),
    ('a "copy.mlir --list', 2, "", 'fsm-run: --batch: expected another " before the end of the line'),
    ("--list \\", 2, "", "fsm-run: --batch: expected a character after the '\\' at the end of the line"),
    ("--list\0", 2, "", "fsm-run: --batch: expected text, got a zero byte at column 7"),
    (f"--list {'x' * 1048570}", 2, "", "fsm-run: --batch: expected at most 1048576 characters in a line, got more"),
    # Each device, twice: the second time it is open already.
    *[(f"{COPY} --device={device} --compare=interp", 0, "4000 elements agree", "")
      for device in ("cpu", "interp", "sim") * 2],
    # The simulator has to work again after a kernel that ran out of bounds.
    (f"{SHORT} --device=sim", 1, "", "past the end of argument %in"),
    (f"{COPY} --device=sim --out=0:out.npy", 0, "", ""),
    (f"{COPY} --device=cpu --check=0:out.npy", 0, "4000 elements agree", ""),
    ("'a copy.mlir' --grid=4 --arg='f32[4000]' --arg='f32[4000]:randn:2' --arg=4000 --device=cpu --check=0:out.npy", 1,
     "", "4000 of 4000 elements differ"),
    ("'a copy.mlir' --device=cuda:1000 --grid=1 --arg=f32[1] --arg=f32[1] --arg=1", 3, "", "error: "),
    (f"{EXAMPLES}/no-such-file.mlir --list", 2, "", "cannot open"),
    ("'a copy.mlir' --emit=ptx --target=sm_80", 0, ".target sm_80", ""),
    ("--version", 0, "FSM", ""),
    ("--batch=lines", 2, "", "fsm-run: --batch: expected a single run in a line of a batch, got another batch"),
    ("--nonsense", 2, "", "fsm-run: unknown option '--nonsense'"),
]


def answers_at_once(lines):
    """All answers, by line, and the exit code."""
    with open("lines", "w", encoding="utf-8", newline="") as file:
        file.write("\n".join(lines))  # The last line has no end.
    done = subprocess.run([FSM_RUN, "--batch=lines"], capture_output=True, check=False)
    assert not done.stderr, done.stderr
    answers, rest = {}, done.stdout
    while rest:
        head = HEAD.match(rest)
        assert head, f"expected the head of an answer, got {rest[:80]}"
        number, status, outputs, errors = map(int, head.groups())
        body, rest = rest[head.end():head.end() + outputs + errors], rest[head.end() + outputs + errors:]
        answers[number] = status, body[:outputs].decode(), body[outputs:].decode()
    return answers, done.returncode


def answers_one_by_one(lines):
    answers = {}
    with subprocess.Popen([FSM_RUN, "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for number, line in enumerate(lines, 1):
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            if LINES[number - 1][1] is not None:
                _, status, outputs, errors = map(int, HEAD.fullmatch(process.stdout.readline()).groups())
                answers[number] = status, process.stdout.read(outputs).decode(), process.stdout.read(errors).decode()
        process.stdin.close()
        assert process.stdout.read() == b""
        return answers, process.wait()


def main():
    if "--talk" in sys.argv:
        LINES.append(("- --list", 2, "", "fsm-run: expected a file, got '-': standard input holds the batch"))
    lines = [line for line, *_ in LINES]
    answers, status = (answers_one_by_one if "--talk" in sys.argv else answers_at_once)(lines)
    failed = 0
    for number, (line, *expected) in enumerate(LINES, 1):
        got = answers.pop(number, (None, "", ""))
        right = got[0] == expected[0] and all(e in g and bool(e) == bool(g) for e, g in zip(expected[1:], got[1:])
                                              if not (expected[0] == 0 and not e))
        if not right:
            failed += 1
            print(f"line {number}: {line[:200]}\n  expected {expected}\n  got {got}")
    highest = max(code for _, code, *_ in LINES if code is not None)
    if status != highest or answers:
        failed += 1
        print(f"expected exit code {highest} and no more answers, got {status} and {answers}")
    sys.exit(1 if failed else 0)


main()
