"""What is committed works on any machine and leads nowhere but to documentation."""

import re

from .tree import Finding, line_of

# The fixtures of these rules break them.
FIXTURES = "test/House/"

MACHINE_PATH = re.compile(r"(?<![\w.}%)/-])/(?:home|root|work|tmp)/[\w.$-]+")
WORKSHOP = re.compile(r"\bshared/design\b(?:[\w./-]*\w)?")
URL = re.compile(r"\bhttps?://([\w.-]+)")

DOCUMENTATION = (
    "apache.org",
    "arxiv.org",
    "doi.org",
    "github.com",
    "llvm.org",
    "numpy.org",
    "nvidia.com",
    "python.org",
    "triton-lang.org",
    "w3.org",
)


def _committed(tree):
    return [name for name in tree.files() if not name.startswith(FIXTURES)]


def paths_are_portable(tree):
    """No file but a script names a path of one machine, and none names the workshop's shared folder."""
    for name in _committed(tree):
        text = tree.text(name)
        for match in MACHINE_PATH.finditer(text) if not tree.is_script(name) else ():
            yield Finding(name, line_of(text, match.start()), f"'{match[0]}' is a path of one machine")
        for match in WORKSHOP.finditer(text) if not name.startswith("tools/dev/house_rules/") else ():
            yield Finding(name, line_of(text, match.start()), f"'{match[0]}' is outside the repository")


def urls_are_documentation(tree):
    """URLs lead to documentation and papers; packages are asked for by name, never by the host that has them."""
    for name in _committed(tree):
        text = tree.text(name)
        for match in URL.finditer(text):
            host = match[1].rstrip(".").lower()
            if not any(host == site or host.endswith("." + site) for site in DOCUMENTATION):
                yield Finding(name, line_of(text, match.start()), f"'{host}' is not one of the documentation sites that may be named")
