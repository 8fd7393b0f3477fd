"""What a header of include/fsm-c declares, as lines that can be compared: functions with their types, records with the size
and the place of each member, constants with their values. One that was declared once stays as it is.

Call: interface.py HEADER COMMITTED [--update]. Names what is gone, changed or new, and fails if anything is."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

CLANG = "clang-22"


def declarations(header, include):
    """The declarations that the header itself, or another of its folder, makes, as clang's syntax tree has them."""
    command = [CLANG, "-std=c11", "-I", include, "-x", "c", "-fsyntax-only", "-Xclang", "-ast-dump=json", header]
    tree = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    file, own = "", []
    for node in tree["inner"]:
        begin = node.get("loc", {})
        begin = begin.get("expansionLoc", begin)
        # Clang leaves out a file that is the same as that of the declaration before.
        file = begin.get("file", file)
        if "fsm-c/" in file:
            own.append(node)
    return own


def members(node):
    return [inner for inner in node.get("inner", []) if inner["kind"] == "FieldDecl"]


def layout(header, include, records):
    """Sizes and offsets, by a program that the compiler makes of the header."""
    lines = [f'#include "{pathlib.Path(header).resolve()}"', "#include <stdio.h>", "int main(void) {"]
    for record in records:
        lines.append(f'  printf("{record["name"]} %zu\\n", sizeof(struct {record["name"]}));')
        for field in members(record):
            name = f'{record["name"]}.{field["name"]}'
            lines.append(f'  printf("{name} %zu\\n", offsetof(struct {record["name"]}, {field["name"]}));')
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "layout.c"), pathlib.Path(folder, "layout")
        source.write_text("\n".join(lines + ["  return 0;", "}", ""]))
        subprocess.run([CLANG, "-std=c11", "-I", include, source, "-o", program], check=True)
        text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return dict(line.split() for line in text.splitlines())


def constants(node):
    """Each constant of an enumeration, with its value: what is written, or one more than the one before."""
    value = -1
    for constant in node.get("inner", []):
        written = next((inner["value"] for inner in constant.get("inner", []) if "value" in inner), None)
        value = int(written) if written is not None else value + 1
        yield constant["name"], value


def macros(header, include):
    """Those of the header and its folder that have a value."""
    text = subprocess.run([CLANG, "-std=c11", "-I", include, "-x", "c", "-E", "-dD", header], check=True, capture_output=True,
                          text=True).stdout
    own = False
    for line in text.splitlines():
        if line.startswith("# "):
            own = "fsm-c/" in line
        words = line.split(maxsplit=2)
        if own and words[:1] == ["#define"] and len(words) == 3 and not words[1].startswith("FSM_API("):
            yield words[1], words[2]


def interface(header):
    """A line for each thing, `KIND NAME: WHAT`."""
    include = str(pathlib.Path(header).parents[1])
    own = declarations(header, include)
    records = [node for node in own if node["kind"] == "RecordDecl" and node.get("completeDefinition")]
    places = layout(header, include, records)
    lines = [f"macro {name}: {value}" for name, value in macros(header, include)]
    for node in own:
        name, type_ = node.get("name", ""), node.get("type", {}).get("qualType")
        if node["kind"] == "FunctionDecl":
            lines.append(f"function {name}: {type_}")
        elif node["kind"] == "TypedefDecl":
            lines.append(f"type {name}: {type_}")
        elif node["kind"] == "EnumDecl":
            lines += [f"constant {constant}: {value}" for constant, value in constants(node)]
    for record in records:
        lines.append(f'record {record["name"]}: {places[record["name"]]} bytes')
        for field in members(record):
            member = f'{record["name"]}.{field["name"]}'
            lines.append(f'member {member}: {field["type"]["qualType"]} at {places[member]}')
    return sorted(set(lines))


def table(lines):
    return dict(line.split(": ", 1) for line in lines)


def differences(before, now):
    """A sentence for each thing that is not as it was."""
    old, new = table(before), table(now)
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"gone: {name}, which was '{old[name]}'"
        elif name not in old:
            yield f"new: {name}, which is '{new[name]}'"
        elif old[name] != new[name]:
            yield f"changed: {name}, from '{old[name]}' to '{new[name]}'"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("header")
    parser.add_argument("committed")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    now = interface(options.header)
    committed = pathlib.Path(options.committed)
    if options.update:
        committed.write_text("\n".join(now) + "\n")
        return 0
    found = list(differences(committed.read_text().splitlines(), now))
    for sentence in found:
        print(sentence)
    if found:
        print("What is declared once stays as it is. What is new raises the version in the header; then call", *sys.argv[:3],
              "--update")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
