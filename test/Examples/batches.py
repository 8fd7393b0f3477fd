"""What batch.py makes of processes that serve, fail, end in the middle, hang, or complain at their end; and what
launches.py makes of a kernel for it."""

import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import batch
import launches

FSM_RUN, FILE = sys.argv[1:3]
# Stands for fsm-run: in a batch it obeys the first word of a line, by itself it prints that word.
PLAYER = """
import os, shlex, sys, time
if sys.argv[1] != "--batch=-":
    print("alone", sys.argv[1])
    sys.exit(int(sys.argv[1] == "ends-always"))
status = 0
for number, line in enumerate(sys.stdin, 1):
    word = shlex.split(line)[0]
    if word.startswith("ends"):
        os._exit(77)
    if word == "hangs":
        time.sleep(60)
    if word == "leaks":
        status = 99
    failed = int(word == "fails")
    text = f"{os.getpid()} [1] rc=0 stdout=0 stderr=0\\n"
    print("==== of a tool around it")
    print(f"[{number}] rc={failed} stdout={len(text)} stderr=3\\n{text}bad", end="", flush=True)
    status = max(status, failed)
sys.exit(status)
"""


class Batches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        script = Path(self.folder.name) / "player.py"
        script.write_text(PLAYER)
        self.command = [sys.executable, str(script)]

    def tearDown(self):
        batch.finish()
        self.folder.cleanup()

    def pid(self, word):
        done = batch.run(self.command, [word], 30)
        self.assertEqual(done.stderr, "bad")
        return done.stdout.split()[0]

    def test_one_process_for_many_lines(self):
        self.assertEqual(self.pid("a"), self.pid("b c"))
        self.assertEqual(batch.finish(), [])

    def test_a_new_process_after_a_failure(self):
        first = self.pid("a")
        self.assertEqual(batch.run(self.command, ["fails"], 30).returncode, 1)
        self.assertNotEqual(self.pid("a"), first)
        self.assertEqual(batch.finish(), [])

    def test_a_line_in_which_the_process_ends_runs_alone(self):
        done = batch.run(self.command, ["ends-always"], 30)
        self.assertEqual((done.returncode, done.stdout), (1, "alone ends-always\n"))
        done = batch.run(self.command, ["ends"], 30)
        self.assertEqual(done.returncode, 77)
        self.assertIn("which by itself succeeds", done.stderr)
        self.pid("a")

    def test_a_line_that_hangs(self):
        begin = time.monotonic()
        self.assertRaises(subprocess.TimeoutExpired, batch.run, self.command, ["hangs"], 0.5)
        self.assertLess(time.monotonic() - begin, 30)
        self.pid("a")

    def test_a_complaint_at_the_end(self):
        self.pid("leaks")
        complaints = batch.finish()
        self.assertEqual(len(complaints), 1)
        self.assertIn("ended with exit code 99, its lines with at most 0", complaints[0])
        self.assertEqual(batch.finish(), [])

    def test_fsm_run(self):
        for _ in range(2):
            self.assertEqual(batch.run([FSM_RUN], [FILE, "--list"], 60).stdout.split("(")[0], "@copy")
        self.assertEqual(batch.run([FSM_RUN], [FILE, "--lost"], 60).returncode, 2)
        self.assertEqual(batch.finish(), [])

    def test_kernels_in_pieces(self):
        file = Path(self.folder.name) / "k.mlir"
        file.write_text("fsm.kernel @a(%m: i32) {\nfsm.kernel @b(%m: i32) grid [ceildiv(%m, 64), ${B}] {\n"
                        "fsm.kernel @c() attributes {num_warps = 4} {\n")
        (Path(self.folder.name) / "copies").mkdir()
        copy = launches.in_pieces(file, 128, Path(self.folder.name) / "copies")
        self.assertEqual(copy.read_text().splitlines(), [
            "fsm.kernel @a(%m: i32) attributes {fsm.piece = 128 : i32} {",
            "fsm.kernel @b(%m: i32) grid [ceildiv(%m, 64), ${B}] attributes {fsm.piece = 128 : i32} {",
            "fsm.kernel @c() attributes {num_warps = 4} {"])


unittest.main(argv=sys.argv[:1])
