"""Tries one op on every type and device."""

import tempfile
import time
import traceback
from dataclasses import dataclass, field

from suite import formats, launches, loader
from dealing import Dealer  # Found by what launches adds to the path.

# Complaints about one cell of the table that are printed.
SHOWN = 3
UNTYPED = "-"


@dataclass
class Report:
    """`cells` says for each line of the table and each type on which devices the op passed, or that it is refused."""

    checks: int = 0
    seconds: float = 0
    cells: dict = field(default_factory=dict)
    complaints: list = field(default_factory=list)


class Trial:
    """One op on all its types."""

    def __init__(self, op, fsm_run, devices, folder, pending, dealing=False):
        self.op, self.fsm_run, self.devices, self.folder = op, fsm_run, devices, folder
        self.report, self.dealing = Report(), dealing
        # Of each device that the op waits for, whether something failed, as it should.
        self.waiting = {device: False for device in devices if {op.name, f"{op.name} {device}"} & pending}

    def cell(self, row, kind, launched, dealer):
        title = " ".join(filter(None, (self.op.name, row and f"to {row}", kind if kind != UNTYPED else "")))
        if not launched:
            return self.refused(title, row, kind)
        dealt = [(launch, dealer.devices((row, kind), self.devices, len(launched))) for launch in launched]
        return [device for device in self.devices
                if self.passes(title, [launch for launch, devices in dealt if device in devices], device)]

    def passes(self, title, launched, device):
        found = []
        for launch in launched:
            self.report.checks += 1
            complaint = launch.perform(self.fsm_run, device, self.folder)
            if complaint:
                found.append(f"{title} on {device}: {launch.title}: {complaint}")
        if device not in self.waiting:
            self.report.complaints += found[:SHOWN]
        elif found:
            self.waiting[device] = True
        return not found

    def refused(self, title, row, kind):
        """Kernels that the language must refuse; without any the table has a hole."""
        found, kernels = [], list(self.op.refused(row, kind))
        if not kernels:
            found = ["neither launched nor refused"]
        for text, line in kernels:
            self.report.checks += 1
            complaint = launches.refusal(text, line, self.fsm_run, self.folder)
            if complaint:
                found.append(complaint)
        self.report.complaints += [f"{title}: {complaint}" for complaint in found[:SHOWN]]
        return [] if found else "refused"

    def run(self):
        begin = time.monotonic()
        kinds = formats.TYPES if self.op.typed else (UNTYPED,)
        launched = {(row, kind): list(self.op.launches(row, kind)) for row in self.op.rows for kind in kinds}
        # Of fewer cells than devices not each device would meet what the op does beside its first launch.
        dealer = Dealer(self.op.name, self.dealing and sum(map(bool, launched.values())) >= len(self.devices))
        for row in self.op.rows:
            self.report.cells[row] = {kind: self.cell(row, kind, launched[row, kind], dealer) for kind in kinds}
        for device, failed in self.waiting.items():
            if not failed:
                self.report.complaints.append(f"{self.op.name} passes on {device}; take it out of suite/pending.py")
        self.report.complaints += launches.batch.finish()
        self.report.seconds = time.monotonic() - begin
        return self.report


def op(folder_of_ops, name, fsm_run, devices, parent, pending, dealing=False):
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        try:
            return Trial(loader.load(folder_of_ops, name), fsm_run, devices, folder, pending, dealing).run()
        except Exception:  # A fault of the op's file must not hide those of others.
            return Report(complaints=[f"{name}: {traceback.format_exc()}"])
