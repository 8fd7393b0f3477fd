"""Counts kernels of other people's: which were launched, refused or reported while their own tests ran.

A plug-in for pytest beside FSM's: `COUNT_TO=FILE pytest -p fsm.triton.pytest -p count_kernels [--fsm-device=sim] ...`, with this
folder in PYTHONPATH. FILE gets a line of JSON for each kernel of a case, and for each case. COUNT_CASES=N takes N cases of each
function, spread over all; none has more than COUNT_SECONDS. Of an autotuner's configurations one is taken: a kernel is counted
once. COUNT_IR=FOLDER keeps what FSM is given of each kernel as a file for fsm-run.
Call: count_kernels.py FILE...    for the table: kernels, how many are in cases that pass, refused with reasons, cases.
"""

import collections
import hashlib
import json
import os
import pathlib
import re
import signal
import sys

_NAME = re.compile(r"tt\.func public @([\w$]+)")
_PLACE = re.compile(r'^#loc\d* = loc\("([^"]*)":\d+', re.MULTILINE)
_state = {"case": "", "kernels": set()}


def write(**line):
    with open(os.environ["COUNT_TO"], "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def name_of(text):
    """A kernel by its name and the file that it is in."""
    place = _PLACE.search(text)
    return f"{_NAME.search(text)[1]} {pathlib.PurePath(place[1]).name if place else ''}".strip()


def keep(text):
    folder = os.environ.get("COUNT_IR")
    if folder:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        number = hashlib.sha1(text.encode()).hexdigest()[:10]
        pathlib.Path(folder, f"{_NAME.search(text)[1]}-{number}.ttir").write_text(text, encoding="utf-8")


def install():
    """Watches what the device of the session loads and launches."""
    from fsm.triton.device import Device
    from triton.runtime.autotuner import Autotuner
    load, launch, tuned = Device.load, Device.launch, Autotuner.run

    def own_load(self, text):
        try:
            return load(self, text)
        except BaseException as error:
            write(kernel=name_of(text), what="refused", why=str(error)[:300], case=_state["case"])
            raise

    def own_launch(self, text, *rest):
        own_load(self, text)
        keep(text)
        _state["kernels"].add(name_of(text))
        try:
            launch(self, text, *rest)
        except BaseException as error:
            write(kernel=name_of(text), what="reported", why=str(error)[:300], case=_state["case"])
            raise

    def first_of(self, *arguments, **options):
        self.configs = self.configs[len(self.configs) // 2:][:1] or self.configs
        return tuned(self, *arguments, **options)

    Device.load, Device.launch, Autotuner.run = own_load, own_launch, first_of


def pytest_configure():
    install()


def pytest_collection_modifyitems(items):
    most, functions = int(os.environ.get("COUNT_CASES", len(items) or 1)), collections.defaultdict(list)
    for item in items:
        functions[item.nodeid.partition("[")[0]].append(item)
    items[:] = [item for cases in functions.values() for item in cases[::max(1, len(cases) // most)][:most]]


def _late(*_):
    raise TimeoutError("the case took too long")


def pytest_runtest_setup(item):
    _state.update(case=item.nodeid, kernels=set())
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(int(os.environ.get("COUNT_SECONDS", "60")))


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed" and report.when == "setup":
        signal.alarm(0)
        write(case=report.nodeid, outcome=report.outcome, kernels=sorted(_state["kernels"]),
              why=str(getattr(report.longrepr, "reprcrash", report.longrepr) or "")[:300])


def table(path):
    lines = [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]
    cases = {line["case"]: line for line in lines if "outcome" in line}
    launched, right = set(), set()
    for case in cases.values():
        launched.update(case["kernels"])
        right.update(case["kernels"] if case["outcome"] == "passed" else [])
    outcomes = collections.Counter(case["outcome"] for case in cases.values())
    print(f"{path}: {len(launched)} kernels, {len(right)} in cases that pass; cases: {dict(outcomes)}")
    told = {(line["what"], line["kernel"]): line["why"].splitlines()[0] for line in lines if "what" in line}
    for (what, kernel), why in sorted(told.items()):
        print(f"  {what} {kernel}: {why}")
    for case in cases.values():
        if case["outcome"] == "failed" and not any(line.get("case") == case["case"] for line in lines if "what" in line):
            print(f"  failed {case['case']}: {case['why'].splitlines()[0] if case['why'] else ''}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        table(name)
