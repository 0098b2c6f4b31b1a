"""Goldens that are written by hand: the files of the corpus that no other module makes are their own sources.

Their modules, comments, arguments and reasons are kept. The expected values of derived ones are not read, so a new file
may omit them.
"""

from golden.witness.arrays import Digest
from golden.witness.hlo.goldens import read
from golden.witness.program import GOLDEN


def add_to(corpus):
    """Adds the files that the corpus lacks."""
    for path in sorted(GOLDEN.glob("*/*.hlo")):
        name = f"{path.parent.name}/{path.stem}"
        if name in corpus.goldens or path.parent.name == "refused":
            continue
        golden = read(path)
        digests = any(isinstance(value, Digest) for case in golden.cases for value in case.want)
        corpus.file(golden.path, golden.module, digests=digests, **golden.headers)
        corpus.goldens[golden.path].cases += golden.cases
