"""Ends lines of a batch from outside, and prints what the batch says of them.

Call: interrupt.py FSM_RUN      (in a folder that has spin.mlir, whose kernel has no end)

Line 1 is killed as the process that it is, line 2 is interrupted as by Ctrl-C, line 3 must run. Then a line is interrupted
twice.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

SPIN = b"spin.mlir --device=cpu --grid=1 --arg=i32[1]\n"
HEAD = re.compile(rb"\[\d+\] rc=\d+ stdout=(\d+) stderr=(\d+)\n")


def start():
    # A test run in the background of a shell ignores interruptions, and so would what it starts.
    return subprocess.Popen([sys.argv[1], "--batch=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def children(process):
    return [int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def spinning(process):
    """The process that performs a line, once that has used some time."""
    ticks = os.sysconf("SC_CLK_TCK")
    while True:
        for child in children(process):
            used = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            if int(used[11]) + int(used[12]) > ticks / 3:
                return child
        time.sleep(0.02)


def perform(process, line, disturb=None):
    process.stdin.write(line)
    process.stdin.flush()
    if disturb:
        disturb(spinning(process))
    head = process.stdout.readline()
    sizes = HEAD.fullmatch(head)
    print(head.decode() + process.stdout.read(sum(map(int, sizes.groups()))).decode(), end="")


def main():
    batch = start()
    perform(batch, SPIN, lambda child: os.kill(child, signal.SIGKILL))
    perform(batch, SPIN, lambda child: batch.send_signal(signal.SIGINT))
    perform(batch, b"spin.mlir --list\n")
    batch.stdin.close()
    print(f"status {batch.wait(20)}")
    batch = start()
    batch.stdin.write(SPIN + SPIN)
    batch.stdin.flush()
    spinning(batch)
    batch.send_signal(signal.SIGINT)
    batch.stdout.readline()
    batch.send_signal(signal.SIGINT)
    print("ended by", signal.Signals(-batch.wait(20)).name)


main()
