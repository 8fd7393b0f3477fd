"""Runs of fsm-run that share the folder of a cache, many at once and many of them killed: those that live are right.

Call: killed.py FSM_RUN FSM_CACHE KERNEL FOLDER
"""

import os
import random
import subprocess
import sys
import time

fsm_run, fsm_cache, kernel, folder = sys.argv[1:]
environment = {**os.environ, "FSM_CACHE_DIR": folder}
dice = random.Random(1)
BLOCKS = (32, 64, 128, 256)
AT_ONCE, KILLED, SPARED = 4, 60, 24


def start(block):
    command = [fsm_run, kernel, "--device=sim", "--grid=2", "-D", f"BLOCK={block}", "--arg=f32[50]", "--arg=f32[50]:randn:1",
               "--arg=f32[50]:randn:2", "--arg=50", "--compare=interp"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(process):
    said, _ = process.communicate()
    if process.returncode != 0 or "50 elements agree" not in said:
        sys.exit(f"a run ended with {process.returncode}: {said}")


def batch(count, is_killed):
    for _ in range(0, count, AT_ONCE):
        processes = [start(dice.choice(BLOCKS)) for _ in range(AT_ONCE)]
        for process in processes:
            if is_killed:
                time.sleep(dice.uniform(0, 0.06))
                process.kill()
                process.wait()
            else:
                check(process)


batch(KILLED, is_killed=True)
batch(SPARED, is_killed=False)
# Damage that a disk does is neither wrong code nor an error.
for name in os.listdir(folder):
    with open(os.path.join(folder, name), "r+b") as file:
        file.seek(dice.randrange(os.path.getsize(file.name)))
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1 << dice.randrange(8)]))
damaged = subprocess.run([fsm_cache, "verify", folder], capture_output=True, text=True)
if damaged.returncode != 1 or f"{len(BLOCKS)} damaged" not in damaged.stdout:
    sys.exit(f"expected {len(BLOCKS)} damaged entries, got: {damaged.stdout}{damaged.stderr}")
for block in BLOCKS:
    check(start(block))
whole = subprocess.run([fsm_cache, "verify", folder], capture_output=True, text=True)
if whole.returncode != 0 or f"{len(BLOCKS)} entries, 0 damaged" not in whole.stdout:
    sys.exit(f"expected {len(BLOCKS)} whole entries, got: {whole.stdout}{whole.stderr}")
print("right")
