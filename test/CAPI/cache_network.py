"""What a network's file system does to the folder of a cache, and what that does to results: nothing.

Call: cache_network.py WORKER FSM_CACHE FAULTY FOLDER, WORKER being cache-worker.c and FAULTY a library of faulty-files.c, which
makes calls of a process fail. Each fault is met by a process that finds nothing in the folder, by one that finds all of it, and by
one that takes the folder as the second, which is only read."""

import os
import shutil
import subprocess
import sys
import time

from cache_sharing import WARNING

KERNELS = 3
# What is wrong: the calls that fail, and why nothing is kept where that is so.
KEPT = ("not-seen-yet", "open-stale", "open-io", "read-stale", "read-io", "read-little", "stat-stale", "vanishes", "times-refused",
        "write-little", "rename-answer-lost", "list-vanishes")
NOT_KEPT = {"create-stale": "Stale file handle", "write-io": "Input/output error", "close-quota": "Disk quota exceeded",
            "rename-io": "Input/output error", "owner-mapped": "may be written by others"}
# What the cache has no need of.
NEVER_ASKED = ("sync-io", "no-links", "no-locks")
# With these an entry that is there cannot be taken.
UNREADABLE = ("not-seen-yet", "open-stale", "open-io", "read-stale", "read-io", "stat-stale")


class Test:
    def __init__(self, worker, fsm_cache, faulty, folder):
        self.worker, self.fsm_cache, self.faulty = worker, fsm_cache, faulty
        self.folder, self.own, self.log = folder, folder + "-own", folder + ".log"

    def environment(self, fault, **more):
        return {**os.environ, "LD_PRELOAD": self.faulty, "FAULTY": fault, "FAULTY_FOLDER": self.folder, "FAULTY_LOG": self.log, **more}

    def start(self, fault, **more):
        environment = self.environment(fault, **(more or {"FSM_CACHE_DIR": self.folder}))
        return subprocess.Popen([self.worker, "cpu", str(KERNELS), "1"], env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def check(self, what, process, warning=None):
        """The process is right, and says at most once why nothing is kept."""
        said, complaints = process.communicate()
        lines = complaints.splitlines()
        if process.returncode != 0 or said != "right\n" or len(lines) != (1 if warning else 0):
            sys.exit(f"{what}: ended with {process.returncode}: {said}{complaints}")
        if warning and not (lines[0].startswith(WARNING) and warning in lines[0]):
            sys.exit(f"{what}: expected a warning with '{warning}', got {lines[0]}")

    def met(self):
        """How many calls were made to fail since the last time."""
        if not os.path.exists(self.log):
            return 0
        with open(self.log) as file:
            count = len(file.readlines())
        os.remove(self.log)
        return count

    def fresh(self, fill):
        for folder in (self.folder, self.own):
            shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(self.folder, 0o700)
        if fill:
            self.check("fill", self.start(""))
            expect("entries", len(os.listdir(self.folder)), KERNELS)

    def cache(self, fault, *words):
        done = subprocess.run([self.fsm_cache, *words, self.folder], env=self.environment(fault), text=True, capture_output=True,
                              check=False)
        return done.stdout + done.stderr

    def contents(self):
        files = {}
        for name in sorted(os.listdir(self.folder)):
            with open(os.path.join(self.folder, name), "rb") as file:
                files[name] = file.read()
        return files


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: expected {wanted}, got {got}")


def check_kept(test, fault):
    """A fault in spite of which entries are kept, or else found to be there by others."""
    test.fresh(fill=False)
    test.check(fault, test.start(fault))
    met = test.met()
    test.check(fault + ", again", test.start(fault))
    if met + test.met() == 0:
        sys.exit(f"{fault}: no call was made to fail")
    expect(f"{fault}: files", len(os.listdir(test.folder)), KERNELS)
    expect(f"{fault}: verify", test.cache("", "verify"), f"{KERNELS} entries, 0 damaged\n")


def check_not_kept(test, fault, warning):
    test.fresh(fill=False)
    test.check(fault, test.start(fault), warning)
    if test.met() == 0:
        sys.exit(f"{fault}: no call was made to fail")
    expect(f"{fault}: files", os.listdir(test.folder), [])


def check_second_level(test, fault):
    """A folder that is only read: what cannot be taken from it is compiled, and it stays as it is."""
    test.fresh(fill=True)
    before = test.contents()
    test.check(fault + ", shared", test.start(fault, FSM_CACHE_DIR=test.own, FSM_CACHE_SHARED_DIR=test.folder))
    expect(f"{fault}, shared: own entries", len(os.listdir(test.own)) if os.path.exists(test.own) else 0,
           KERNELS if fault in UNREADABLE + ("owner-mapped",) else 0)
    test.check(fault + ", shared alone", test.start(fault, FSM_CACHE_DIR="", FSM_CACHE_SHARED_DIR=test.folder))
    expect(f"{fault}, shared: as it was", test.contents() == before, True)
    test.met()


def check_names(test):
    """Files whose names are not ours, such as those of what was removed while another has it open, are left alone."""
    test.fresh(fill=True)
    entry = sorted(os.listdir(test.folder))[0]
    foreign = [".nfs000000000012d68700000001", ".nfs" + entry, entry + ".nfs", ".snapshot", entry.upper().replace("0", "O")]
    for name in foreign:
        with open(os.path.join(test.folder, name), "w") as file:
            file.write("not ours")
        os.utime(os.path.join(test.folder, name), (0, 0))
    expect("verify", test.cache("", "verify"), f"{KERNELS} entries, 0 damaged\n")
    listed = test.cache("", "list")
    expect("listed", (listed.count("@times for cpu"), f"{KERNELS} files" in listed, "nfs" in listed), (KERNELS, True, False))
    expect("pruned", test.cache("", "prune", "0"), f"{KERNELS} files removed\n")
    expect("left", sorted(os.listdir(test.folder)), sorted(foreign))
    test.check("beside others", test.start(""))


def check_clocks(test):
    """What another machine is writing is not what was left over, however far its clock or the server's is from ours."""
    test.fresh(fill=True)
    writing, left = (os.path.join(test.folder, ".writing-" + name) for name in ("1-1", "2-2"))
    for fault in ("clock-ahead", "clock-behind"):
        for path, age in ((writing, 60), (left, 2 * 3600)):
            with open(path, "w") as file:
                file.write("half of an entry")
            os.utime(path, (time.time() - age, time.time() - age))
        expect(fault, test.cache(fault, "prune", str(1 << 30)), "1 files removed\n")
        expect(fault + ": written", (os.path.exists(writing), os.path.exists(left)), (True, False))
        test.check(fault, test.start(fault))
    test.met()


def check_numbers(test):
    """Processes of several machines or containers have the same number, and write the same at the same time."""
    for _ in range(3):
        test.fresh(fill=False)
        running = [test.start("same-number,write-slow,write-little") for _ in range(3)]
        for process in running:
            test.check("same number", process)
        expect("same number: files", len(os.listdir(test.folder)), KERNELS)
        expect("same number: verify", test.cache("", "verify"), f"{KERNELS} entries, 0 damaged\n")
    test.met()


def main():
    test = Test(*sys.argv[1:])
    for fault in KEPT:
        check_kept(test, fault)
    for fault, warning in NOT_KEPT.items():
        check_not_kept(test, fault, warning)
    for fault in KEPT + tuple(NOT_KEPT):
        if fault != "vanishes":  # removes what it meets
            check_second_level(test, fault)
    for fault in NEVER_ASKED:
        test.fresh(fill=False)
        test.check(fault, test.start(fault))
        expect(f"{fault}: calls", test.met(), 0)
    # What cannot be removed stays, and is not an entry.
    test.fresh(fill=False)
    test.check("unlink-busy", test.start("unlink-busy,rename-io"), NOT_KEPT["rename-io"])
    expect("left over", {name[:9] for name in os.listdir(test.folder)}, {".writing-"})
    expect("left over: verify", test.cache("", "verify"), "0 entries, 0 damaged\n")
    check_names(test)
    check_clocks(test)
    check_numbers(test)
    print("right")


if __name__ == "__main__":
    main()
