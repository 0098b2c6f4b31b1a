"""The arrows between folders, as the linker sees them: whose functions does each folder's code call?

An include says what a file may use; a symbol says what it does use, declared anywhere. The table is tree_test.py's.
"""

import collections
import os
import pathlib
import subprocess
import unittest

from spec_tests.meta.tree_test import ARROWS, ROOT, layer_of
from tools.bench.objects import objects

NAMESPACE = "5assay"  # as names are mangled
BUILD = pathlib.Path(os.environ["ASSAY"]).parents[1]

# Symbols that one folder declares and another one defines, so that they meet only at link time. The declaring folder
# counts as their home.
PORTS = {
    # The type of records is hlo's; the records are those of ops.
    "assay::AllOps()": "interpreter/hlo",
    "assay::FindOp(std::basic_string_view<char, std::char_traits<char> >)": "interpreter/hlo",
    # The op custom-call looks its target up in what the program has.
    "assay::FindCustomCallTarget(assay::HloInstruction const&)": "interpreter/hlo",
}


def folders():
    """Yields the path of every object file that is built, and its folder."""
    for entry, file, sources in objects(BUILD, ROOT):
        path = BUILD / entry["output"]
        layers = {layer for source in sources if (layer := layer_of(source))}
        if layers and path.suffix == ".o" and path.exists():
            assert len(layers) == 1, f"{file} has sources of {layers}: which of them calls what?"
            yield str(path), layers.pop()


def symbols(folder_of):
    """Returns the folder of each symbol that only one object may define, and the symbols that each folder needs."""
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
        folder_of = dict(folders())
        self.assertEqual(set(ARROWS) - set(folder_of.values()), set(), "folders without objects")
        home, needs = symbols(folder_of)
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
