"""Performs the RUN lines of test files on a device, but for scripts: all launches in one process, which opens the GPU once.

Call, in tools/dev: python3 -m bench.device_files --fsm-run=PROGRAM --device=cuda --folder=SCRATCH FILE...
"""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

from bench.lit_lines import REPOSITORY, is_script, run_lines

sys.path.insert(0, str(REPOSITORY / "test" / "Examples"))
import batch

# What one line may take.
SECONDS = 60


def launch_of(line, fsm_run):
    """The arguments of fsm-run where the line is a launch and nothing else."""
    words = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    words.whitespace_split, words.commenters = True, ""
    words = list(words)
    operators = any(set(word) <= set("();<>|&") for word in words)
    return words[1:] if words[0] == str(fsm_run) and not operators else None


def perform(line, fsm_run):
    """What is wrong with a line, or nothing; and what it printed."""
    arguments = launch_of(line, fsm_run)
    try:
        done = batch.run([str(fsm_run)], arguments, SECONDS) if arguments else subprocess.run(
            ["bash", "-e", "-c", line], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "did not end in time", ""
    text = done.stdout + done.stderr
    return (f"exit code {done.returncode}: {' | '.join(text.splitlines()[-3:])}" if done.returncode else ""), text


def perform_file(file, options):
    """How many lines a file has, and what was wrong with which."""
    lines = [line for line in run_lines(Path(file), options.device, options.fsm_run, options.folder)
             if not is_script(line, options.device)]
    wrong = []
    for line in lines:
        failure, text = perform(line, options.fsm_run)
        print(f"{line}\n{text}".rstrip(), flush=True)
        if failure:
            wrong.append(f"{Path(file).name}: {line}: {failure}")
    return len(lines), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--fsm-run", required=True)
    parser.add_argument("--device", required=True)
    parser.add_argument("--folder", required=True, help="where the lines write")
    options = parser.parse_args()
    count, wrong = 0, []
    for file in options.files:
        lines, failures = perform_file(file, options)
        count, wrong = count + lines, wrong + failures
    for failure in wrong + batch.finish():
        print(f"FAIL {failure}")
    print(f"{count} checks, {len(wrong)} failed")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
