"""Random kernels, compiled into programs of C for what is known of one launch, and launched with the arguments of this launch and of others.

Call: random_kernels.py FSM_RUN COMPILER LINKED SEED COUNT [DEVICE...]

COMPILER is the command of a C compiler, LINKED what it links a program with that uses libfsm-runtime. Kernels are those from SEED on whose
arrays hold no addresses, and that neither print nor assert. What a launch leaves is compared with what the interpreter leaves, as tools/dev/fuzz
does.
"""

import shlex
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
SOURCE = Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE.parents[1] / "tools" / "dev"))
from fuzzing.arrays import NUMPY, widened, write_inputs  # noqa: E402  pylint: disable=wrong-import-position
from fuzzing.kernel import Kernel  # noqa: E402  pylint: disable=wrong-import-position
from fuzzing.language import INTS, WIDTH  # noqa: E402  pylint: disable=wrong-import-position
from fuzzing.launches import first_launch, second_launch  # noqa: E402  pylint: disable=wrong-import-position
from fuzzing.trial import Trial, Way  # noqa: E402  pylint: disable=wrong-import-position

# A program of such a kernel has nobody who would read what it says.
TALK = ("fsm.print", "fsm.assert")
TARGETS = "sm_90a,cpu"
NATIVE = ("f16", "f32", "f64")
Tools = namedtuple("Tools", "fsm_run compiler linked")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, words))}: exit code {done.returncode}: {done.stdout}{done.stderr}")


def kernels(seed, count):
    """As many that a program may launch."""
    while count:
        kernel = Kernel(seed)
        seed += 1
        if not kernel.uses_addresses() and not any(talk in kernel.text for talk in TALK):
            count -= 1
            yield kernel


def compiled(kernel, tools, words, folder):
    """The program of a kernel, with code for what is true of one launch, and for any."""
    source = folder / "kernel.mlir"
    source.write_text(kernel.text)
    run(tools.fsm_run, source, *words, "--emit=header", f"--target={TARGETS}", "-o", folder / "kernel.h")
    run(tools.fsm_run, source, *words, "--emit=obj", "-o", folder / "kernel.o")
    program = folder / "program"
    run(*tools.compiler, "-DKERNEL=fsm_random", "-DFSM_RANDOM_IMPLEMENTATION", "-include", folder / "kernel.h", SOURCE / "random.c", folder / "kernel.o", "-o", program,
        *tools.linked)
    return program


class Launches:
    """What a launch is on the interpreter and in a program."""

    def __init__(self, kernel, fsm_run, folder):
        self.kernel, self.fsm_run, self.folder = kernel, fsm_run, folder
        self.trial = Trial(None, folder, [])

    def words(self, launch):
        return self.trial.words(self.kernel, Way("interp", ()), launch)

    def expected(self, launch):
        outs = self.trial.outs(self.kernel, "expected")
        run(self.fsm_run, self.folder / "kernel.mlir", *self.words(launch), *(f"--out={i}:{path}" for i, path in outs.items()))
        return outs

    def behind(self, launch, letter, element):
        """How many bytes an array is moved by."""
        for option in launch.options:
            if option.startswith(f"--shift={letter}_{element}:"):
                return int(option.rpartition(":")[2]) * np.dtype(NUMPY[element]).itemsize
        return 0

    def arguments(self, launch, expected):
        """Those of the program."""
        given, made = [word[len("--arg="):] for word in self.words(launch) if word.startswith("--arg=")], []
        arrays = self.kernel.arrays()
        for index, (letter, element, size) in enumerate(arrays):
            name, like = given[index].rpartition("@")[2], np.load(expected[index])
            start = np.load(name).view(like.dtype) if "@" in given[index] else np.zeros(size, like.dtype)
            file = self.folder / f"in-{index}"
            file.write_bytes(start.tobytes())
            made.append(f"{file}:{self.folder}/out-{index}:{like.nbytes}:{self.behind(launch, letter, element)}")
        elements = ["i32"] * len(launch.numbers) + [element for element, _ in self.kernel.arguments] + ["i32"] * len(self.kernel.known)
        return made + [str(bits_of(number, element)) for number, element in zip((*launch.numbers, *launch.scalars), elements)]

    def left(self, expected):
        """What the program has left, as files like those of the interpreter."""
        outs = self.trial.outs(self.kernel, "left")
        for index, path in outs.items():
            like = np.load(expected[index])
            np.save(path, np.frombuffer((self.folder / f"out-{index}").read_bytes(), like.dtype).reshape(like.shape))
        return outs


def bits_of(number, element):
    """Those of a scalar, rounded to the nearest of its type, of two the even one."""
    if element in INTS:
        return int(number) & 0xffff_ffff_ffff_ffff
    if element in NATIVE:
        return int(np.array(number, NUMPY[element]).view(f"u{NUMPY[element]().itemsize}"))
    codes = np.arange(1 << WIDTH[element], dtype=NUMPY[element])
    with np.errstate(invalid="ignore"):
        distances = np.abs(widened(codes, element) - float(number))
    nearest = codes[distances == np.nanmin(distances)]
    return int(nearest[nearest % 2 == 0][0] if len(nearest) > 1 else nearest[0])


def judge(kernel, tools, devices, folder):
    """Sentences about what differs, and how many launches there were."""
    launches, faults, count = Launches(kernel, tools.fsm_run, folder), [], 0
    first, second = first_launch(kernel), second_launch(kernel)
    program = compiled(kernel, tools, [word for word in launches.words(first) if not word.startswith(("--device", "--grid"))], folder)
    # In between only numbers differ, so that facts of these alone decide.
    for launch in (first, second._replace(grid=first.grid, options=()), second):
        if any(option.startswith("--overlap") for option in launch.options):
            continue
        expected = launches.expected(launch)
        for device in devices:
            grid = [str(n) for n in (*launch.grid, 1, 1)[:3]]
            run(program, device, *grid, *launches.arguments(launch, expected))
            if sentence := launches.trial.compare(kernel, expected, launches.left(expected)):
                faults.append(f"kernel {kernel.seed} on {device}, {launch}: {sentence}")
            count += 1
    return faults, count


def main():
    fsm_run, compiler, linked, seed, number, *devices = sys.argv[1:]
    tools = Tools(Path(fsm_run).resolve(), shlex.split(compiler), shlex.split(linked))
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for kernel in kernels(int(seed), int(number)):
            found, launched = judge(kernel, tools, devices or ["cpu", "sim"], folder)
            faults, count = faults + found, count + launched
    print("\n".join(faults) or f"{number} kernels, {count} launches")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
