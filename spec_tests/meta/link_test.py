"""The arrows between folders, as the linker sees them: whose functions does each folder's code call?

An include says what a file may use; a symbol says what it does use, declared anywhere. The table is tree_test.py's.
"""

import collections
import json
import os
import pathlib
import subprocess
import unittest

from spec_tests.meta.tree_test import ARROWS, ROOT, layer_of

NAMESPACE = "5assay"  # as names are mangled
BUILD = pathlib.Path(os.environ["ASSAY"]).parents[1]

# What one folder declares and another one defines, so that the two meet at link time alone: who declares it counts as its
# home.
PORTS = {
    # The type of records is hlo's; the records are those of ops.
    "assay::AllOps()": "interpreter/hlo",
    "assay::FindOp(std::basic_string_view<char, std::char_traits<char> >)": "interpreter/hlo",
    # The op custom-call looks its target up in what the program has.
    "assay::FindCustomCallTarget(assay::HloInstruction const&)": "interpreter/hlo",
}


def objects():
    """The path of every object file that is built, and its folder."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = (BUILD / entry["file"]).resolve()
        path = BUILD / entry["output"]
        if source.is_relative_to(ROOT) and path.suffix == ".o" and path.exists():
            if folder := layer_of(str(source.relative_to(ROOT))):
                yield str(path), folder


def symbols(folder_of):
    """Where each name is defined that only one object may define, and which names each folder needs."""
    home, needs = {}, collections.defaultdict(set)
    listing = subprocess.run(["nm", "--format=posix", "-A", *folder_of], check=True, capture_output=True, text=True)
    for line in listing.stdout.splitlines():
        path, _, rest = line.partition(": ")
        name, kind, *_ = rest.split()
        if NAMESPACE not in name:
            continue
        if kind in "TDBR":
            home[name] = folder_of[path]
        elif kind == "U":
            needs[folder_of[path]].add(name)
    return home, needs


def demangled(name):
    return subprocess.run(["c++filt", name], check=True, capture_output=True, text=True).stdout.strip()


class Symbols(unittest.TestCase):
    def test_follow_the_arrows(self):
        home, needs = symbols(dict(objects()))
        self.assertEqual(set(ARROWS) - set(needs), set(), "folders without objects")
        met, wrong = set(), set()
        for folder, names in needs.items():
            for name in names & set(home):
                if home[name] in (folder, *ARROWS[folder]):
                    continue
                symbol = demangled(name)
                met.add(symbol)
                if PORTS.get(symbol) not in (folder, *ARROWS[folder]):
                    wrong.add((folder, home[name], symbol))
        self.assertEqual(wrong, set(), "calls against the arrows")
        self.assertEqual(met, set(PORTS), "ports that nothing uses")


if __name__ == "__main__":
    unittest.main()
