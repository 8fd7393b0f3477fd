"""Makes a kernel that fails shorter, and keeps it."""

import re

from .kernel import Kernel

DEFINITION = re.compile(r"^\s*(%\w+)(?::\d+)? = (?!scf\.|func\.|fsm\.atomic|fsm\.reduce_with|fsm\.scan_with)")
# A value, or a helper.
DEFINED = re.compile(r"^\s*(?:func\.func )?([%@]\w+)")
# What begins or ends a region, and the kernel itself.
KEPT = re.compile(r"^\s*(?:\^|(?:scf\.(?:yield|condition)|fsm\.(?:yield|return|kernel)|func\.return)\b)")


class Shortener:
    """`fails` says whether a kernel, or a text that stands for its own, still fails."""

    def __init__(self, fails, limit=400):
        self.fails, self.left = fails, limit

    def still_fails(self, kernel, text=None):
        if self.left <= 0:
            return False
        self.left -= 1
        return self.fails(kernel, text)

    def steps(self, kernel):
        """Leaves out runs of steps, then single ones, as long as what is left still fails."""
        size = max(1, len(kernel.paths) // 2)
        while size:
            index = len(kernel.paths)
            while index > 0:
                index = max(0, min(index, len(kernel.paths)) - size)
                shorter = Kernel(kernel.seed, kernel.skipped | set(kernel.paths[index:index + size]))
                if len(shorter.paths) < len(kernel.paths) and self.still_fails(shorter):
                    kernel = shorter
            size //= 2
        return kernel

    def lines(self, kernel):
        """Leaves out stores, loops, branches and whatever else gives nothing that is used, one by one from the end, and what
        nothing uses then."""
        lines, shorter = kernel.text.split("\n"), without_unused(kernel.text.split("\n"))
        if len(shorter) < len(lines) and self.still_fails(kernel, "\n".join(shorter)):
            lines = shorter
        last = len(lines)
        while last > 0:
            last -= 1
            first = begin_of(lines, last)
            if first is None or is_used(lines[:first] + lines[last + 1:], lines[first]):
                continue
            shorter = without_unused(lines[:first] + lines[last + 1:])
            if self.still_fails(kernel, "\n".join(shorter)):
                # What goes with it stands in front of it.
                last = len(shorter) - (len(lines) - 1 - last)
                lines = shorter
        return "\n".join(lines)


def begin_of(lines, last):
    """The first line of what may be left out up to this line: itself, or the one that opens the region which it closes."""
    line, first = lines[last], last
    if line.endswith("{") or not line.strip() or KEPT.match(line):
        return None
    if line.lstrip().startswith("}"):
        depth = len(line) - len(line.lstrip())
        first = next(i for i in reversed(range(last)) if len(lines[i]) - len(lines[i].lstrip()) == depth and
                     not lines[i].lstrip().startswith(("}", "^")))
    return None if KEPT.match(lines[first]) else first


def is_used(lines, definition):
    """Whether what a line defines, if it does, occurs in these."""
    name = DEFINED.match(definition)
    return bool(name) and re.search(rf"{name.group(1)}\b", "\n".join(lines)) is not None


def without_unused(lines):
    """The lines without definitions of what is used nowhere."""
    while True:
        used = {}
        for line in lines:
            for name in re.findall(r"%\w+", line):
                used[name] = used.get(name, 0) + 1
        kept = [line for line in lines if not (match := DEFINITION.match(line)) or used[match.group(1)] > 1]
        if len(kept) == len(lines):
            return kept
        lines = kept


def device_of(fault):
    return next(word for word in fault.words if word.startswith("--device="))


def shorten(kernel, trial, fault):
    """A shorter kernel's text, and its fault. Any fault of the same way counts, whatever it says."""
    found = {"fault": fault}
    around = trial.before, trial.after

    def fails(candidate, text):
        now = trial.run(candidate, text)
        if now is None or device_of(now) != device_of(fault):
            return False
        found["fault"] = now
        return True

    trial.before = trial.after = ""
    if any(around) and not fails(kernel, None):
        trial.before, trial.after = around
    shortener = Shortener(fails)
    kernel = shortener.steps(kernel)
    text = shortener.lines(kernel)
    last = trial.run(kernel, text)
    return kernel, trial.before + text + trial.after, last or found["fault"]


def keep(folder, kernel, text, fault, schedule, inputs):
    """Writes the kernel into the folder, with the command in its first line."""
    words = " ".join(fault.words).replace(f"{inputs}/", "")
    sentence = "\n".join("// " + line for line in fault.sentence.splitlines()[:6])
    path = folder / f"kernel-{kernel.seed}.mlir"
    path.write_text(f"// FSM_SIMULATOR={schedule} fsm-run FILE {words}\n// kernel {kernel.seed} of tools/dev/fuzz; its inputs "
                    f"are written by `tools/dev/fuzz --inputs=FOLDER`\n{sentence}\n{text}")
    return path
