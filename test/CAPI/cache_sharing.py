"""What happens to the folder of a cache while processes work with it, and what it does to their results: nothing.

Call: cache_sharing.py WORKER FSM_CACHE FOLDER [--processes=N] [--kernels=N] [--kills=N] [--flips=N] [--device=NAME], WORKER being
cache-worker.c. Processes share the folder and are killed at random and started again until each has come to its end; bits of
entries are flipped. `--limits` instead: there is no room, no permission, nothing but reading, or another clock."""

import argparse
import ctypes
import os
import random
import shutil
import subprocess
import sys
import time

WARNING = "fsm: warning: nothing is cached: "
dice = random.Random(1)


def start(options, folder, seed, **how):
    command = [options.worker, options.device, str(options.kernels), str(seed)]
    environment = {**os.environ, "FSM_CACHE_DIR": folder}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def check(process, warnings=0, reason=""):
    """The process ends well, and says why nothing is kept as often as it should."""
    said, complaints = process.communicate()
    told = [line for line in complaints.splitlines() if line.startswith(WARNING)]
    if process.returncode != 0 or said != "right\n" or len(told) != warnings or len(told) != len(complaints.splitlines()):
        sys.exit(f"a process ended with {process.returncode}, expected {warnings} warnings: {said}{complaints}")
    if warnings and reason not in told[0]:
        sys.exit(f"expected a warning with '{reason}', got {told[0]}")


def verify(options, damaged):
    done = subprocess.run([options.fsm_cache, "verify", options.folder], capture_output=True, text=True)
    wanted = f"{options.kernels} entries, {damaged} damaged"
    if wanted not in done.stdout or done.returncode != (1 if damaged else 0):
        sys.exit(f"expected '{wanted}', got: {done.stdout}{done.stderr}")


def entries(options):
    return [os.path.join(options.folder, name) for name in sorted(os.listdir(options.folder)) if not name.startswith(".")]


def share(options):
    """All processes at once, of which random ones are killed at random times."""
    running = {number: start(options, options.folder, number) for number in range(options.processes)}
    kills, ended = 0, 0
    while running:
        number = dice.choice(list(running))
        process = running[number]
        if kills < options.kills:
            time.sleep(dice.uniform(0, 0.1))
            if process.poll() is None:
                process.kill()
                process.communicate()
                kills += 1
                running[number] = start(options, options.folder, number + 1000 * kills)
                continue
        check(process)
        ended += 1
        del running[number]
        if kills < options.kills:
            running[number] = start(options, options.folder, number)
    verify(options, 0)
    print(f"{options.processes} processes x {options.kernels} kernels, {kills} killed, {ended} ended: all right", file=sys.stderr)


def flip(path):
    """Flips a random bit of a file, and gives what undoes it."""
    at, bit = dice.randrange(os.path.getsize(path)), 1 << dice.randrange(8)

    def again():
        with open(path, "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ bit]))

    again()
    return again


def damage(options):
    """A bit of each entry is another: each is found, and compiled again when it is needed."""
    flips = 0
    while flips < options.flips:
        undo = [flip(path) for path in entries(options)]
        verify(options, len(undo))
        flips += len(undo)
        if flips < options.flips:
            for again in undo:
                again()
    check(start(options, options.folder, 0))
    verify(options, 0)
    print(f"{flips} flipped bits, all found", file=sys.stderr)


def obey_permissions():
    """Gives up what lets root write where it has no permission, CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    for capability in (1, 2):
        assert ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP


def limits(options):
    """Folders in which files cannot be kept, and files of other times. Runs in a mount namespace of its own."""
    os.makedirs(options.folder)
    full, fixed = (os.path.join(options.folder, name) for name in ("full", "fixed"))
    for folder, settings in ((full, "mode=0700,size=12k"), (fixed, "mode=0700")):
        os.mkdir(folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", settings, "tmpfs", folder], check=True)
    check(start(options, full, 0), 1, "cannot be written to: No space left on device")
    check(start(options, fixed, 0))
    subprocess.run(["mount", "-o", "remount,ro", fixed], check=True)
    check(start(options, fixed, 0))
    options.kernels += 1
    check(start(options, fixed, 0), 1, "cannot be written to: Read-only file system")
    options.kernels -= 1
    for folder in (full, fixed):
        subprocess.run(["umount", folder], check=True)
    closed = os.path.join(options.folder, "closed")
    os.mkdir(closed, 0o500)
    check(start(options, closed, 0, preexec_fn=obey_permissions), 1, "cannot be written to: Permission denied")
    os.chmod(closed, 0o700)
    clock(options, closed)
    shutil.rmtree(options.folder)


def clock(options, folder):
    """Files of a hundred years ahead, or of 1970, are entries like others; none stays for ever."""
    for when in (time.time() + 100 * 365 * 86400, 0):
        check(start(options, folder, 0))
        for name in os.listdir(folder):
            os.utime(os.path.join(folder, name), (when, when))
        check(start(options, folder, 1))
        done = subprocess.run([options.fsm_cache, "prune", "0", folder], capture_output=True, text=True, check=True)
        if os.listdir(folder) or f"{options.kernels} files removed" not in done.stdout:
            sys.exit(f"expected no entry to be left: {done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("worker", "fsm_cache", "folder"):
        parser.add_argument(name)
    for name, value in (("processes", 4), ("kernels", 12), ("kills", 12), ("flips", 48)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--limits", action="store_true")
    options = parser.parse_args()
    if options.limits:
        limits(options)
    else:
        share(options)
        damage(options)
    print("right")


if __name__ == "__main__":
    main()
