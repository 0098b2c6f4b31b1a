"""Programs for which a released compiler has a wrong result, or lawfully computes a different one:
golden/wrong_results.

The files are written by hand: their modules, comments, arguments and reasons are kept. Their expected values are not
read, so a new file may omit them.
"""

from oracle.hlo.goldens import read
from oracle.program import GOLDEN


def add_to(corpus):
    """Adds all files of this module."""
    for path in sorted(GOLDEN.glob("wrong_results/*.hlo")):
        golden = read(path)
        case = corpus.file(golden.path, golden.module, **golden.headers)
        for known in golden.cases:
            case(known.name, known.reason, *known.argument_texts, entry=known.entry)
