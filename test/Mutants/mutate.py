#!/usr/bin/python3
"""What the build with FSM_MUTANTS calls.

Call: mutate.py --list              prints the sources that have mutants
      mutate.py SOURCE OUTPUT       writes the copy of a source with its mutants
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "dev"))
from mutating import table  # pylint: disable=wrong-import-position


def main():
    try:
        mutants = table.read()
        if sys.argv[1:] == ["--list"]:
            print(";".join(sorted({mutant.file for mutant in mutants})))
        else:
            name, output = sys.argv[1:]
            text, copy = table.copy_of(name, mutants), Path(output)
            # A change of the tables compiles only what it changes.
            if not copy.exists() or copy.read_text(encoding="utf-8") != text:
                copy.write_text(text, encoding="utf-8")
    except table.TableError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
