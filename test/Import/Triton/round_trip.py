"""Prints files of Triton's IR, reads what was printed, and prints it again, which must change nothing.

Usage: round_trip.py FSM_OPT FOLDER.
"""

import pathlib
import subprocess
import sys


def printed(fsm_opt, text):
    """What fsm-opt prints of a text, and what it says against it."""
    done = subprocess.run([fsm_opt, "-"], input=text, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def check(fsm_opt, path):
    """What is wrong with a file, or nothing."""
    text = path.read_text()
    once, complaint = printed(fsm_opt, text)
    if complaint or text.count(" tt.") != once.count(" tt."):
        return f"reads as other ops: {complaint}"
    twice, complaint = printed(fsm_opt, once)
    return None if twice == once else f"reads back as something else: {complaint}"


def main(fsm_opt, folder):
    paths = sorted(pathlib.Path(folder).glob("*.ttir"))
    wrong = [f"FAIL {path.name} {fault}" for path in paths if (fault := check(fsm_opt, path))]
    print(*wrong, f"{len(paths)} files, {len(wrong)} wrong", sep="\n")
    sys.exit(1 if wrong or not paths else 0)


main(*sys.argv[1:])
