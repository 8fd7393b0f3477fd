"""Each kind on each type, order and scope: memory is changed once by each active element, and what was there is seen."""

from suite import atomics
from suite.kernels import Structured

OP = Structured(atomics.types, atomics.launches, atomics.refuse, rows=atomics.KINDS)
