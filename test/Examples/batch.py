"""Runs command lines of fsm-run in few processes, each a batch that performs one line after the other.

A process that has a GPU open keeps it open, which takes far less time than a process for every line. One that ends in the
middle of a line did not say why, so that line is run again by itself.
"""

import re
import shlex
import subprocess
import threading

HEAD = re.compile(rb"\[\d+\] rc=(\d+) stdout=(\d+) stderr=(\d+)\n")


class Batch:
    """A process that performs lines."""

    def __init__(self, command):
        self.command, self.highest = tuple(command), 0
        self.process = subprocess.Popen([*command, "--batch=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def perform(self, arguments, seconds):
        """What subprocess.run returns or raises; None if the process ended."""
        timer = threading.Timer(seconds, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(shlex.join(arguments).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.read_answer()
        except BrokenPipeError:
            answer = None
        ran_out = not timer.is_alive()
        timer.cancel()
        if answer is None and ran_out:
            raise subprocess.TimeoutExpired([*self.command, *arguments], seconds)
        if answer is None:
            return None
        self.highest = max(self.highest, answer[0])
        return subprocess.CompletedProcess([*self.command, *arguments], *answer)

    def read_answer(self):
        """Exit code and output of a line. What a program around fsm-run prints in between is passed over."""
        while line := self.process.stdout.readline():
            head = HEAD.fullmatch(line)
            if head:
                status, *counts = map(int, head.groups())
                texts = [self.process.stdout.read(count) for count in counts]
                return (status, *(text.decode(errors="replace") for text in texts)) \
                    if [len(text) for text in texts] == counts else None
        return None

    def end(self):
        """The exit code of the process, to which no more lines come."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait()

    def close(self):
        """What the process made of its end, such as the report of a sanitizer, or nothing."""
        status = self.end()
        return "" if status == self.highest else \
            f"a batch of {' '.join(self.command)} ended with exit code {status}, its lines with at most {self.highest}"


class Batches:
    """As many processes as there are threads that want one."""

    def __init__(self):
        self.lock, self.idle, self.complaints = threading.Lock(), [], []

    def take(self, command):
        with self.lock:
            for batch in self.idle:
                if batch.command == tuple(command):
                    self.idle.remove(batch)
                    return batch
        return Batch(command)

    def give_back(self, batch, keep):
        complaint = "" if keep else batch.close()
        with self.lock:
            self.complaints += [complaint] if complaint else []
            self.idle += [batch] if keep else []


BATCHES = Batches()


def run(command, arguments, seconds):
    """Like subprocess.run of the two together: the exit code and the texts, or TimeoutExpired."""
    arguments = [str(argument) for argument in arguments]
    batch = BATCHES.take(command)
    try:
        done = batch.perform(arguments, seconds)
    except subprocess.TimeoutExpired:
        batch.end()
        raise
    if done is None:
        status = batch.end()
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, errors="replace", timeout=seconds,
                              check=False)
        if done.returncode == 0:
            done.returncode, done.stderr = status, "the process of a batch ended in this line, which by itself succeeds"
        return done
    # Nobody can be sure of a GPU whose kernel failed.
    BATCHES.give_back(batch, keep=done.returncode != 1)
    return done


def finish():
    """Ends all processes that are idle; a sentence for each that did not end as it should."""
    with BATCHES.lock:
        batches, BATCHES.idle = BATCHES.idle, []
    for batch in batches:
        BATCHES.give_back(batch, keep=False)
    complaints, BATCHES.complaints = BATCHES.complaints, []
    return complaints
