"""fsm-run as a server: one process that performs a command line after the other."""

import os
import re
import selectors
import subprocess
import time

# Memory that is freed is overwritten at once, and blocks that have just been freed are not given again first, so that
# who reads it notices.
OVERWRITTEN = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", "MALLOC_PERTURB_": "165"}
HEADER = re.compile(rb"^\[\d+\] rc=(\d+) stdout=(\d+) stderr=(\d+)\n")


class Ended(Exception):
    """The process ended or took too long; says how."""


class Batch:
    """Runs command lines in one `fsm-run --batch`, which is started again after a crash."""

    def __init__(self, program, schedule, limit=60):
        self.program, self.schedule, self.limit = program, schedule, limit
        self.process, self.pending = None, b""

    def start(self):
        environment = dict(os.environ, FSM_SIMULATOR=self.schedule, **OVERWRITTEN)
        self.process = subprocess.Popen([str(self.program), "--batch=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment)
        self.pending = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def close(self):
        """Ends the process: by the end of its input, so that it writes what it has counted (tools/dev/fuzz-coverage)."""
        if self.process:
            try:
                self.process.stdin.close()
                self.process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.selector.close()
            self.process = None

    def more(self, deadline):
        """Waits for more output."""
        if not self.selector.select(max(0, deadline - time.monotonic())):
            raise Ended(f"no end after {self.limit} s")
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            code = self.process.wait()
            raise Ended(f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}")
        self.pending += data

    def run(self, words):
        """The exit code and the text of a run; a crash is a code of -1."""
        if not self.process:
            self.start()
        try:
            try:
                self.process.stdin.write((" ".join(words) + "\n").encode())
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
            deadline = time.monotonic() + self.limit
            while not (header := HEADER.match(self.pending)):
                self.more(deadline)
            code, *sizes = map(int, header.groups())
            end = header.end() + sum(sizes)
            while len(self.pending) < end:
                self.more(deadline)
        except Ended as how:
            self.close()
            return -1, f"{how}{self.last_words(words)}"
        text, self.pending = self.pending[header.end():end], self.pending[end:]
        return code, text.decode(errors="replace")

    def last_words(self, words):
        """What the process says when it does the same outside of a batch, where its output is not kept back."""
        try:
            done = subprocess.run([str(self.program), *words], capture_output=True, text=True, timeout=self.limit, check=False,
                                  env=dict(os.environ, FSM_SIMULATOR=self.schedule, **OVERWRITTEN), errors="replace")
        except subprocess.TimeoutExpired:
            return ""
        return f"; alone: exit code {done.returncode}: {done.stderr[:1500]}"
