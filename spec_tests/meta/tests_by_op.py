"""The tests that pin an op: the files of spec_tests that name it, by kind."""

import functools
import re

from spec_tests.tools.command_line import ROOT

# The files of each kind of test, in the order of the search. The search ends with the first pattern whose files name
# the op.
KINDS = {
    "Values": ["ops/*_test.*", "evaluator/*_test.*", "custom_calls/*_test.*", "builder/*_test.cc"],
    "Laws": ["laws/*_test.cc"],
    "Second source": ["oracle/*_oracle_test.py", "evaluator/*devices_test.py", "evaluator/transfers_test.py"],
}
IS_LAW = re.compile("_laws_test")


@functools.cache
def ops_named(path):
    """Returns the ops that a file names: by their records, as instructions of a module's text, in Python also as
    words."""
    text = path.read_text(encoding="utf-8")
    names = {name.replace("_", "-") for name in re.findall(r"\bop_(\w+)", text)}
    names |= set(re.findall(r"""(?:[\])}] |["'] ?)([a-z][a-z0-9-]*)\(""", text))
    words = re.findall(r'"([a-z0-9 -]+)"', text) if path.suffix == ".py" else []
    return names.union(*map(str.split, words))


def files(kind, pattern):
    for path in sorted((ROOT / "spec_tests").glob(pattern)):
        if kind == "Laws" or not IS_LAW.search(path.name):
            yield path


def tests_of(name):
    """For each kind, the files that name the op."""
    found = {}
    for kind, patterns in KINDS.items():
        patterns = [*patterns, "ops/*_laws_test.cc"] if kind == "Laws" else patterns
        for pattern in patterns:
            named = [path for path in files(kind, pattern) if name in ops_named(path)]
            if named and kind not in found:
                found[kind] = named
    return found
