"""Goldens for the mutants that operators make (backends/mutant/operators), of instructions drawn at random.

`build/tools/bench mutants --fill golden` writes the modules and arguments of mutants*.hlo, where a mutant is killed by
a random instruction and by no golden; each case bears the name of the mutant that it was drawn for. What the files say
of expected values is not read.
"""

import re

from oracle.hlo.goldens import read
from oracle.program import GOLDEN

ORACLE = "exact arithmetic, XLA:CPU"
# In the first line, which is for the first entry alone.
LAYOUT = r", entry_computation_layout=\{.*?\}(?=$|, (?:replica_count|num_partitions)=)"


def add_to(corpus):
    """All files of this module."""
    for path in sorted(GOLDEN.glob("*/mutants*.hlo")):
        golden = read(path)
        module = re.sub(LAYOUT, "", golden.module, count=1, flags=re.M)
        case = corpus.file(golden.path, module, f"{path.parent.name} mutants level2", ORACLE)
        for drawn in golden.cases:
            case(drawn.name, drawn.reason, *drawn.arguments, entry=drawn.entry)
