"""The suite of matrix products of bench-gpu: compiles, measures and writes what it measured."""

import json
import os
import shlex
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import machine, plot, tables
from .package import PackageError, compile_kernel, emit_command
from .products import products

REPEATS, QUICK_REPEATS = 5, 3


def targets(options):
    return [options.target, *filter(None, [options.target_too])]


def tiles_of(options, case):
    clusters = [int(number) for number in filter(None, options.clusters.split(","))]
    return [tile for target in targets(options) for tile in case.tiles(target, options.quick, clusters)]


def cases_of(options):
    return products(tuple(options.types.split(",")), options.quick)


def dry_run(options, package):
    for case in cases_of(options):
        print(case.title)
        for tile in tiles_of(options, case):
            line = emit_command("fsm-run", package.kernel_file(tile.file), "ptx", "k.ptx", **tile.options)
            print(f"  {tile.name}: {shlex.join(line)}")


def compile_all(options, package, cases, folder):
    """{case: [(tile, (ptx, contract) or a reason)]}"""
    def attempt(job):
        case, tile = job
        name = f"{case.title}-{tile.name}".replace(" ", "-").replace(",", "").replace("+", "")
        try:
            return compile_kernel(package.fsm_run, package.kernel_file(tile.file), folder, name, **tile.options)
        except (PackageError, OSError) as error:
            return str(error)

    jobs = [(case, tile) for case in cases for tile in tiles_of(options, case)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, jobs))
    compiled = {case: [] for case in cases}
    for (case, tile), result in zip(jobs, results):
        compiled[case].append((tile, result))
    return compiled


def groups_of(point, target, target_too):
    """The names of contenders: cuBLAS, Triton for this GPU, ours, and the two for another target."""
    names = list(point.contenders)
    foreign = f"triton {target_too}" if target_too else "triton sm_80"
    return {"cuBLAS": ["cublas"],
            "Triton": [name for name in names if name.startswith("triton") and not name.startswith("triton sm_")],
            "FSM": [name for name in names if name.startswith(f"fsm {target} ")],
            "Triton, other": [name for name in names if name.startswith(foreign)],
            "FSM, other": [name for name in names if target_too and name.startswith(f"fsm {target_too} ")]}


def table(points, target, target_too=""):
    """A row for each point: TFLOP/s of the best of each, ratios, and what our best uses."""
    lines = ["| point | cuBLAS TFLOP/s | Triton | FSM | spread | FSM / cuBLAS | FSM / Triton | Triton, other | FSM, other | FSM / Triton "
             "| kernel | warps | regs | local B |", "|---" * 14 + "|"]
    for point in points:
        groups = groups_of(point, target, target_too)
        best = {group: point.best(names) for group, names in groups.items()}

        def rate(group):
            return tables.number(point.rate(best[group]) / 1e3 if best[group] else None, 1)

        def ratio(group, other):
            return tables.number(point.ratio(best[group], groups[other]), 3)

        ours = best["FSM"]
        use = point.contenders[ours].use if ours else {}
        spread = tables.number(100 * point.spread(ours), 1) + " %" if ours else "-"
        cells = [point.title, rate("cuBLAS"), rate("Triton"), rate("FSM"), spread, ratio("FSM", "cuBLAS"),
                 ratio("FSM", "Triton"), rate("Triton, other"), rate("FSM, other"), ratio("FSM, other", "Triton, other"),
                 ours or "none is right", *(str(use.get(key, "-")) for key in ("num_warps", "registers", "local_bytes"))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def lines_of_plot(points, target):
    """TFLOP/s of squares, by their size."""
    return {group: [(point.size, (point.rate(point.best(groups_of(point, target, "")[group])) or 0) / 1e3 or None)
                    for point in points] for group in ("cuBLAS", "Triton", "FSM")}


def write(options, package, cases, points, seconds, notes):
    out, text = Path(options.out), table(points, options.target, options.target_too)
    head = {"commit": options.commit or package.commit, "machine": machine.summary(), "target": options.target,
            "repeats": QUICK_REPEATS if options.quick else REPEATS, "seconds": round(seconds, 1), "notes": notes}
    (out / "products.json").write_text(json.dumps({**head, "points": [point.json() for point in points]}, indent=1) + "\n")
    (out / "products.md").write_text(f"Commit {head['commit']}, {head['machine']['gpu']}, {head['repeats']} repeats.\n\n{text}")
    squares = {f"{case.title}, single" for case in cases if case.rows == case.columns == case.inner and not case.padding
               and case.type == cases[0].type}
    drawn = [point for point in points if point.title in squares]
    if len(drawn) > 1:
        title = f"Products of {cases[0].type} squares"
        (out / "products.svg").write_text(plot.svg(title, lines_of_plot(drawn, options.target), "TFLOP/s"))
    (out / "log.txt").write_text("\n".join([machine.description(), *notes, text, *tables.faults(points), ""]))
    print(text)


def run(options, package, folder):
    """The exit code: 1 if a kernel is wrong, or if a product has none of ours that is right."""
    from .measure_products import measure
    from .one_by_one import measure_cases

    begin = time.monotonic()
    cases = cases_of(options)
    Path(options.out).mkdir(parents=True, exist_ok=True)
    kernels = Path(folder) / "kernels"
    kernels.mkdir()
    compiled = compile_all(options, package, cases, kernels)
    shutil.make_archive(str(Path(options.out) / "kernels"), "zip", kernels)
    repeats = QUICK_REPEATS if options.quick else REPEATS
    points, notes = measure_cases(
        cases, begin, options.limit, lambda driver, case, notes: measure(driver, case, compiled[case], repeats),
        lambda points, seconds, notes: write(options, package, cases, points, seconds, notes))
    for line in notes + tables.faults(points):
        print(line[:300])
    wrong = [line for line in tables.faults(points) if ": refused: " not in line]
    without = [point.title for point in points if not point.best(groups_of(point, options.target, "")["FSM"])]
    for title in without:
        print(f"FAIL {title}: no FSM kernel is right")
    return 1 if wrong or without or len(points) < 2 * len(cases) else 0
