"""Goldens that are written by hand: golden/programs, programs of some length, and golden/wrong_results, for which a
released compiler has a wrong result, or lawfully computes a different one.

Their modules, comments, arguments and reasons are kept. Their expected values are not read, so a new file may omit
them.
"""

from golden.witness.hlo.goldens import read
from golden.witness.program import GOLDEN


def add_to(corpus):
    """Adds all files of this module."""
    for path in sorted([*GOLDEN.glob("programs/*.hlo"), *GOLDEN.glob("wrong_results/*.hlo")]):
        golden = read(path)
        corpus.file(golden.path, golden.module, **golden.headers)
        corpus.goldens[golden.path].cases += golden.cases
