"""From times to tables: medians, spreads, ratios, geometric means."""

import math
from dataclasses import dataclass, field

from .suites import STAGES


def median(values):
    ordered = sorted(values)
    if not ordered:
        raise ValueError("expected at least one value")
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def geometric_mean(values):
    values = list(values)
    if not values or min(values) <= 0:
        raise ValueError(f"expected positive values, got {values}")
    return math.exp(sum(map(math.log, values)) / len(values))


@dataclass
class Measured:
    """One contender at one point. `seconds` has one median per repeat; `use` is registers and the like; `error` is the
    largest relative one (ulps for 16-bit types) against float64, `fault` says what disqualifies it; `bytes` is what it
    moves if not as much as the others, as a copy does beside a sum."""

    seconds: list = field(default_factory=list)
    use: dict = field(default_factory=dict)
    error: float = 0.0
    fault: str = ""
    bytes: int = 0

    @property
    def valid(self):
        return bool(self.seconds) and not self.fault

    @property
    def median(self):
        return median(self.seconds)


@dataclass
class Point:
    """All contenders at one shape; `bytes` is what each moves that does not say otherwise."""

    title: str
    size: int
    bytes: int
    contenders: dict = field(default_factory=dict)

    def rate(self, name):
        """GB/s, or None."""
        measured = self.contenders.get(name)
        return self.rate_of(measured) if measured and measured.valid else None

    def rate_of(self, measured):
        return (measured.bytes or self.bytes) / measured.median / 1e9

    def best(self, names):
        """The fastest valid contender among some, or None."""
        valid = [name for name in names if self.rate(name) is not None]
        return max(valid, key=self.rate) if valid else None

    def ratio(self, name, others):
        """How many times the best of the others a contender reaches, or None."""
        rate, other = self.rate(name) if name else None, self.best(others)
        return rate / self.rate(other) if rate is not None and other else None

    def spread(self, name):
        """(90th - 10th percentile) / median of the repeats; of fewer than ten (slowest - fastest) / median."""
        measured = self.contenders[name]
        ordered = sorted(measured.seconds)
        tenth = len(ordered) // 10
        return (ordered[-1 - tenth] - ordered[tenth]) / measured.median

    def json(self):
        contenders = {}
        for name, measured in self.contenders.items():
            entry = {"fault": measured.fault, "error": measured.error, **measured.use, "seconds": measured.seconds}
            if measured.seconds:
                entry.update(median=measured.median, fastest=min(measured.seconds), slowest=max(measured.seconds),
                             gigabytes_per_second=self.rate_of(measured),
                             bytes=measured.bytes or self.bytes)
            contenders[name] = entry
        return {"title": self.title, "size": self.size, "bytes": self.bytes, "contenders": contenders}

    @staticmethod
    def parse(entry):
        """The point of which `json` made an entry, without what each contender uses."""
        contenders = {name: Measured(measured["seconds"], fault=measured["fault"], bytes=measured.get("bytes", 0))
                      for name, measured in entry["contenders"].items()}
        return Point(entry["title"], entry["size"], entry["bytes"], contenders)


def number(value, digits=0):
    return "-" if value is None else f"{value:.{digits}f}"


def is_ours(name):
    return name.startswith("fsm")


OPPONENTS = ("torch", "torch.compile", "triton", *(f"triton stages {stages}" for stages in STAGES))
# A copy by the driver and one by a kernel; the driver's is much slower for 512 MiB than for 256 MiB.
COPIES = ("copy", "copy kernel")


def rates(points):
    """What is plotted: a line for the faster copy, one for each opponent, and one for the best of ours."""
    names = {"copy": COPIES, "PyTorch": OPPONENTS[:2], "Triton": OPPONENTS[2:]}
    lines = {shown: [(point.size, point.rate(point.best(measured))) for point in points] for shown, measured in names.items()}
    return {**lines, "FSM": [(point.size, point.rate(point.best(filter(is_ours, point.contenders)))) for point in points]}


def markdown(points, choose=None):
    """The table: a row per point. `choose` names one of our contenders, otherwise the best of ours at each point."""
    lines = ["| point | copy GB/s | torch | torch.compile | Triton | FSM | spread | FSM / best | FSM / copy | kernel | warps | regs | local B |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    to_best, to_copy = [], []
    for point in points:
        ours = choose or point.best(filter(is_ours, point.contenders))
        measured = point.contenders.get(ours)
        ratios = point.ratio(ours, OPPONENTS), point.ratio(ours, COPIES)
        for ratio, collected in zip(ratios, (to_best, to_copy)):
            collected.extend([] if ratio is None else [ratio])
        spread = number(100 * point.spread(ours), 1) + " %" if measured and measured.valid else "-"
        use = measured.use if measured else {}
        cells = [point.title, *(number(point.rate(name) if name else None) for name in
                                 (point.best(COPIES), *OPPONENTS[:2], point.best(OPPONENTS[2:]), ours)), spread,
                 number(ratios[0], 3), number(ratios[1], 3), ours or "none is right",
                 *(str(use.get(key, "-")) for key in ("num_warps", "registers", "local_bytes"))]
        lines.append(f"| {' | '.join(cells)} |")
    if to_best and to_copy:
        means = number(geometric_mean(to_best), 3), number(geometric_mean(to_copy), 3)
        lines.append(f"| geometric mean | | | | | | | {means[0]} | {means[1]} | | | | |")
    return "\n".join(lines) + "\n"


def faults(points):
    """A sentence for each contender that is wrong or did not run."""
    return [f"{point.title}: {name}: {measured.fault}" for point in points
            for name, measured in point.contenders.items() if measured.fault]


def stages_table(points):
    """A row for each contender of points that differ in how far loads run ahead."""
    names = list(dict.fromkeys(name for point in points for name in point.contenders))
    lines = [f"| GB/s | {' | '.join(point.title for point in points)} |", "|---" * (len(points) + 1) + "|"]
    for name in names:
        cells = []
        for point in points:
            measured = point.contenders.get(name)
            if measured is None or not measured.valid:
                cells.append("-")
                continue
            use = measured.use
            cells.append(f"{point.rate(name):.0f} ({100 * point.spread(name):.1f} %, {use.get('num_warps', '-')} w, "
                         f"{use.get('registers', '-')} r, {use.get('shared_bytes', 0) // 1024} K, "
                         f"{use.get('ctas_per_multiprocessor', '-')} c)")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def borders_table(points):
    """A row for each point: what the compiler chose, and the best of each way to hold a row."""
    ways = {"one CTA": "fsm ctas 1 ", **{f"{ctas} CTAs": f"fsm ctas {ctas} " for ctas in (2, 4, 8, 16)}, "pieces": "fsm pieces "}
    lines = [f"| GB/s | copy | chosen | of the best | {' | '.join(ways)} |", "|---" * (len(ways) + 4) + "|"]
    for point in points:
        chosen = next(name for name in point.contenders if is_ours(name))
        cells = [point.title, number(point.rate(point.best(COPIES))), number(point.rate(chosen)),
                 number(point.ratio(chosen, filter(is_ours, point.contenders)), 3)]
        for prefix in ways.values():
            best = point.best(name for name in point.contenders if name.startswith(prefix))
            cells.append(f"{point.rate(best):.0f} ({best.removeprefix(prefix)})" if best else "-")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
