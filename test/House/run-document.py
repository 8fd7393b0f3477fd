#!/usr/bin/python3
"""Does what a document tells its reader to do.

Call: run-document.py DOCUMENT SOURCE-TREE FSM-RUN

In a folder of its own, with the tree's examples at hand, it writes each block marked `<!-- file: NAME -->` to that file
and runs each block marked `<!-- run -->` in the shell, with build/dev/bin/fsm-run standing for FSM-RUN. It stops at the
first command that fails, and fails if there was nothing to run.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^<!-- (?:file: (?P<file>\S+)|run) -->\n```\w+\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def main():
    document, tree, fsm_run = map(Path, sys.argv[1:])
    blocks = list(BLOCK.finditer(document.read_text(encoding="utf-8")))
    if not any(block["file"] is None for block in blocks):
        sys.exit(f"{document.name} has no block to run")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples").symlink_to(tree.resolve() / "examples")
        for block in blocks:
            if block["file"]:
                (folder / block["file"]).write_text(block["text"], encoding="utf-8")
                continue
            print(block["text"], flush=True)
            command = block["text"].replace("build/dev/bin/fsm-run", str(fsm_run.resolve()))
            subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, check=True)


if __name__ == "__main__":
    main()
