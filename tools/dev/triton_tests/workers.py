"""Processes of pytest that share the cases of files of tests: each takes the next one (record.py).

A process that dies is started again behind the case that it died of, which is a crash; one that stays in a case for too long
is ended, and that case is a timeout. Neither ends the run.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


# The exit code of a process that has brought its GPU's context down (record.py).
GPU_IS_LOST = 75


class Worker:
    """One process and what it writes."""

    def __init__(self, command, folder, environment, number):
        self.command, self.folder = command, folder
        self.record = folder.scratch / f"{number}.jsonl"
        self.running = Path(f"{self.record}.running")
        self.log = folder.scratch / f"{number}.log"
        self.environment = {**environment, "RECORD_TO": str(self.record)}
        self.failure = None
        self.start()

    def start(self):
        self.running.unlink(missing_ok=True)
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, cwd=self.folder.tests, env=self.environment, stdout=log,
                                            stderr=log, start_new_session=True)

    def note(self, outcome, why):
        case = self.running.read_text(encoding="utf-8")
        with self.record.open("a", encoding="utf-8") as file:
            print(json.dumps({"case": case, "outcome": outcome, "why": why, "seconds": 0}), file=file)
        print(f"{outcome}: {case}: {why}", flush=True)

    def is_over(self, case_seconds):
        """Looks after the process: whether all is done that it could do."""
        status = self.process.poll()
        if status is None:
            if not self.stays_longer_than(case_seconds):
                return False
            self.end()
            self.note("timeout", f"over {case_seconds} seconds")
        elif status in (0, 1, 5):
            return True
        elif status < 0 and self.running.exists():
            self.note("crash", f"signal {-status}")
        elif status != GPU_IS_LOST:
            self.failure = f"pytest ended with {status}: {self.log.read_text(encoding='utf-8')[-3000:]}"
            return True
        self.start()
        return False

    def stays_longer_than(self, seconds):
        try:
            return time.time() - self.running.stat().st_mtime > seconds
        except FileNotFoundError:
            return False

    def end(self):
        """The process and what it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Folder:
    """Where a run has its files, and where the tests are."""

    def __init__(self, scratch, tests):
        self.scratch, self.tests = Path(scratch), tests


def run(command, tests, environment, record, jobs, case_seconds, seconds):
    """Appends what becomes of all cases that `record` lacks; seconds of wall time that it took.

    No case is begun after `seconds`, and nothing goes on for long behind them.
    """
    begin = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Folder(scratch, tests)
        done, claims = folder.scratch / "done.jsonl", folder.scratch / "claims"
        done.write_bytes(record.read_bytes() if record.exists() else b"")
        claims.touch()
        environment = {**environment, "RECORD_SKIP": str(done), "RECORD_CLAIMS": str(claims), "PYTHONHASHSEED": "0",
                       "RECORD_UNTIL": str(begin + seconds)}
        workers = [Worker(command, folder, environment, number) for number in range(jobs)]
        busy = list(workers)
        try:
            while busy and time.time() < begin + seconds + case_seconds:
                time.sleep(0.2)
                busy = [worker for worker in busy if not worker.is_over(case_seconds)]
        finally:
            for worker in workers:
                worker.end()
            with record.open("ab") as file:
                for worker in workers:
                    file.write(worker.record.read_bytes() if worker.record.exists() else b"")
    failures = [worker.failure for worker in workers if worker.failure]
    if failures:
        sys.exit(failures[0])
    return time.time() - begin
