"""Python test files: what decides whether a test can fail, and whether it can; nothing is run to find out.

`names` is always the path to a function within its file, as a test id has it: (`TestX`, `test_y`). The layers above
import this package inside functions: a hook that meets no such file does without.
"""

from ledgergate.source.checks import Check, Named, functions_named
from ledgergate.source.inline import covered_text, differ_in_layout_only, inline_digest
from ledgergate.source.lent import Lent, lent_checks
from ledgergate.source.listing import listed_tests
from ledgergate.source.names import Defined, defines
from ledgergate.source.strength import Strength, check_strength, strength_without_marks
from ledgergate.source.text import Unreadable

__all__ = [
    "Check",
    "Defined",
    "Lent",
    "Named",
    "Strength",
    "Unreadable",
    "check_strength",
    "covered_text",
    "defines",
    "differ_in_layout_only",
    "functions_named",
    "inline_digest",
    "lent_checks",
    "listed_tests",
    "strength_without_marks",
]
