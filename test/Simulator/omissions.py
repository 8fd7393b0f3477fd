"""Leaves out of a kernel each barrier, wait, commit, arrival, fence and condition of an access, one at a time, and looks
whether the simulator reports it.

Call: omissions.py [--schedules=N] [--allow=TEXT]... FSM_RUN ARGUMENT... [+ ARGUMENT...]... The command runs a kernel with
--device=sim; arguments behind a plus are of a further run, with the words before the first plus ahead of them that begin with no
'--arg=' or '--grid=', for what only other trip counts or masks need. All runs must be of the same code. An omission is found if
on any of N schedules (default 4) any of the runs fails. Prints a line for each omission; exit code 0 if all were found but those whose
line has one of the allowed texts, and each of these texts was needed.
"""

import argparse
import os
import re
import subprocess
import sys

from schedules import schedules


def run(command, settings):
    others = os.environ.get("FSM_SIMULATOR")
    environment = dict(os.environ, FSM_SIMULATOR=f"{others},{settings}" if others else settings)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout + done.stderr


def first_report(words):
    """The line that says what was wrong: the first with a place in the PTX, else the first of all."""
    lines = [line for line in words.splitlines() if line.strip()]
    return next((line for line in lines if "PTX line" in line), lines[0] if lines else "no words")


def find(commands, number, count):
    """What is reported on the first schedule that fails, or nothing."""
    for settings in schedules(count):
        for command in commands:
            status, words = run(command, f"leave_out={number},max_steps=4194304,{settings}")
            if status:
                return first_report(words)
    return ""


def split(words):
    """The commands: what stands between pluses, the first one's other words ahead of each of the others."""
    parts = [[]]
    for word in words:
        if word == "+":
            parts.append([])
        else:
            parts[-1].append(word)
    common = [word for word in parts[0] if not word.startswith(("--arg=", "--grid="))]
    return [parts[0], *(common + part for part in parts[1:])]


def names_of(commands):
    """What can be left out of the code that all of the commands run."""
    lists = []
    for command in commands:
        status, words = run(command, "seed=0")
        if status:
            sys.exit(f"the kernel as it is: {words}")
        lists.append(re.findall(r"^omission \d+: (.*)$", run(command, "list_omissions=1")[1], re.MULTILINE))
    if not lists[0]:
        sys.exit("there is nothing to leave out")
    if any(names != lists[0] for names in lists):
        sys.exit("the runs are of different code; --no-specialize makes it the same")
    return lists[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=4)
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    commands = split(options.command)
    names = names_of(commands)
    needed, missed = set(), 0
    for number, name in enumerate(names, 1):
        report = find(commands, number, options.schedules)
        allowed = [text for text in options.allow if text in name]
        if not report:
            needed.update(allowed)
            missed += not allowed
        print(f"without {name}: {report or ('allowed' if allowed else 'NOT FOUND')}", flush=True)
    unneeded = set(options.allow) - needed
    for text in unneeded:
        print(f"NOT NEEDED: --allow={text}")
    print(f"{len(names)} omissions, {missed} not found")
    return 1 if missed or unneeded else 0


if __name__ == "__main__":
    sys.exit(main())
