"""How often each line of lib ran, as programs of the preset "coverage" have counted."""

import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
BUILD = REPOSITORY / "build" / "coverage"


def tool(name):
    """An LLVM tool, or an end with a sentence that says where it comes from."""
    path = shutil.which(name)
    if not path:
        sys.exit(f"{name} is not here; install Debian's package llvm-22")
    return path


def build(*targets):
    """Builds the preset; no target means everything. Ends at once where the tools that read its counts are missing."""
    tool("llvm-profdata-22")
    tool("llvm-cov-22")
    subprocess.run([str(REPOSITORY / "tools/dev/build"), "coverage", *targets], check=True)


def line_counts(folder, programs, prefixes):
    """For each file below one of the prefixes {line: times}, from the *.profraw files that the programs left in the
    folder. A line with code in several programs has the most that one of them says."""
    profile = folder / "all.profdata"
    counted = sorted(str(path) for path in folder.glob("*.profraw"))
    subprocess.run([tool("llvm-profdata-22"), "merge", "-sparse", "-failure-mode=all", *counted, "-o", str(profile)], check=True)
    objects = [word for program in programs[1:] for word in ("-object", str(program))]
    text = subprocess.run([tool("llvm-cov-22"), "export", "-format=lcov", f"-instr-profile={profile}", str(programs[0]), *objects],
                          check=True, capture_output=True, text=True).stdout
    files, current = {}, None
    for line in text.splitlines():
        if line.startswith("SF:"):
            path = Path(line[3:])
            name = str(path.relative_to(REPOSITORY)) if path.is_relative_to(REPOSITORY) else ""
            current = files.setdefault(name, {}) if name.startswith(prefixes) else None
        elif line.startswith("DA:") and current is not None:
            number, count = line[3:].split(",")[:2]
            current[int(number)] = max(int(count), current.get(int(number), 0))
    return files
