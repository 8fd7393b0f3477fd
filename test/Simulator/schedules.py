"""Runs a command on several schedules of the simulator and compares the files that it writes, bit for bit.

Call: schedules.py COUNT FILE[,FILE...] COMMAND... The command runs COUNT times, each time with other settings in
FSM_SIMULATOR, behind those that stand there already: the order of warps and paths, and when asynchronous copies land.
Exit code 0 if all went well and the files are the same; else 1, and the first difference or the command's words.
"""

import os
import subprocess
import sys
from pathlib import Path

# As late as may be, as early, at any time; see docs/simulator.md.
LANDINGS = (2, 1, 3)


def schedules(count):
    """The settings of each run; the first three keep warps in order."""
    for index in range(count):
        yield f"seed={0 if index < len(LANDINGS) else index},landing={LANDINGS[index % len(LANDINGS)]}"


def run(command, settings):
    """The command's words if it failed, or nothing."""
    others = os.environ.get("FSM_SIMULATOR")
    environment = dict(os.environ, FSM_SIMULATOR=f"{others},{settings}" if others else settings)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    return done.stdout + done.stderr if done.returncode else ""


def main():
    count, paths, command = int(sys.argv[1]), [Path(path) for path in sys.argv[2].split(",")], sys.argv[3:]
    first = None
    for settings in schedules(count):
        for path in paths:
            path.unlink(missing_ok=True)
        if words := run(command, settings):
            sys.exit(f"FSM_SIMULATOR={settings}: {words}")
        contents = [path.read_bytes() for path in paths]
        first = first or contents
        for path, before, now in zip(paths, first, contents):
            if before != now:
                place = next((i for i, (a, b) in enumerate(zip(before, now)) if a != b), min(len(before), len(now)))
                sys.exit(f"FSM_SIMULATOR={settings}: byte {place} of {path.name} is another than on the first schedule")
    print(f"{count} schedules, the same bits")


if __name__ == "__main__":
    main()
