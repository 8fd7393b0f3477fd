"""The unpacked package of FSM: its tools, and kernels compiled by them."""

import ctypes
import json
import subprocess
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from . import tensor_maps

# Set per element type; the parameters of the softmax examples that follow from it.
ELEMENT_PARAMETERS = {
    "f32": {},
    "f16": {"T": "f16", "WIDEN": "arith.extf", "NARROW": "arith.truncf", "NINF": "0xFC00"},
    "bf16": {"T": "bf16", "WIDEN": "arith.extf", "NARROW": "arith.truncf", "NINF": "0xFF80"},
}

# As kPersistentWaves of include/fsm/Engine/Engine.h.
PERSISTENT_WAVES = 8

SCALARS = {"i1": ctypes.c_uint8, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
           "i64": ctypes.c_int64, "f32": ctypes.c_float, "f64": ctypes.c_double}


def balanced(programs, at_once, cluster=1):
    """The fewest programs, in whole clusters, that make no more rounds of so many than as many as run at once do: balancedPrograms of
    include/fsm/Artifact/CompiledKernel.h."""
    at_once = max(at_once // cluster, 1) * cluster
    if programs <= at_once:
        return programs
    return -(-programs // (-(-programs // at_once) * cluster)) * cluster


class PackageError(RuntimeError):
    """The package is not what it should be, or refused to compile something."""


@dataclass(frozen=True)
class Contract:
    """How a compiled kernel is launched: what --emit=contract prints."""

    name: str
    target: str
    num_warps: int
    programs_per_cta: int
    num_ctas: int
    shared_bytes: int
    hidden_arguments: tuple = field(hash=False)
    # (name, type, how many times a pointer)
    arguments: tuple = field(hash=False)
    # What each hidden argument `tensor_map` describes, as bench.tensor_maps takes it.
    tensor_maps: tuple = field(hash=False)
    # Programs that the same threads compute.
    batch: int = 1
    # Programs that load for one another, of which a launch has a multiple.
    cluster: int = 1
    # Programs that are started go on to others: the most that are, 0 for as many as run at once; None where all are started.
    loop_programs: int | None = None
    # Of memory that a launch gives each CTA.
    scratch_bytes: int = 0
    # The code waits for the launches before it, so that a launch may begin before they have ended.
    overlaps_launches: bool = False

    @property
    def threads(self):
        return 32 * self.num_warps * self.programs_per_cta

    def at_once(self, multiprocessors, ctas_per_multiprocessor):
        """Programs that the device runs at once, as DeviceModule::countPrograms has it."""
        ctas = multiprocessors * ctas_per_multiprocessor
        return max(1, (ctas * 7 // 8 if max(self.cluster, self.num_ctas) > 2 else ctas) * self.programs_per_cta * self.batch // self.num_ctas)

    def started(self, programs, at_once):
        """Of so many programs those that a launch starts, where so many run at once."""
        if self.loop_programs is None:
            return programs
        return balanced(programs, min(at_once, self.loop_programs or at_once), self.cluster)

    def ctas(self, programs):
        """Of so many programs that are started."""
        return -(-programs // (self.programs_per_cta * self.batch)) * self.num_ctas

    def persistent_programs(self, rows, multiprocessors, ctas_per_multiprocessor, waves):
        """So many times the programs that the device runs at once, at most one per row."""
        at_once = multiprocessors * ctas_per_multiprocessor * self.programs_per_cta * self.batch // self.num_ctas
        return min(rows, max(1, at_once) * waves)

    def hidden(self, programs, driver=None, arguments=()):
        """The arguments after the user's, which are integers and addresses where there are tensor maps."""
        if unknown := set(self.hidden_arguments) - {"program_count", "scratch", "tensor_map"}:
            raise PackageError(f"expected no hidden arguments but program_count, scratch and tensor_map, got {', '.join(sorted(unknown))}")
        maps = iter(self.tensor_maps)
        made = {"program_count": lambda: ctypes.c_int32(programs),
                # It stays as long as the process.
                "scratch": lambda: driver.allocate(self.ctas(programs) * self.scratch_bytes),
                "tensor_map": lambda: tensor_maps.encode(driver, next(maps), arguments)}
        return [made[name]() for name in self.hidden_arguments]

    @staticmethod
    def parse(text):
        try:
            values = json.loads(text)
            plain = set(Contract.__dataclass_fields__) - {"arguments", "tensor_maps", "batch", "cluster", "loop_programs", "scratch_bytes", "overlaps_launches"}
            contract = Contract(**{name: values[name] for name in plain}, tensor_maps=tuple(values.get("tensor_maps", ())), batch=values.get("batch", 1), cluster=values.get("cluster", 1),
                                loop_programs=values.get("loop_programs"), scratch_bytes=values.get("scratch_bytes", 0), overlaps_launches=values.get("overlaps_launches", False),
                                arguments=tuple((argument["name"], argument["type"], argument["pointer_depth"])
                                                for argument in values["arguments"]))
        except (ValueError, KeyError, TypeError) as error:
            raise PackageError(f"expected the JSON of a launch contract, got {text[:80]!r}: {error!r}") from error
        if contract.num_warps < 1 or contract.programs_per_cta < 1:
            raise PackageError(f"expected at least one warp and one program per CTA, got {text}")
        return contract


class Package:
    """A package unpacked into a folder, or a folder that has bin/fsm-run already."""

    def __init__(self, source, folder):
        source = Path(source)
        if source.is_dir():
            self.root = source.resolve()
        else:
            with tarfile.open(source) as archive:
                archive.extractall(folder)
            roots = sorted(path for path in Path(folder).iterdir() if (path / "bin").is_dir())
            if not roots:
                raise PackageError(f"expected a folder with bin/fsm-run in {source}")
            self.root = roots[0].resolve()
        self.fsm_run = self.root / "bin" / "fsm-run"
        self.fsm_opt = self.root / "bin" / "fsm-opt"
        if not self.fsm_run.exists():
            raise PackageError(f"expected bin/fsm-run in {source}")

    def kernel_file(self, name):
        """An example of the package, or a kernel that only benchmarks use."""
        own = Path(__file__).parent / name
        return own if own.exists() else self.root / "examples" / name

    @property
    def commit(self):
        """The commit it was built from, if it says so."""
        for name in ("COMMIT", "share/COMMIT"):
            if (self.root / name).exists():
                return (self.root / name).read_text().strip()
        return "unknown"


def emit_command(fsm_run, file, stage, output, target, arguments, parameters, num_warps=0, num_stages=0, kernel="",
                 roles="", options=()):
    """The command line that compiles a kernel for given arguments without launching it."""
    line = [str(fsm_run), str(file), f"--emit={stage}", f"--target={target}", "-o", str(output)]
    line += [f"--kernel={kernel}"] if kernel else []
    line += [f"--num-warps={num_warps}"] if num_warps else []
    line += [f"--num-stages={num_stages}"] if num_stages else []
    line += [f"--roles={roles}"] if roles else []
    line += options
    for name, value in parameters.items():
        line += ["-D", f"{name}={value}"]
    return [*line, *(f"--arg={argument}" for argument in arguments)]


def compile_kernel(fsm_run, file, folder, name, **how):
    """PTX text and contract of a kernel; the files stay in the folder as NAME.ptx and NAME.json."""
    texts = []
    for stage, suffix in (("ptx", "ptx"), ("contract", "json")):
        output = Path(folder) / f"{name}.{suffix}"
        line = emit_command(fsm_run, file, stage, output, **how)
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise PackageError(f"exit code {done.returncode} of {' '.join(line)}\n{done.stdout}{done.stderr}".rstrip())
        texts.append(output.read_text())
    return texts[0], Contract.parse(texts[1])
