"""Compares what a value of C says of a kernel with the text of the stage "contract".

Call: contract.py STATED PLAIN KNOWN FACTS: the text of the stage, and lines of code.c of the same kernel without facts and with."""

import json
import sys


def read(path):
    """A line of code.c, which has a comma behind each text."""
    with open(path) as file:
        return json.loads(file.read().replace(",}", "}").replace(",]", "]"))


def main():
    stated_path, plain_path, known_path, facts = sys.argv[1:]
    with open(stated_path) as file:
        stated = json.load(file)
    plain, known = read(plain_path), read(known_path)
    for name in ("name", "target", "num_warps", "programs_per_cta", "num_ctas", "shared_bytes"):
        assert plain[name] == stated[name], (name, plain[name], stated[name])
    assert plain["symbol"] == stated["name"], plain["symbol"]
    assert plain["facts"] == "" and known["facts"] == facts, (plain["facts"], known["facts"])
    assert len(plain["arguments"]) == len(stated["arguments"]) == 5
    for argument, other in zip(plain["arguments"], stated["arguments"]):
        assert {**other, "promise": ""} == argument, (argument, other)
    assert [name for name in plain["hidden_arguments"].split(",") if name] == stated["hidden_arguments"]


if __name__ == "__main__":
    main()
