"""Imports all modules that tests of Triton's make: how many become kernels, and what is said of the others.

Call: import_modules.py FSM_OPT FOLDER [--jobs=N]

FOLDER is searched for files `*.fsm`, which Triton's cache (TRITON_CACHE_DIR) has of each kernel that FSM was given. Modules
that differ in locations alone count once. Each is also printed, read and printed again, which must change nothing.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import pathlib
import re
import subprocess

# Modules that one process reads.
BATCH = 50
SEPARATOR = "\n// -----\n"
_PLACE = re.compile(r" loc\((?:[^()\"]|\"[^\"]*\"|\([^()]*\)|callsite\([^()]*\))*\)")


def without_places(text):
    return "\n".join(_PLACE.sub("", line) for line in text.splitlines() if not line.startswith("#loc"))


def renamed(text):
    """The text with its values numbered: names that are taken count on, in a way of their own."""
    numbers = {}
    return re.sub(r"%[\w$.-]+", lambda name: f"%{numbers.setdefault(name[0], len(numbers))}", text)


def distinct(folder):
    """Path and text of each module."""
    found = {}
    for path in sorted(folder.rglob("*.fsm")):
        text = path.read_text(encoding="utf-8")
        found.setdefault(hashlib.sha256(without_places(text).encode()).digest(), (path, text))
    return list(found.values())


def ran(fsm_opt, text, *options):
    done = subprocess.run([fsm_opt, "-", "--split-input-file", *options], input=text, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def refusals(fsm_opt, modules):
    """The first sentence about each module that does not become a kernel."""
    text = SEPARATOR.join(text for _, text in modules)
    status, _, said = ran(fsm_opt, text, "--fsm-import-triton", "-o", "/dev/null")
    if status == 0:
        return {}
    if len(modules) == 1:
        return {modules[0][0]: next((line for line in said.splitlines() if "error: " in line), f"status {status}: {said[:300]}")}
    half = len(modules) // 2
    return {**refusals(fsm_opt, modules[:half]), **refusals(fsm_opt, modules[half:])}


def changed(fsm_opt, modules):
    """The modules that do not read back as what they were."""
    _, once, said = ran(fsm_opt, SEPARATOR.join(text for _, text in modules))
    _, twice, said_again = ran(fsm_opt, once)
    ops = sum(len(re.findall(r"[ \"]tt\.[a-z]", without_places(text))) for _, text in modules)
    if renamed(once) == renamed(twice) and not said and not said_again and ops == len(re.findall(r"[ \"]tt\.[a-z]", once)):
        return []
    if len(modules) == 1:
        return [modules[0][0]]
    half = len(modules) // 2
    return changed(fsm_opt, modules[:half]) + changed(fsm_opt, modules[half:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fsm_opt")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    modules = distinct(options.folder)
    batches = [modules[first:first + BATCH] for first in range(0, len(modules), BATCH)]
    refused, others = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for some in pool.map(lambda batch: refusals(options.fsm_opt, batch), batches):
            refused.update(some)
        for some in pool.map(lambda batch: changed(options.fsm_opt, batch), batches):
            others += some
    sentences = collections.defaultdict(list)
    for path, sentence in refused.items():
        place, _, words = sentence.partition("error: ")
        sentences[words, bool(re.search(r":\d+:\d+: $", place))].append(path)
    for (words, is_located), paths in sorted(sentences.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(paths)} {'' if is_located else 'WITHOUT A PLACE '}{words}   such as {paths[0]}")
    for path in others:
        print(f"reads back as something else: {path}")
    print(f"{len(modules)} modules: {len(modules) - len(refused)} imported, {len(refused)} refused, {len(others)} read back as "
          "something else")


if __name__ == "__main__":
    main()
