"""Triton's tutorials 01 to 09 as they are, by Triton's compiler and by FSM, all in one run, and a table of it.

Call: all_tutorials.py --out=FOLDER [--rounds=N] [--only=REGEX] [--limit=SECONDS] [--compilers=triton,fsm]
                       [--device=gpu|cpu] [--calls=N] [--tune=MS] [--rep=MS] TUTORIALS

TUTORIALS is the folder that has them. First all is compiled, by both compilers at the same time and on all processors, and nothing
is launched. Then each program is run by both, which take turns at each point, at most --rounds times, and again by other processes if it is
short, while nothing else runs: all processes have come into memory before, and wait. A point's value is the best that was measured: a
processor that others use as well is slow for seconds on end, and takes a third more for the same launches. What the autotuner takes for a
configuration is --tune, three times as much in short programs; a point takes --rep at the most. No program is begun after --limit
seconds. FOLDER gets all that was measured (tutorials.jsonl) and the table (table.md).
"""

import argparse
import json
import math
import sys
import time
from collections import deque
from pathlib import Path

import tutorials

# Name, how many points of each plot, the largest, how many processes, how many rounds of each, and whether the autotuner takes its
# time. Where a process has its memory is worth a tenth of a launch of some microseconds.
PROGRAMS = [
    ("01-vector-add.py", 8, 1e9, 4, 2),
    ("02-fused-softmax.py", 4, 1e9, 2, 2),
    ("04-low-memory-dropout.py", 1, 1e9, 2, 2),
    ("05-layer-norm.py", 3, 1e9, 2, 4),
    ("07-extern-functions.py", 1, 1e9, 2, 2),
    ("03-matrix-multiplication.py", 2, 1e9, 1, 3, True),
    ("08-grouped-gemm.py", 2, 1e9, 1, 3, True),
    ("06-fused-attention.py", 1, 4096, 1, 1),
    ("09-persistent-matmul.py", 1, 1e9, 1, 3),
    ("09-persistent-matmul.py --prec=fp8", 1, 1e9, 1, 3),
]
# Programs that compile at a time; each has threads of its own. Those that compile longest come first.
AT_A_TIME = 8
THREADS = 4


def options_for(options, compiler, program, **others):
    name, points, most, _, rounds, *is_patient = program
    tune = 3 * options.tune if any(is_patient) else options.tune
    repeats = min(options.rounds, rounds)
    words = [f"--out={options.out / 'tutorials.jsonl'}", f"--points={points}", f"--most={most}", "--lines=^triton",
             f"--device={options.device}", f"--calls={options.calls}", f"--repeats={repeats}", f"--tune={tune}",
             f"--rep={options.rep}", f"--seconds={options.seconds}"]
    parsed = tutorials.parser_of("").parse_args(words)
    parsed.compiler, parsed.compile_only = compiler, False
    for key, value in others.items():
        setattr(parsed, key, value)
    return parsed, f"{options.tutorials}/{name}"


def compile_all(options, programs):
    """Fills the caches, a few programs at a time."""
    waiting = deque((program, compiler) for program in reversed(programs) for compiler in options.compilers)
    running = []
    while waiting or running:
        for run in [run for run in running if run.process.poll() is not None]:
            run.finish()
            running.remove(run)
        while waiting and len(running) < AT_A_TIME:
            program, compiler = waiting.popleft()
            parsed, script = options_for(options, compiler, program, compile_only=True, threads=THREADS)
            running.append(tutorials.Run(parsed, script))
        time.sleep(0.05)


def table_of(lines, compilers):
    """The best of each point, and how FSM's stands to Triton's."""
    best, endings = {}, {}
    for line in lines:
        if "value" in line:
            key = (line["program"], line["plot"], str(line["x"]), line["line"])
            # Tutorial 08 measures milliseconds.
            value = 1 / line["value"] if line["program"].startswith("08") else line["value"]
            values = best.setdefault(key, {})
            values[line["compiler"]] = max(values.get(line["compiler"], 0), value)
        elif "ending" in line and not line["compiled"]:
            endings.setdefault((line["program"], line["compiler"]), set()).add(line["ending"])
    rows, ratios = [], {}
    for (program, plot, x, name), values in best.items():
        if len(values) == len(compilers) == 2:
            ratio = values["fsm"] / values["triton"]
            ratios.setdefault(program, []).append(ratio)
            rows.append(f"| {program} | {plot} | {x} | {name} | {values['triton']:.4g} | {values['fsm']:.4g} | {ratio:.3f} |")
        else:
            rows.append(f"| {program} | {plot} | {x} | {name} | {values.get('triton', '')} | {values.get('fsm', '')} | |")
    summary = []
    for program in dict.fromkeys(program for program, _ in endings):
        ends = "; ".join(f"{compiler}: {', '.join(sorted(endings.get((program, compiler), {'not run'})))}" for compiler in compilers)
        found = ratios.get(program, [])
        mean = math.exp(sum(map(math.log, found)) / len(found)) if found else 0
        summary.append(f"| {program} | {ends} | {min(found, default=0):.3f} | {mean:.3f} | {len(found)} |")
    return "\n".join(["| program | ends | least FSM / Triton | mean | points |", "|---|---|---|---|---|", *summary, "",
                      "| program | plot | x | line | Triton | FSM | FSM / Triton |", "|---|---|---|---|---|---|---|", *rows, ""])


def measure_in_turns(runs, limit):
    """The processes of one program by either compiler; those that wait behind the limit are ended."""
    waiting = [run for run in runs if run.wait()]
    while waiting and time.time() < limit:
        waiting = [run for run in waiting if run.turn()]
    for run in waiting:
        run.process.kill()
    for run in runs:
        run.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--compilers", type=lambda text: text.split(","), default=["triton", "fsm"])
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--tune", type=float, default=10)
    parser.add_argument("--rep", type=float, default=150)
    parser.add_argument("tutorials", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    begin = time.time()
    programs = [program for program in PROGRAMS if tutorials.re.search(options.only, program[0])]
    pairs = []
    for program in programs:
        arguments = [options_for(options, compiler, program, threads=THREADS) for compiler in options.compilers]
        for _ in range(program[3]):
            pairs.append([tutorials.Run(parsed, script, gate=True) for parsed, script in arguments])
            arguments.reverse()
    if options.device == "gpu":
        compile_all(options, programs)
    print(f"at {time.time() - begin:.1f} s: compiled", flush=True)
    for runs in pairs:
        measure_in_turns(runs, begin + options.limit)
        print(f"at {time.time() - begin:.1f} s", flush=True)
    lines = [json.loads(line) for line in (options.out / "tutorials.jsonl").read_text(encoding="utf-8").splitlines()]
    table = table_of(lines, options.compilers)
    (options.out / "table.md").write_text(table, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    sys.exit(main())
