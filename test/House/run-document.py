#!/usr/bin/python3
"""Does what a document tells its reader to do.

Call: run-document.py DOCUMENT SOURCE-TREE FSM-RUN

In a folder of its own, with the tree's examples at hand, it writes each block marked `<!-- file: NAME -->` to that file
and runs each block marked `<!-- run -->` in the shell, with build/dev/bin/fsm-run standing for FSM-RUN. It stops at the
first command that fails, and fails if there was nothing to run.

A block marked `<!-- session: exit code N -->` is a command behind `$ ` and, below, all that it prints, to the letter.
"""

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^<!-- (?:file: (?P<file>\S+)|run|session: exit code (?P<code>\d+)) -->\n```\w+\n(?P<text>.*?)^```$",
                   re.DOTALL | re.MULTILINE)
SESSION = re.compile(r"\$ (?P<command>(?:[^\n]*\\\n)*[^\n]*\n)(?P<output>.*)", re.DOTALL)


def shell(command, folder, **options):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, text=True, **options)


def run_session(text, code, with_program, folder):
    """Stops unless the command prints what the document says, and ends as it says."""
    session = SESSION.fullmatch(text)
    if not session:
        sys.exit(f"a session does not begin with a command behind `$ `:\n{text}")
    done = shell(with_program(session["command"]), folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != int(code) or done.stdout != session["output"]:
        lines = difflib.unified_diff(session["output"].splitlines(), done.stdout.splitlines(), "said", "printed", lineterm="")
        sys.exit("\n".join([f"the exit code is {done.returncode}", *lines]))


def main():
    document, tree, fsm_run = map(Path, sys.argv[1:])
    blocks = list(BLOCK.finditer(document.read_text(encoding="utf-8")))
    if not any(block["file"] is None for block in blocks):
        sys.exit(f"{document.name} has no block to run")

    def with_program(command):
        return command.replace("build/dev/bin/fsm-run", str(fsm_run.resolve()))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples").symlink_to(tree.resolve() / "examples")
        for block in blocks:
            if block["file"]:
                (folder / block["file"]).write_text(block["text"], encoding="utf-8")
                continue
            print(block["text"], flush=True)
            if block["code"]:
                run_session(block["text"], block["code"], with_program, folder)
            else:
                shell(with_program(block["text"]), folder, check=True)


if __name__ == "__main__":
    main()
