"""Goldens for the mutants that operators make (backends/mutant/operators), of random instructions.

`build/tools/bench mutants --fill golden` writes the modules and arguments of mutants*.hlo if a random instruction kills
a mutant and no golden does. Each case has the name of the mutant for which it was drawn. Expected values in the files
are not read.
"""

import re

from oracle.hlo.goldens import read
from oracle.program import GOLDEN

ORACLE = "exact arithmetic, XLA:CPU"
# In the first line, which describes the first entry only.
LAYOUT = r", entry_computation_layout=\{.*?\}(?=$|, (?:replica_count|num_partitions)=)"


def add_to(corpus):
    """Adds all files of this module."""
    for path in sorted(GOLDEN.glob("*/mutants*.hlo")):
        golden = read(path)
        module = re.sub(LAYOUT, "", golden.module, count=1, flags=re.M)
        case = corpus.file(golden.path, module, f"{path.parent.name} mutants level2", ORACLE)
        for drawn in golden.cases:
            case(drawn.name, drawn.reason, *drawn.arguments, entry=drawn.entry)
