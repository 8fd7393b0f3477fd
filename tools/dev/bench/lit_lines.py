"""The RUN lines of lit tests that any device can run, for a machine without lit and FileCheck."""

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
TESTS = REPOSITORY / "test"
# The devices in whose place others are put.
DEVICE = re.compile(r"--(devices?)=(?:(?:cpu|interp|sim),)*(?:cpu|sim)(?:,(?:cpu|interp|sim))*(?![\w,])")
# What only the CPU and the simulator have: guards, and how things are watched.
OF_OTHERS = re.compile(r"--guard=(begin|end)|env FSM_SIMULATOR=\S+(?= )")
# Lines about code or a sentence, which the simulator's are, too; and by programs that only a build has.
ELSEWHERE = re.compile(r"FileCheck|(^|[|;&] *)not |--emit=|%(?!fsm_run|fsm_src)fsm_|%(c11|cxx17|runtime)")
NAMES = re.compile(r"%%|%\{\w+\}|%(?:fsm_run|fsm_src_root|python|deal|S|s|t)(?![a-zA-Z])")
# Tests whose lines are for others alone, and why.
OTHERS = {
    "Device/functions.test": "about the functions of the CPU",
    "Device/outputs.test": "split by a program of LLVM's",
    "Device/persistent-roles.test": "about what is launched on four multiprocessors",
    "Device/races.test": "about what the simulator reports",
}


def directives(text):
    """What a test says to lit, as (word, rest); lines may go on in the next."""
    found = []
    for word, rest in re.findall(r"(?:^|\s)(RUN|DEFINE|REDEFINE): *(.*)", text):
        if found and found[-1][1].endswith("\\"):
            found[-1] = (word, found[-1][1][:-1] + rest)
        else:
            found.append((word, rest))
    return found


def as_usual(line):
    """The line of a run without features: %if FEATURE %{...%} %else %{...%}."""
    return re.sub(r"%if \w+ %\{(.*?)%\}(?: %else %\{(.*?)%\})?", lambda match: match[2] or "", line)


def expand(line, names):
    """What lit and the test define, which may name one another."""
    while any(name != "%%" for name in NAMES.findall(line)):
        line = NAMES.sub(lambda match: match[0] if match[0] == "%%" else names[match[0]], line)
    return line.replace("%%", "%")


def run_lines(file, device, fsm_run, folder):
    """The RUN lines of a test for this device, launches once, and those that make what these read: the CPU's and the simulator's, but for
    those of the CPU that the simulator must refuse. None where nothing is for a device."""
    names = {"%fsm_run": str(fsm_run), "%fsm_src_root": str(REPOSITORY), "%python": sys.executable, "%deal": "",
             "%S": str(file.parent), "%s": str(file), "%t": f"{folder}/{file.parent.name}-{file.stem}"}
    lines, refused = [], set()

    def on_device(line):
        line = OF_OTHERS.sub("", DEVICE.sub(rf"--\1={device}", expand(line, names)))
        return re.sub(r"--jobs=\d+", "--jobs=4", re.sub(r"  +", " ", line)).strip()

    for word, rest in directives(file.read_text(encoding="utf-8")):
        if word != "RUN":
            name, value = re.match(r"(%\{\w+\}) *= *(.*)", rest).groups()
            names[name] = value
            continue
        usual = as_usual(rest)
        if wrong := re.match(r"not (.*--device=sim.*?)( 2>&1)? \|", usual):
            refused.add(on_device(wrong[1]))
        elif not any(ELSEWHERE.search(text) for text in (usual, *(names[name] for name in re.findall(r"%\{\w+\}", usual)))):
            lines.append(on_device(usual))
    # Lines that write files may do so again, for others behind them.
    lines = [line for place, line in enumerate(lines)
             if line and line not in refused and (f"{folder}/" in line or line not in lines[:place])]
    return lines if any(re.search(rf"--devices?={device}\b", line) for line in lines) else []


def is_script(line, device):
    """Whether a line is a script with launches of its own, rather than one launch or what that needs."""
    return f"--devices={device}" in line


def device_files():
    """The tests that run kernels on the CPU or the simulator, and can on any device."""
    files = [file for folder in ("Device", "Fuzz") for file in sorted((TESTS / folder).iterdir()) if file.suffix in (".mlir", ".test")]
    return [file for file in files
            if str(file.relative_to(TESTS)) not in OTHERS and run_lines(file, "cuda", "fsm-run", "folder")]
