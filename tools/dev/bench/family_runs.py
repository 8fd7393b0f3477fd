"""The suite of kernels of rows of bench-gpu: compiles, measures and writes what it measured."""

import json
import os
import shlex
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import machine, tables
from .family import cases
from .package import PackageError, compile_kernel, emit_command

REPEATS, QUICK_REPEATS = 7, 3


def chosen_cases(options):
    return [case for case in cases(options.quick) if options.only in case.title]


def dry_run(options, package):
    for case in chosen_cases(options):
        print(case.title)
        for name, words in case.ways:
            for kernel in case.kernel.launched:
                line = emit_command("fsm-run", package.kernel_file(kernel.file), "ptx", "k.ptx", **case.options(kernel, words, options.target))
                print(f"  {name}: {shlex.join(line)}")


def compile_all(options, package, chosen, folder):
    """{case: [(name, [(ptx, contract) of each kernel] or a reason)]}"""
    def attempt(job):
        case, name, words = job
        file = f"{case.title}-{name}-".replace(" ", "-").replace(",", "")
        try:
            return [compile_kernel(package.fsm_run, package.kernel_file(kernel.file), folder, file + kernel.entry,
                                   **case.options(kernel, words, options.target)) for kernel in case.kernel.launched]
        except (PackageError, OSError) as error:
            return str(error)

    jobs = [(case, name, words) for case in chosen for name, words in case.ways]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, jobs))
    compiled = {case: [] for case in chosen}
    for (case, name, _), result in zip(jobs, results):
        compiled[case].append((name, result))
    return compiled


def table(points):
    """A row for each of our kernels at each point, in GB/s of what has to be moved, with its ratios and its opponents'."""
    lines = ["| point | kernel | copy GB/s | torch | torch.compile | Triton | FSM | spread | of the copy | of the best | warps, CTAs | regs | local B |",
             "|---" * 13 + "|"]
    for point in points:
        for name in filter(tables.is_ours, point.contenders):
            triton = [name.replace("fsm", "triton")]
            peers = ["torch", "torch.compile", *triton]
            use, measured = point.contenders[name].use, point.contenders[name]
            rates = [tables.number(point.rate(peer)) for peer in ("copy", *peers, name)]
            spread = tables.number(100 * point.spread(name), 1) + " %" if measured.valid else "-"
            cells = [point.title, name, *rates, spread, tables.number(point.ratio(name, ["copy"]), 3),
                     tables.number(point.ratio(name, peers), 3), f"{use.get('num_warps', '-')}, {use.get('num_ctas', '-')}",
                     *(str(use.get(key, "-")) for key in ("registers", "local_bytes"))]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write(options, package, points, seconds, notes):
    out, text = Path(options.out), table(points)
    repeats = QUICK_REPEATS if options.quick else REPEATS
    head = {"commit": options.commit or package.commit, "machine": machine.summary(), "target": options.target,
            "repeats": repeats, "seconds": round(seconds, 1), "notes": notes}
    (out / "family.json").write_text(json.dumps({**head, "points": [point.json() for point in points]}, indent=1) + "\n")
    (out / "family.md").write_text(f"Commit {head['commit']}, {head['machine']['gpu']}, {repeats} repeats. GB/s count each stream once.\n\n{text}\n"
                                   + "\n".join([*notes, *tables.faults(points), ""]))


def run(options, package, folder):
    """The exit code: 1 if a kernel is wrong or refused, or time ran out."""
    from .measure_family import measure
    from .one_by_one import measure_cases

    begin = time.monotonic()
    chosen = chosen_cases(options)
    Path(options.out).mkdir(parents=True, exist_ok=True)
    compiled = compile_all(options, package, chosen, folder)
    repeats = QUICK_REPEATS if options.quick else REPEATS
    points, notes = measure_cases(
        chosen, begin, options.limit, lambda driver, case, notes: [measure(driver, case, compiled[case], repeats, notes.append)],
        lambda points, seconds, notes: write(options, package, points, seconds, notes))
    print(table(points))
    for line in notes + tables.faults(points):
        print(line[:300])
    return 1 if tables.faults(points) or len(points) < len(chosen) else 0
