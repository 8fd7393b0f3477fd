#!/usr/bin/python3
"""Makes a git repository with good and bad commits and compares what check-house finds in it.

Call: commit-bodies.py CHECK-HOUSE
"""

import subprocess
import sys
import tempfile
from pathlib import Path

WHY = "\n\nBecause of this."
SIGNED = "\n\nSigned-off-by: Somebody <somebody>\nCo-authored-by: Another <another>"
# What each commit makes of the files (a number of lines, or the name of a file that it moves), its message, and the
# changed lines that are found, if any.
BEFORE = ({"old": 50}, "Long, without a body, before anybody asked", None)
COMMITS = [
    ({"short": 30}, "Thirty lines", None),
    ({"long": 31}, "Thirty-one lines", 31),
    ({"why": 31}, "Thirty-one lines with a body" + WHY, None),
    ({"signed": 40}, "Forty lines and nothing but trailers" + SIGNED, 40),
    ({"both": 40}, "Forty lines, a body and trailers" + WHY + SIGNED, None),
    ({"moved": "long"}, "A file that only moves", None),
    ({"a": 20, "b": 12}, "Two short files", 32),
    ({"a": 0, "b": 0}, "Two short files emptied", 32),
]


def git(folder, *arguments):
    environment = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": "/usr/bin:/bin"}
    command = ["git", "-C", folder, "-c", "user.name=Test", "-c", "user.email=test", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def commit(folder, files, message):
    """The short name of a commit with files of so many lines."""
    for name, content in files.items():
        if isinstance(content, str):
            Path(folder, content).rename(Path(folder, name))
        else:
            Path(folder, name).write_text("".join(f"{name} {line}\n" for line in range(content)), encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "log", "-1", "--format=%h")


def complaints(check_house, folder):
    git(folder, "init", "--quiet")
    before = commit(folder, *BEFORE[:2])
    expected = []
    for files, message, lines in COMMITS:
        name = commit(folder, files, message)
        if lines:
            expected.append(f"commit {name}:1: it changes {lines} lines, and its message has no body: say why")
    for since, wanted in ((before, expected[::-1]), ("HEAD", []), ("0" * 40, [])):
        run = subprocess.run([sys.executable, check_house, f"--since={since}", folder], capture_output=True, text=True, check=False)
        if run.stdout.splitlines() + run.stderr.splitlines() != wanted or run.returncode != bool(wanted):
            yield f"--since={since}: exit code {run.returncode} and\n{run.stdout}{run.stderr}instead of\n" + "\n".join(wanted)


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = list(complaints(sys.argv[1], folder))
    print("\n".join(found) or f"{len(COMMITS)} commits: as expected")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
