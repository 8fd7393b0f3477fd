"""The rules of the house: each takes a Tree and yields Findings."""

from .diagnostics import diagnostics_have_tests
from .dialect import operands_are_described, ops_are_described, passes_are_described, passes_have_tests
from .layers import folders_include_upwards, plain_folders_stay_plain
from .names import names_say_what, passes_are_named_as_files
from .portability import paths_are_portable, urls_are_documentation
from .purity import passes_are_pure
from .sizes import cpp_functions_are_short, files_are_short, mains_are_short, python_functions_are_short

RULES = [
    folders_include_upwards,
    plain_folders_stay_plain,
    files_are_short,
    cpp_functions_are_short,
    python_functions_are_short,
    mains_are_short,
    names_say_what,
    passes_are_named_as_files,
    passes_are_described,
    passes_have_tests,
    ops_are_described,
    operands_are_described,
    diagnostics_have_tests,
    paths_are_portable,
    urls_are_documentation,
    passes_are_pure,
]
