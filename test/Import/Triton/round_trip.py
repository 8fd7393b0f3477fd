"""Prints files of Triton's IR, reads what was printed, and prints it again, which must change nothing.

Usage: round_trip.py FSM_OPT FOLDER DEFINITIONS.
DEFINITIONS is the folder that defines the mirror of Triton's dialect: each of its ops must be in one of the files.
"""

import pathlib
import re
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


def ops_nowhere(paths, definitions):
    """The ops that no file has."""
    defined = {f"tt.{name}" for file in pathlib.Path(definitions).glob("*.td")
               for name in re.findall(r':\s*TT_\w*Op<\s*"(\w+)"', file.read_text())}
    written = {op for path in paths for op in re.findall(r"\btt\.\w+", path.read_text())}
    return sorted(defined - written) if len(defined) > 30 else [f"the definitions: only {len(defined)} were found"]


def main(fsm_opt, folder, definitions):
    paths = sorted(pathlib.Path(folder).glob("*.ttir"))
    wrong = [f"FAIL {path.name} {fault}" for path in paths if (fault := check(fsm_opt, path))]
    wrong += [f"FAIL no file has {op}" for op in ops_nowhere(paths, definitions)]
    print(*wrong, f"{len(paths)} files, {len(wrong)} wrong", sep="\n")
    sys.exit(1 if wrong or not paths else 0)


main(*sys.argv[1:])
