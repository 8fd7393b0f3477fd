"""Measures the cases of a suite one after the other, as long as there is time."""

import time

import torch

from .driver import Driver, DriverError


def measure_cases(cases, begin, limit, measure, write):
    """The points up to the first case that fails, and what there is to note.

    `measure(driver, case, notes)` gives the points of a case. Behind each case all are written: what is lost with the machine is lost.
    """
    notes, points = [], []
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    driver = Driver()
    for case in cases:
        if time.monotonic() - begin > limit:
            notes.append(f"no time was left for {case.title} and what follows")
            break
        try:
            points += measure(driver, case, notes)
            torch.cuda.empty_cache()
        except (DriverError, RuntimeError) as error:
            notes.append(f"FAIL {case.title}: {error}; what follows was not measured")
            break
        print(f"{time.monotonic() - begin:6.1f} s  {case.title}", flush=True)
        write(points, time.monotonic() - begin, notes)
    return points, notes
