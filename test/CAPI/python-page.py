"""Runs the Python of docs/embed.md with the library named on the command line in the place of libfsm.so."""

import re
import sys
from pathlib import Path

page, library = Path(sys.argv[1]).read_text(), sys.argv[2]
(program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
assert '"libfsm.so"' in program
exec(program.replace('"libfsm.so"', repr(library)))
print("right")
