"""Makes a kernel that fails shorter, and keeps it."""

import re

from .kernel import Kernel

DEFINITION = re.compile(r"^\s*(%\w+)(?::\d+)? = (?!scf\.|func\.|fsm\.atomic|fsm\.reduce_with|fsm\.scan_with)")


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
        """Leaves out stores, one by one, and what nothing uses then."""
        text = kernel.text
        lines = without_unused(text.split("\n"))
        if self.still_fails(kernel, "\n".join(lines)):
            text = "\n".join(lines)
        for number in reversed([i for i, line in enumerate(lines) if " fsm.store " in line or line.strip() == "fsm.barrier"]):
            shorter = without_unused(text.split("\n"), lines[number])
            if self.still_fails(kernel, "\n".join(shorter)):
                text = "\n".join(shorter)
        return text


def without_unused(lines, gone=None):
    """The lines without `gone`, and without definitions of what is used nowhere."""
    lines = [line for line in lines if line != gone]
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
