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

BUILD = pathlib.Path(os.environ["ASSAY"]).parents[1]

# What a folder declares and another one defines, so that the two meet at link time alone: the folder that calls, the
# one that defines, and the symbol.
PORTS = {
    # The type of records is hlo's; the records are those of ops.
    ("interpreter/hlo", "interpreter/ops", "assay::AllOps()"),
    ("interpreter/hlo", "interpreter/ops", "assay::FindOp(std::basic_string_view<char, std::char_traits<char> >)"),
    # The op custom-call looks its target up in what the program has.
    ("interpreter/ops", "interpreter/custom_calls", "assay::FindCustomCallTarget(assay::HloInstruction const&)"),
}


def objects():
    """The folder and the path of every object file that is built."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = (BUILD / entry["file"]).resolve()
        folder = layer_of(str(source.relative_to(ROOT))) if source.is_relative_to(ROOT) else None
        path = BUILD / entry["output"]
        if folder and path.exists():
            yield folder, path


def symbols(path):
    """Names of one object that nobody else may define, and those that it needs from others."""
    defined, needed = set(), set()
    listing = subprocess.run(["nm", "--format=posix", path], check=True, capture_output=True, text=True).stdout
    for name, kind, *_ in (line.split() for line in listing.splitlines()):
        if kind in "TDBR":
            defined.add(name)
        elif kind == "U":
            needed.add(name)
    return defined, needed


def demangled(name):
    return subprocess.run(["c++filt", name], check=True, capture_output=True, text=True).stdout.strip()


class Symbols(unittest.TestCase):
    def test_follow_the_arrows(self):
        home, needs = {}, collections.defaultdict(set)
        for folder, path in objects():
            defined, needed = symbols(path)
            home.update(dict.fromkeys(defined, folder))
            needs[folder] |= needed
        self.assertEqual(set(ARROWS) - set(needs), set(), "folders without objects")
        met = set()
        for folder, names in needs.items():
            for name in names & set(home):
                if home[name] in (folder, *ARROWS[folder]):
                    continue
                port = (folder, home[name], demangled(name))
                self.assertIn(port, PORTS, f"{folder} calls into {home[name]}")
                met.add(port)
        self.assertEqual(met, PORTS, "ports that nothing uses")


if __name__ == "__main__":
    unittest.main()
