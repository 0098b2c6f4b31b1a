"""Programs that a released compiler gets wrong, or lawfully computes in another way: golden/wrong_results.

The files are written by hand: their modules, comments, arguments and reasons are kept. What they say of expected
values is not read, so that a new file may leave it out.
"""

from oracle.hlo.goldens import read
from oracle.program import GOLDEN


def add_to(corpus):
    """All files of this module."""
    for path in sorted(GOLDEN.glob("wrong_results/*.hlo")):
        golden = read(path)
        case = corpus.file(golden.path, golden.module, **golden.headers)
        for known in golden.cases:
            case(known.name, known.reason, *known.argument_texts, entry=known.entry)
