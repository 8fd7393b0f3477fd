"""The tests of tools/dev/test-gpu: each is a command line in a process of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench import lit_lines

REPOSITORY = lit_lines.REPOSITORY
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# A sanitizer's own exit code, unlike any of fsm-run's.
REPORTED = 99
# Failures of one test that are printed; the log has all.
SHOWN = 20
COUNTS = (re.compile(r"(\d+) of (\d+) .*cases right"), re.compile(r"(\d+) checks, (\d+) failed"),
          re.compile(r"(\d+) launches recorded, (\d+) failed"))


@dataclass
class Test:
    """`must_report` turns a sanitizer's exit code into what is expected."""

    name: str
    command: list
    must_report: bool = False
    passed: bool = False
    seconds: float = 0
    checks: int = 0
    failures: list = field(default_factory=list)
    output: str = field(default="", repr=False)

    def summary(self):
        return {name: value for name, value in asdict(self).items() if name != "output"}


def count_checks(output):
    """How many single checks a script says it made."""
    total = 0
    for line in output.splitlines():
        for pattern in COUNTS:
            match = pattern.search(line)
            if match:
                total += int(match[2] if pattern is COUNTS[0] else match[1])
    return total


def complaints(output):
    """The lines that say what failed, or the last ones."""
    lines = [line.strip()[:400] for line in output.splitlines() if line.strip()]
    failed = [line[len("FAIL "):] for line in lines if line.startswith("FAIL ")]
    if len(failed) > SHOWN:
        failed[SHOWN:] = [f"{len(failed) - SHOWN} more, see the log"]
    return failed or [" | ".join(lines[-3:])]


def perform(test, deadline, environment):
    """Runs one test to its end or to the deadline (of time.monotonic)."""
    begin = time.monotonic()
    if begin >= deadline:
        test.failures = ["no time was left to run it"]
        return test
    with subprocess.Popen(test.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          cwd=REPOSITORY / "tools" / "dev", env=environment, start_new_session=True) as process:
        try:
            test.output = process.communicate(timeout=deadline - begin)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            test.output = process.communicate()[0]
            test.failures = ["it did not end in time"]
    test.seconds = round(time.monotonic() - begin, 2)
    test.checks = max(1, count_checks(test.output))
    test.passed = process.returncode == (REPORTED if test.must_report else 0)
    if not test.passed:
        test.failures += complaints(test.output)
    return test


def run_all(tests, deadline, workers, environment, report):
    """Runs the tests, `workers` at a time, and calls `report` with each that is done."""
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(perform, test, deadline, environment) for test in tests]:
            report(future.result())


def example_tests(package, device, lists, jobs, only=""):
    check = [sys.executable, str(REPOSITORY / "test" / "Examples" / "check.py"), f"--fsm-run={package.fsm_run}",
             f"--devices={device}", f"--jobs={jobs}", f"--only={only}"]
    files = sorted((package.root / "examples").glob("*.mlir"))
    return [Test(f"{file.stem} {name} {device}", [*check, f"--cases={name}", str(file)])
            for name in lists for file in files]


def recorded_test(package, device, out):
    """Kernels with known answers, launched without FSM's own runtime; what they computed is kept."""
    simulator = package.fsm_run.resolve().parents[1] / "lib" / "libfsm-simulator.so"
    driver = [f"--driver={simulator}"] if device == "sim" else []
    return Test("recorded PTX", [sys.executable, "-m", "bench.recorded", f"--package={package.root}", f"--out={out}",
                                 *driver])


def fragments_test(folder):
    """The layouts of tensor cores' operands against the tensor cores. Then once more with a wrong table."""
    source, binary = REPOSITORY / "test" / "Device" / "fragments", Path(folder) / "fragments"
    return Test("fragments cuda", ["bash", "-e", "-c", f"""
nvcc -std=c++17 -arch=sm_90a -o {binary} {source}.cu
{binary} {source}.txt
sed 's/register 0,1 8,0/register 8,0 0,1/' {source}.txt >{binary}.wrong
! {binary} {binary}.wrong >{binary}.log || ! echo FAIL a wrong table of fragments goes unnoticed"""])


def assembled_test(package):
    """The products that are timed, by ptxas, which says where it takes them one by one."""
    return Test("ptxas warnings", [sys.executable, "-m", "bench.ptxas_warnings", str(package.root)])


def file_tests(package, device, folder):
    """Of each test file that is for any device: a test for each of its scripts, and one for its launches; those of test/Fuzz, of
    which each file has few, together."""
    scripts, launches = [], {}
    for file in lit_lines.device_files():
        name = str(file.relative_to(lit_lines.TESTS))
        lines = lit_lines.run_lines(file, device, package.fsm_run, folder)
        own = [line for line in lines if lit_lines.is_script(line, device)]
        scripts += [Test(f"{name} script {number} {device}", ["bash", "-e", "-c", line]) for number, line in enumerate(own, 1)]
        if len(own) < len(lines):
            launches.setdefault("Fuzz/*.mlir" if name.startswith("Fuzz/") else name, []).append(str(file))
    perform = [sys.executable, "-m", "bench.device_files", f"--fsm-run={package.fsm_run}", f"--device={device}",
               f"--folder={folder}"]
    return scripts + [Test(f"{name} {device}", [*perform, *files]) for name, files in launches.items()]


def device_tests(package, device, folder, out):
    """What needs no example. The conformance suite leaves its results in `out`, for tools/dev/conformance-table."""
    def script(name, *arguments):
        return Test(f"{name} {device}", [sys.executable, str(REPOSITORY / name), str(package.fsm_run),
                                         f"--devices={device}", "--jobs=4", *arguments])
    fuzz = [sys.executable, str(REPOSITORY / "tools" / "dev" / "fuzz"), "--count=500", f"--fsm-run={package.fsm_run}",
            f"--devices={device}", "--jobs=4", f"--save={folder}/fuzz"]
    command = lit_lines.run_lines(lit_lines.TESTS / "Examples" / "softmax-command.test", device, package.fsm_run, folder)
    return [script("test/Conformance/run.py", f"--results={out}/conformance.json"), Test(f"tools/dev/fuzz {device}", fuzz),
            script("test/Kernels/kernels.py"), Test(f"Examples/softmax-command.test {device}", ["bash", "-e", "-c", "\n".join(command)]),
            *file_tests(package, device, folder)]


def recovery_test(package, device):
    """A batch in which a kernel reaches an address that is nobody's, and goes on with the next line: on the simulator, and in
    another process on a GPU, which is lost to the one that did it."""
    line = f"{package.root}/examples/03-row-sum.mlir --device={device} --grid=2 --arg=f32[2] --arg=f32[2x10]:randn:1"
    return Test(f"recovery {device}", ["bash", "-c", f"""
printf '%s\\n' '{line} --arg=1073741824 --arg=10' '{line} --arg=10 --arg=10 --compare=cpu' |
  {package.fsm_run} --batch=- | tee /dev/stderr | grep -c -e '^.1. rc=1' -e '^.2. rc=0' | grep -x 2"""])


def persistent_run(package, device):
    """The launch whose registers, spills and occupancy fsm-run prints."""
    file = package.root / "examples" / "05-softmax-persistent.mlir"
    arguments = ["f32[1823x781]", "f32[1823x781]:randn:1", "781", "781", "1823", "781"]
    return Test(f"fsm-run persistent {device}", [
        str(package.fsm_run), str(file), f"--device={device}", "--grid=persistent:1823", "--compare=cpu", "--time=20",
        *(f"--arg={argument}" for argument in arguments)])


def sanitizer(tool, logs):
    return ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(REPORTED), "--log-file", f"{logs}/{tool}-%p.txt"]


def quick_kind(file):
    """The cases of the type that an example has by itself."""
    return ["--only=f16" if "// param T = f16" in file.read_text(encoding="utf-8") else "--only=f32"]


def sanitizer_tests(package, logs, quick):
    """Each example, one of them on clusters too, and the pipelined loops under each tool, and for each tool a kernel that
    it must object to."""
    tests = []
    for tool in TOOLS:
        wrong = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(REPORTED), sys.executable, "-m",
                 "bench.recorded", f"--wrong={tool}"]
        tests.append(Test(f"{tool} notices what is wrong", wrong, must_report=True))
        check = [sys.executable, str(REPOSITORY / "test" / "Examples" / "check.py"), "--devices=cuda", "--jobs=2",
                 f"--fsm-run={' '.join(sanitizer(tool, logs))} {package.fsm_run}"]
        tests += [Test(f"{tool} {file.stem}", [*check, *(quick_kind(file) if quick else []), "--cases=basic", str(file)])
                  for file in sorted((package.root / "examples").glob("*.mlir"))]
        softmax = package.root / "examples" / "04-softmax.mlir"
        clusters = [*check, *(quick_kind(softmax) if quick else []), "--cases=clusters", str(softmax)]
        tests.append(Test(f"{tool} softmax on clusters", clusters))
        loops = [sys.executable, str(REPOSITORY / "test" / "Device" / "pipelines.py"),
                 f"{' '.join(sanitizer(tool, logs))} {package.fsm_run}", "--devices=cuda", "--jobs=2"]
        tests += [Test(f"{tool} pipelines, {warps} warps", [*loops, f"--only={warps} warps"])
                  for warps in (("4",) if quick else ("own", "4"))]
    return tests


def sanitizer_logs(logs):
    """(tool, text, number of reports) of each process that a tool ran; no number where it did not end."""
    for tool in TOOLS:
        for path in sorted(Path(logs).glob(f"{tool}-*.txt")):
            text = path.read_text(errors="replace")
            found = re.search(r"SUMMARY: (\d+)", text)
            yield tool, text, int(found[1]) if found else None


def count_reports(logs):
    """For each tool in how many processes it ran to its end, and how many reports it made."""
    counts = {tool: {"processes": 0, "without_summary": 0, "reports": 0} for tool in TOOLS}
    for tool, _, reports in sanitizer_logs(logs):
        counts[tool]["without_summary" if reports is None else "processes"] += 1
        counts[tool]["reports"] += reports or 0
    return counts
