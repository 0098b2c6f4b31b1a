"""The legal neighbour of a module that must be refused: a case of the corpus with the same operation on the same types.

A backend that declines everything refuses every illegal module too. So a refusal counts only for a backend that runs the
neighbour.
"""

import re

# These move values to the operation that a module is about.
PLUMBING = {"parameter", "constant", "tuple", "get-tuple-element", "after-all"}
# Legal cases of these need a host, which no backend but the reference has. They order their effects by a token.
NEEDS_HOST = {"infeed", "outfeed", "send", "send-done", "recv", "recv-done"}
# Every backend has one of these.
COMMON = {"f32", "s32"}


def opcodes_of(block):
    """Returns the operations of a computation in their order, without plumbing unless there is nothing else."""
    found = re.findall(r"^\s+(?:ROOT )?%?[\w.-]+ = .*? ([a-z][a-z0-9-]*)\(", block, re.M)
    ops = ["after-all" if op in NEEDS_HOST else op for op in found]
    return [op for op in ops if op not in PLUMBING] or ops[::-1]


def types_of(block):
    """Returns the element types in a computation."""
    return set(re.findall(r"\b(pred|[suc]\d+|f\d+\w*|bf16)\[", block))


def block_of(golden, case):
    """Returns the text of the computation that a case runs."""
    name = rf"(?:ENTRY )?%?{re.escape(case.entry)}" if case.entry else "ENTRY [^\n]*?"
    return re.search(rf"^{name}[^\w.-][^\n]*\{{.*?^\}}", golden.module, re.M | re.S).group()


class Neighbours:
    """The legal cases of a corpus by operation."""

    def __init__(self, goldens):
        self.by_op = {}  # of each case its element types, a key by which simple cases come first, and its name
        for golden in goldens:
            if golden.suffix != ".hlo":  # StableHLO programs have no illegal ones beside them
                continue
            op, file = golden.path.split("/")
            on_devices = "replica_count" in golden.module or "num_partitions" in golden.module
            for case in golden.cases:
                if case.refused or case.infeed or case.outfeed:
                    continue
                block, name = block_of(golden, case), f"{golden.path}/{case.name}"
                types = types_of(block)
                key = (on_devices, "<=" in block, file != "types", not types & COMMON, len(block), name)
                self.by_op.setdefault(op, []).append((types, key, name))

    def of(self, block):
        """Returns the name of the neighbour of an illegal computation: of its operation the simplest case whose element
        types are most alike. Prefers cases without sizes at run time, which few backends have."""
        op = next(op for op in opcodes_of(block) if op in self.by_op)
        wanted = types_of(block)

        def rank(candidate):
            types, key, _ = candidate
            has_run_time_sizes = key[1]
            return has_run_time_sizes, -len(wanted & types) / max(1, len(wanted | types)), key

        return min(self.by_op[op], key=rank)[2]
