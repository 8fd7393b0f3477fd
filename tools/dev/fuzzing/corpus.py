"""Many kernels to compile: the examples, the conformance suite and random ones, each as a file with the options for it."""

import collections
import re
import subprocess
import sys
from pathlib import Path

from .arrays import write_inputs
from .kernel import Kernel
from .launches import first_launch
from .trial import Trial, Way, unguarded, ways_of

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "test/Conformance"))
from suite import formats, loader
from suite.launches import In, Out

KINDS = ("examples", "conformance", "random")
# Seeds of the random kernels begin here.
FIRST_SEED = 1
# Kernels that one process compiles before another one is started.
CHUNK = 100
# What the code of an example is made for, where something is known: numbers that are divisible, arrays that are aligned.
KNOWN_NUMBER = 1024

# A text, in the file that it is written to, and what follows the file's name for a GPU and for the host.
Case = collections.namedtuple("Case", "name file text gpu host")


def fsm_run_of(side):
    """The program of a folder, or that of a commit, built."""
    program = Path(side).resolve() / "fsm-run"
    if program.is_file():
        return program
    git = ["git", "-C", str(REPOSITORY)]
    commit = subprocess.run([*git, "rev-parse", "--verify", "--quiet", side + "^{commit}"], capture_output=True, text=True,
                            check=False).stdout.strip()
    if not commit:
        sys.exit(f"{Path(sys.argv[0]).name}: expected a folder that holds fsm-run, or a commit, got '{side}'")
    tree = REPOSITORY / "build/same-code" / commit
    if not tree.exists():
        subprocess.run([*git, "worktree", "add", "--detach", str(tree), commit], check=True, stdout=sys.stderr)
    subprocess.run([tree / "tools/dev/build", "dev", "fsm-run"], check=True, stdout=sys.stderr)
    return tree / "build/dev/bin/fsm-run"


def known_argument(kind):
    """What is given for an argument whose type stands in a signature."""
    pointee = re.fullmatch(r"!fsm\.ptr<(.*)>", kind)
    return f"--arg={pointee[1]}[{KNOWN_NUMBER}]" if pointee else f"--arg={KNOWN_NUMBER}"


def examples(fsm_run):
    for path in sorted((REPOSITORY / "examples").glob("*.mlir")):
        listed = subprocess.run([fsm_run, path, "--list"], capture_output=True, text=True, check=True).stdout
        for kernel, arguments in re.findall(r"^@(\w+)\(([^)]*)\)", listed, re.MULTILINE):
            known = [known_argument(kind) for kind in re.findall(r"%\w+: ([^,]+)", arguments)]
            for title, given in (("", []), (", sizes known", known)):
                words = (f"--kernel={kernel}", *given)
                yield Case(f"examples/{path.name} @{kernel}{title}", f"examples/{path.name}", path.read_text(), words, words)


def conformance(only):
    """One case of each text; launches may share it. Where `only` is an op, no others are made than those whose names hold it."""
    seen, names = set(), loader.names(loader.OPS)
    for name in [name for name in names if only in name] if only in names else names:
        op = loader.load(loader.OPS, name)
        for row in op.rows:
            for kind in formats.TYPES if op.typed else ("",):
                for launch in op.launches(row, kind):
                    if launch.text in seen:
                        continue
                    seen.add(launch.text)
                    title = " ".join(filter(None, ("conformance", name, row, kind, launch.title)))
                    words = (*(f"--arg={argument_text(argument)}" for argument in launch.arguments), *launch.options)
                    yield Case(title, f"conformance-{len(seen)}.mlir", launch.text, words, words)


def argument_text(argument):
    if not isinstance(argument, (In, Out)):
        return argument
    return f"{argument.kind}[{max(1, argument.contents().size)}]"


def random_kernels(folder, count):
    trial = Trial(None, folder, [])
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        kernel = Kernel(seed)
        words = {}
        for device in ("sim", "cpu"):
            options = unguarded(ways_of(kernel, [device])[-1]).options
            launched = trial.words(kernel, Way(device, options), first_launch(kernel))
            words[device] = tuple(word for word in launched if not word.startswith(("--device", "--target", "--grid")))
        yield Case(f"random {seed}", f"random-{seed}.mlir", kernel.text, words["sim"], words["cpu"])


def cases_of(options, fsm_run, folder):
    """Of what is in `folder`, names without it: a kernel may print its own."""
    kinds = {"examples": lambda: examples(fsm_run), "conformance": lambda: conformance(options.only),
             "random": lambda: random_kernels(Path("."), options.random)}
    cases = [case for kind in options.of.split(",") for case in kinds[kind]() if options.only in case.name][::options.every]
    write_inputs(folder)
    (folder / "examples").mkdir()
    for case in cases:
        (folder / case.file).write_text(case.text)
    return cases
