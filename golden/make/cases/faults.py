"""A case for each fault that a backend may have and that no other golden shows: golden/<op>/faults*.hlo.

`build/tools/bench mutants --fill golden` draws the modules and arguments, a random instruction for each fault
(backends/mutant/operators) that no golden kills. Each case has the name of the fault. Expected values in the files are
not read.
"""

import re

from golden.witness.hlo.goldens import read
from golden.witness.program import GOLDEN

ORACLE = "exact arithmetic, XLA:CPU"
# In the first line, which describes the first entry only.
LAYOUT = r", entry_computation_layout=\{.*?\}(?=$|, (?:replica_count|num_partitions)=)"
# The words with which the faults are written begin a reason until this module gives it another one.
FAULT = "not so: "
# The rule that a fault breaks, by the words of the fault. Those of other faults follow "the result differs if".
RULES = [
    (r"results of (\w+) pass through (\w+)", r"\1: a result keeps the digits and the range that \2 lacks"),
    (r"operands of (\w+) pass through (\w+)", r"\1: operands keep the digits and the range that \2 lacks"),
    (r"the steps of a fold in (\w+) pass through (\w+)", r"\1: an accumulator keeps the digits that \2 lacks"),
    (r"(\w+) is computed in (\w+)", r"\1: nothing on the way is as narrow as \2"),
    (r"([su]\d+) is computed as ([su]\d+)", r"\1: the highest bit does not mean what it means in \2"),
    (r"(result|operands) of (\w+): subnormal numbers are taken as 0", r"\2: subnormal \1 are not flushed"),
    (r"(\w+): results are rounded to (\w+) first", r"\1: one rounding, and none to \2 before it"),
    (r"([su]\d+): results saturate", r"\1: overflow wraps"),
    (r"(\w+): results saturate", r"\1: overflow is not the largest finite number"),
    (r"(\w+): ties are rounded away from zero", r"\1: a tie is rounded to even"),
    (r"(\w+): results are rounded toward zero", r"\1: a result is rounded to nearest"),
    (r"(result|operands) of float: the largest finite number overflows", r"the largest finite number is no infinity"),
    (r"(result|operands) of float: infinity is taken as the largest finite number", r"infinity is no finite number"),
    (r"(result|operands) of float: (infinity|NaN) is taken as (infinity|NaN)", r"\2 and \3 differ"),
    (r"(result|operands) of float: -0 is taken as \+0", r"the sign of a zero counts"),
]


def rule_of(reason):
    """Returns the reason of a case: the rule that its fault breaks."""
    if not reason.startswith(FAULT):
        return reason
    fault = reason.removeprefix(FAULT)
    for words, rule in RULES:
        if match := re.fullmatch(words, fault):
            return match.expand(rule).replace("subnormal result are", "subnormal results are")
    return "the result differs if " + re.sub(r"^(window|dim_labels|replica_groups): ", r"in \1 ", fault)


def add_to(corpus):
    """Adds all files of this module."""
    for path in sorted(GOLDEN.glob("*/faults*.hlo")):
        golden = read(path)
        module = re.sub(LAYOUT, "", golden.module, count=1, flags=re.M)
        case = corpus.file(golden.path, module, f"{path.parent.name} faults level2", ORACLE)
        for drawn in golden.cases:
            case(drawn.name, rule_of(drawn.reason), *drawn.arguments, entry=drawn.entry)
