"""Ops that do the same to every element: one kernel on blocks and one on scalars for each type."""

import numpy as np

from suite import formats, operands, ties, values
from suite.launches import In, Launch, Out, is_gpu
from suite.op import Op

SCALARS = 256


class Numbers:
    """A check that outputs hold the numbers they must: `answers` are bits, `valid` says which count."""

    def __init__(self, kind, answers, valid=None, allowed=None, describe=None):
        self.kind, self.answers, self.allowed = kind, np.asarray(answers), allowed
        self.valid = np.ones(self.answers.shape, bool) if valid is None else valid
        self.describe = describe or (lambda index: f"element {index}")

    def wrong(self, got, device):
        """Per element whether it is wrong."""
        if not formats.is_float(self.kind):
            return (got != self.answers) & self.valid
        gaps = formats.distance(got, self.answers, self.kind)
        allowed = self.allowed(device) if self.allowed else np.zeros(got.shape)
        magnitude = formats.BITS[formats.WIDTH[self.kind]]((1 << (formats.WIDTH[self.kind] - 1)) - 1)
        other_zero = (got & magnitude == 0) & (self.answers & magnitude == 0) & (got != self.answers)
        return ((gaps > allowed) | (other_zero & np.isfinite(allowed))) & self.valid

    def complain(self, got, device):
        wrong = np.flatnonzero(self.wrong(got, device))
        if not wrong.size:
            return ""
        i = int(wrong[0])
        seen, meant = (formats.decode(int(bits[i]), self.kind) for bits in (got, self.answers))
        return f"{wrong.size} of {got.size} wrong, first {self.describe(i)}: got {seen!r}, expected {meant!r}"

    def __call__(self, outcome, device):
        return self.complain(outcome.outputs[0], device)


def each(*checks):
    """A check of several outputs, each by its own."""
    def check(outcome, device):
        found = [one.complain(got, device) for one, got in zip(checks, outcome.outputs)]
        return "; ".join(f"output {i}: {text}" for i, text in enumerate(found) if text)
    return check


def kernel_of_blocks(line, kinds, results):
    """A program takes one block of each operand."""
    extent, lines = values.EXTENT, []
    pointers = [f"%o{i}: {pointer(kind)}" for i, kind in enumerate(results)]
    pointers += [f"%p{i}: {pointer(kind)}" for i, kind in enumerate(kinds)]
    for i, kind in enumerate(kinds):
        lines.append(f"%v{i} = fsm.load %p{i}[%offsets] : {pointer(kind)}, tensor<{extent}xi32> -> tensor<{extent}x{kind}>")
    lines.append(line)
    for i, kind in enumerate(results):
        lines.append(f"fsm.store %r{i}, %o{i}[%offsets] : tensor<{extent}x{kind}>, {pointer(kind)}, tensor<{extent}xi32>")
    body = "\n  ".join(lines)
    return f"""fsm.kernel @blocks({', '.join(pointers)}) {{
  %program = fsm.program_id x : i32
  %extent = arith.constant {extent} : i32
  %first = arith.muli %program, %extent overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<{extent}xi32>
  %range = fsm.range 0, {extent} : tensor<{extent}xi32>
  %offsets = arith.addi %firsts, %range overflow<nsw> : tensor<{extent}xi32>
  {body}
  fsm.return
}}
"""


def kernel_of_scalars(line, kinds, results):
    """A program takes one number of each operand."""
    lines = []
    pointers = [f"%o{i}: {pointer(kind)}" for i, kind in enumerate(results)]
    pointers += [f"%p{i}: {pointer(kind)}" for i, kind in enumerate(kinds)]
    for i, kind in enumerate(kinds):
        lines.append(f"%q{i} = fsm.offset %p{i}, %program : {pointer(kind)}, i32")
        lines.append(f"%v{i} = fsm.load %q{i} : {pointer(kind)} -> {kind}")
    lines.append(line)
    for i, kind in enumerate(results):
        lines.append(f"%a{i} = fsm.offset %o{i}, %program : {pointer(kind)}, i32")
        lines.append(f"fsm.store %r{i}, %a{i} : {kind}, {pointer(kind)}")
    body = "\n  ".join(lines)
    return f"""fsm.kernel @scalars({', '.join(pointers)}) {{
  %program = fsm.program_id x : i32
  {body}
  fsm.return
}}
"""


def pointer(kind):
    return f"!fsm.ptr<{kind}>"


def refused_scalars(line, kinds):
    """A kernel around one op on its arguments, and the number of the op's line."""
    arguments = ", ".join(f"%v{i}: {formats.text_of(kind)}" for i, kind in enumerate(kinds))
    return f"fsm.kernel @refused({arguments}) {{\n  {line}\n  fsm.return\n}}\n", 2


def refused_blocks(line, kinds):
    """The same on blocks that hold anything."""
    blocks = [f"  %v{i} = ub.poison : tensor<{values.EXTENT}x{kind}>\n" for i, kind in enumerate(kinds)]
    return f"fsm.kernel @refused() {{\n{''.join(blocks)}  {line}\n  fsm.return\n}}\n", 2 + len(kinds)


class Elementwise(Op):
    """`types` are those of the operands. `reference` takes numbers and gives the number that the result rounds to (None:
    unspecified), or a tuple of these; of integers it also takes their width. `variants` are several of it, by the text
    of the op: `{op}` is its name, `{0}`, `{1}` the operands, `{T0}`, `{R0}` types of operands and results. `ulps` are
    allowed in f32 and f64, where `allowance(kind, device, numbers, answers, allowed)` says nothing else."""

    def __init__(self, types, reference=None, operands=2, text="", variants=None, results=None, ulps=0, allowance=None,
                 unsigned=False, others=()):
        self.types = types
        names = ", ".join(f"{{{i}}}" for i in range(operands))
        self.variants = variants or {text or f"{{op}} {names} : {{T0}}": reference}
        self.operands, self.ulps, self.allowance = operands, ulps, allowance
        self.unsigned, self.result_kinds, self.others = unsigned, results, others

    def kinds(self, row, kind):
        """Types of the operands and of the results."""
        del row
        operands = [kind] * self.operands
        for position, other in self.others:
            operands[position] = other
        return operands, list(self.result_kinds) if self.result_kinds else [kind]

    def line(self, text, row, kind, shape, names):
        """The op on operands of these names, blocks of a shape or scalars."""
        def written(name):
            return f"tensor<{shape}x{name}>" if shape and name != formats.POINTER else formats.text_of(name)
        kinds, results = self.kinds(row, kind)
        words = {f"T{i}": written(name) for i, name in enumerate(kinds)}
        words.update({f"R{i}": written(name) for i, name in enumerate(results)})
        return text.format(*names, op=self.name, **words)

    def lines(self, row, kind, block):
        """Text of the op and reference of each variant."""
        kinds, results = self.kinds(row, kind)
        operand_names = [f"%v{i}" for i in range(len(kinds))]
        for number, (text, reference) in enumerate(self.variants.items()):
            names = ", ".join(f"%r{number * len(results) + i}" for i in range(len(results)))
            yield f"{names} = {self.line(text, row, kind, values.EXTENT if block else '', operand_names)}", reference

    def answers(self, reference, tuples, kinds, results):
        """For each result the bits of every tuple's answer, and which are specified."""
        answers = [np.zeros(len(tuples), formats.BITS[formats.WIDTH[kind]]) for kind in results]
        valid = np.ones(len(tuples), bool)
        width = () if formats.is_float(kinds[-1]) else (formats.WIDTH[kinds[-1]],)
        for number, bits in enumerate(tuples):
            words = [b if self.unsigned else formats.decode(b, kind) for b, kind in zip(bits, kinds)]
            given = reference(*words, *width)
            if given is None:
                valid[number] = False
                continue
            for i, value in enumerate(given if isinstance(given, tuple) else (given,)):
                answers[i][number] = self.rounded(value, results[i])
        return answers, valid

    def rounded(self, value, kind):
        return formats.encode(value, kind)

    def allowed(self, kind, tuples, answers):
        """A function from a device's name to the ulps that each answer may be off."""
        limit = self.ulps if kind in ("f32", "f64") else min(self.ulps, 1)

        def of(device):
            allowed = np.full(len(tuples), float(limit))
            if self.allowance:
                numbers = formats.decode_all([bits[0] for bits in tuples], kind)
                wide = formats.decode_all(answers, kind)
                with np.errstate(all="ignore"):
                    allowed = self.allowance(kind, is_gpu(device), numbers, np.abs(wide), allowed)
            return allowed
        return of

    def tuples(self, row, kinds):
        del row
        return values.tuples(kinds)

    def launches(self, row, kind):
        if kind not in self.types:
            return []
        kinds, results = self.kinds(row, kind)
        tuples = self.tuples(row, kinds)
        places, few = values.arrange(tuples), np.arange(0, len(tuples), max(1, len(tuples) // SCALARS))
        answered = [self.answers(reference, tuples, kinds, results) for reference in self.variants.values()]
        found = []
        for make, chosen in ((kernel_of_blocks, places), (kernel_of_scalars, few)):
            lines = [line for line, _ in self.lines(row, kind, make is kernel_of_blocks)]
            text = make("\n  ".join(lines), kinds, results * len(lines))
            found.append(self.launch(lines, text, chosen, kinds, results, tuples, answered))
        return found + self.repeated(row, kind, tuples, answered)

    def repeated(self, row, kind, tuples, answered):
        """Operands that are one number for many elements."""
        kinds, results = self.kinds(row, kind)
        if formats.POINTER in kinds:
            return []
        made, checks = operands.Repeated(self, row, kind, tuples), []

        def column(of):
            return np.stack([of(form) for form in made.forms], axis=1).reshape(-1)
        for place, result in enumerate(results):
            bits = column(lambda form, place=place: answered[form.variant][0][place][form.indices])
            valid = column(lambda form: answered[form.variant][1][form.indices])
            allowed = None
            if self.ulps and formats.is_float(result):
                limits = [self.allowed(result, tuples, answers[place]) for answers, _ in answered]

                def allowed(device, limits=limits):
                    return column(lambda form: limits[form.variant](device)[form.indices])
            checks.append(Numbers(result, bits, valid, allowed, made.describe))
        return [made.kernel.launch(made.title, made.arguments(), each(*checks), grid=made.programs)]

    def launch(self, lines, text, chosen, kinds, results, tuples, answered):
        """All variants in one kernel."""
        flat, checks = chosen.reshape(-1), []
        for line, (answers, valid) in zip(lines, answered):
            for kind, bits in zip(results, answers):
                allowed = self.allowed(kind, tuples, bits) if self.ulps and formats.is_float(kind) else None
                checks.append(Numbers(kind, bits[flat], valid[flat],
                                      allowed and (lambda device, allowed=allowed: allowed(device)[flat]),
                                      lambda i, line=line: f"of {[formats.decode(b, k) for b, k in zip(tuples[flat[i]], kinds)]} "
                                      f"at {i}, {line}"))
        columns = [np.array([bits[i] for bits in tuples], formats.BITS[formats.WIDTH[kind]])[flat]
                   for i, kind in enumerate(kinds)]
        arguments = [Out(kind, flat.size) for kind in results * len(lines)]
        arguments += [In(kind, bits) for kind, bits in zip(kinds, columns)]
        return Launch(f"{'scalars' if 'scalars' in text else 'blocks'} {lines[0]}", text, arguments, each(*checks),
                      grid=len(chosen))

    def refused(self, row, kind):
        kinds, _ = self.kinds(row, kind)
        makers = [(False, refused_scalars)] + [(True, refused_blocks)] * (kind != formats.POINTER)
        for block, make in makers:
            line, _ = next(self.lines(row, kind, block))
            yield make(line, kinds)


def integers(reference, unsigned=False, types=formats.ALL_INTEGERS, operands=2):
    """An op on integers that wraps; with `unsigned` the reference takes them without a sign."""
    return Elementwise(types, reference, operands, unsigned=unsigned)


def floats(reference, operands=2, ulps=0, allowance=None):
    return Elementwise(formats.FLOATS, reference, operands, ulps=ulps, allowance=allowance)


class Conversion(Elementwise):
    """An op from one type to another; `pairs` are those the language takes, and the table has a line for each result."""

    def __init__(self, pairs, reference, text="{op} {0} : {T0} to {R0}", variants=None, unsigned=False):
        super().__init__(tuple({source for source, _ in pairs}), reference, 1, text=text, variants=variants,
                         unsigned=unsigned)
        self.pairs = set(pairs)
        self.rows = tuple(kind for kind in formats.TYPES if any(target == kind for _, target in pairs))

    def kinds(self, row, kind):
        return [kind], [row]

    def tuples(self, row, kinds):
        found = super().tuples(row, kinds)
        known = {bits for bits, in found}
        return found + [[bits] for bits in ties.of(kinds[0], row) if bits not in known]

    def launches(self, row, kind):
        return super().launches(row, kind) if (kind, row) in self.pairs else []

    def answers(self, reference, tuples, kinds, results):
        def with_target(number, *_):
            return reference(number, results[0])
        return super().answers(with_target, tuples, kinds, results)
