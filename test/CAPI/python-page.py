"""Runs the Python of docs/embed.md with the library named on the command line in the place of libfsm.so, and looks whether the
functions that the page names for any language are declared in the headers."""

import re
import sys
from pathlib import Path

page, library = Path(sys.argv[1]).read_text(), sys.argv[2]
declared = "".join(path.read_text() for path in Path(__file__).parent.glob("*.interface.txt"))
for name in set(re.findall(r"\bfsm[A-Z]\w+", page)):
    assert f"function {name}:" in declared, f"{name} is declared nowhere"
(program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
assert '"libfsm.so"' in program
exec(program.replace('"libfsm.so"', repr(library)))
print("right")
