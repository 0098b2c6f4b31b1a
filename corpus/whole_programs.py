"""Whole programs: corpus/programs/*.hlo are goldens without values, which become golden/programs."""

import pathlib

from corpus.miscompilations.forms import ORACLE
from oracle.hlo import goldens

FOLDER = pathlib.Path(__file__).parent / "programs"


def add_to(corpus):
    """All of them."""
    for path in sorted(FOLDER.glob("*.hlo")):
        golden = goldens.read(path)
        corpus.file(golden.path, golden.module, golden.headers["tags"], ORACLE, clause="programs.md")
        corpus.goldens[golden.path].cases += golden.cases
