"""Which products of matrices a kernel's text holds, and how they stand to what is around them."""

import re

# What is said of a kernel with any: a factor of one comes from another one, is a transpose, or was loaded under a mask; one is in
# a loop, or has batches; and what comes from one is reduced.
PRODUCT_KINDS = ("any", "chained", "transposed", "masked", "in loops", "in batches", "reduced")
NAME = re.compile(r"%\w+")
DEFINES = re.compile(r"^\s*((?:%[\w:]+(?:, )?)+) = ([\w.]+)")
MASK = re.compile(r"^\s*%\w+ = fsm\.load(?:_tile)? %\w+\[[^\]]*\], %")
BATCH = re.compile(r" -> tensor<\d+x\d+x\d+x")


class Flow:
    """What each value of a text is computed of. Names are unique in it."""

    def __init__(self, text):
        # Of each name the line that defines it, and the names that it is made of.
        self.lines, self.sources, self.products, self.reduced = {}, {}, [], []
        self.in_loops = False
        self.read(text.splitlines())

    def read(self, lines):
        around = []
        for line in lines:
            found = DEFINES.match(line)
            names = NAME.findall(found.group(1)) if found else []
            operands = NAME.findall(line[found.end():] if found else line)
            for name in names:
                self.lines[name] = line
                self.sources.setdefault(name, set()).update(operands)
            # A loop's values are what it begins with, and what its iterations hand on.
            for name, first in re.findall(r"(%\w+) = (%\w+)", line[found.end():] if found else ""):
                self.sources.setdefault(name, set()).add(first)
                self.lines[name] = line
                names.append(name)
            op = found.group(2) if found else line.split()[0] if line.strip() else ""
            if op == "scf.yield" and around:
                for name in around[-1][1]:
                    self.sources.setdefault(name, set()).update(operands)
            if op == "fsm.dot":
                self.products.append((names[0], operands[0], operands[1]))
                self.in_loops |= any(kind in ("scf.for", "scf.while") for kind, _ in around)
            if op.startswith("fsm.reduce"):
                self.reduced += operands
            if line.lstrip().startswith("}") and around:
                around.pop()
            if line.rstrip().endswith("{"):
                around.append((op, names))

    def behind(self, value):
        """The lines of all that a value is computed of, up to loads and products."""
        todo, done = [value], set()
        while todo:
            name = todo.pop()
            if name in done or name not in self.lines:
                continue
            done.add(name)
            if not re.search(r"= fsm\.(?:load|load_tile|dot) ", self.lines[name]):
                todo += self.sources[name]
        return [self.lines[name] for name in done]


def kinds_of(text):
    """Of which kinds the products of a text are; none for one without."""
    if "fsm.dot " not in text:
        return set()
    flow, kinds = Flow(text), {"any"}
    for result, *factors in flow.products:
        lines = [line for factor in factors for line in flow.behind(factor)]
        found = {"chained": any(" = fsm.dot " in line for line in lines),
                 "transposed": any(" = fsm.transpose " in line for line in lines),
                 "masked": any(MASK.match(line) for line in lines), "in batches": BATCH.search(flow.lines[result])}
        kinds |= {kind for kind, is_there in found.items() if is_there}
    if flow.in_loops:
        kinds.add("in loops")
    if any(" = fsm.dot " in line for value in flow.reduced for line in flow.behind(value)):
        kinds.add("reduced")
    return kinds
