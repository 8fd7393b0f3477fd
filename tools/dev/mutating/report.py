"""What is printed of the results: lines, a summary, and the table of the docs."""

import re

# What cell() says of a mutant: a generic unit; one in parentheses, and of how many generic ones that ran; or nobody.
ROW = re.compile(r"^\| (?P<name>[a-z0-9-]+) \|(?:[^|]*\|){4} (?P<reached>\d+) \| (?P<noticed>[^|]*) \|$", re.MULTILINE)
NOTICED = re.compile(r"(?P<nobody>\*\*nobody\*\*)?(?P<own>\([^)]*\))?(?P<generic>[a-z]+ [^,]*)?"
                     r"(?:, no generic one)?(?: of (?P<ran>\d+) run|, not reached)?")


def reached_by(mutant, results):
    """How many generic units reach a mutant."""
    if mutant.name in results.mutants:
        return results.mutants[mutant.name]["reached"]
    return sum(mutant.name in unit["reaches"] for unit in results.units.values() if unit["generic"])


def noticed_by(mutant, results):
    """The unit that noticed a mutant first and whether it is a generic one; nothing if none did, or none was run."""
    found = results.mutants.get(mutant.name, {})
    for kind in ("generic", "own"):
        if kind in found:
            return found[kind]["unit"], kind == "generic"
    return None, False


def cell(mutant, results):
    """Who noticed a mutant: a generic unit, another one in parentheses, or nobody, of how many generic units that ran."""
    unit, is_generic = noticed_by(mutant, results)
    found = results.mutants.get(mutant.name)
    if found is None:
        return "not run"
    if is_generic:
        return unit
    of_some = f" of {found['ran']} run" if found["ran"] < found["reached"] else ""
    if unit:
        return f"({unit})" + (f", no generic one{of_some}" if of_some else "")
    return "**nobody**" + (of_some if found["reached"] else ", not reached")


def line(mutant, results, seconds):
    found = results.mutants[mutant.name]
    said = found.get("generic", found.get("own", {})).get("said", "")
    return f"{mutant.name}: reached by {found['reached']}, noticed by {cell(mutant, results)}, {seconds:.0f} s  {said[:90]}"


def counts(mutants, results):
    """Of the mutants that change results: all, reached and noticed by generic tests, noticed by any; and of all."""
    judged = [mutant for mutant in mutants if mutant.name in results.mutants]
    changing = [mutant for mutant in judged if not mutant.why_not]
    return {"all": len(changing), "reached": sum(reached_by(mutant, results) > 0 for mutant in changing),
            "generic": sum(noticed_by(mutant, results)[1] for mutant in changing),
            "any": sum(noticed_by(mutant, results)[0] is not None for mutant in changing),
            "told": sum(noticed_by(mutant, results)[0] is not None for mutant in judged if mutant.why_not),
            "excepted": len(judged) - len(changing)}


def summary(mutants, results):
    found = counts(mutants, results)
    excepted = f"; {found['told']} of {found['excepted']} excepted ones" if found["excepted"] else ""
    return (f"{found['all']} mutants: generic tests reach {found['reached']} and notice {found['generic']}, "
            f"all tests notice {found['any']}{excepted}")


def is_bad(mutants, results):
    found = counts(mutants, results)
    return found["reached"] < found["all"] or found["any"] < found["all"] or found["generic"] < 0.95 * found["all"]


def markdown(mutants, before, after):
    """The table of the docs. A unit in parentheses is not a generic one."""
    lines = ['Units in parentheses are not generic. "Of 3 run": time was limited, and no more of the generic units that reach the',
             "mutant ran.", "", f"Before the widening: {summary(mutants, before)}.", ""]
    lines += [f"After it: {summary(mutants, after)}.", ""] if after.mutants else []
    lines += ["| mutant | of | some | reached before | noticed before | reached after | noticed after |",
              "|---|---|---|---|---|---|---|"]
    for mutant in sorted(mutants, key=lambda mutant: mutant.of):
        cells = [mutant.name, mutant.of, "yes" if mutant.some else "no"]
        for results in (before, after):
            is_known = results.units or mutant.name in results.mutants
            cells += [str(reached_by(mutant, results)) if is_known else "", cell(mutant, results)]
        lines.append("| " + " | ".join(cells) + " |")
    excepted = [mutant for mutant in mutants if mutant.why_not]
    lines += ["", "Excepted from what generic tests are to notice:", ""] if excepted else []
    lines += [f"- `{mutant.name}`: {mutant.why_not}" for mutant in excepted]
    return "\n".join(lines)


def kept(page):
    """What the page's table says that units have noticed last, as results have it: those of earlier calls may be gone."""
    mutants = {}
    for row in ROW.finditer(page):
        said = NOTICED.fullmatch(row["noticed"])
        if row["noticed"] == "not run" or not said:
            continue
        reached = int(row["reached"])
        found = {"tried": [], "reached": reached, "ran": int(said["ran"] or reached)}
        for kind in ("generic", "own"):
            if said[kind]:
                found[kind] = {"unit": said[kind].strip("()")}
        mutants[row["name"]] = found
    return mutants


def written_into(page, text):
    """The page with the text in place of what stands behind its last heading."""
    head, heading, rest = page.rpartition("\n## ")
    return f"{head}{heading}{rest.splitlines()[0]}\n\n{text}\n"
