"""Goldens of collectives: every element type on two replicas."""

from golden.make.rules import reason_of
from golden.make.values import called, combiner, folder, small, what_is_in
from golden.witness.element_types import is_float
from golden.witness.program import op_table

ORACLE = "exact arithmetic, XLA:CPU"

# The text of an op for operand x = KIND[2]; {k}: the element type.
LINES = {
    "all-gather": "{k}[4] all-gather(x), replica_groups={{}}, dimensions={{0}}",
    "all-gather-start": "({k}[2], {k}[4]) all-gather-start(x), replica_groups={{}}, dimensions={{0}}",
    "all-reduce": "{k}[2] all-reduce(x), replica_groups={{}}, to_apply={f}_{k}",
    "all-reduce-start": "{k}[2] all-reduce-start(x), replica_groups={{}}, to_apply={f}_{k}",
    "all-to-all": "{k}[2] all-to-all(x), replica_groups={{{{0,1}}}}, dimensions={{0}}",
    "collective-broadcast": "{k}[2] collective-broadcast(x), replica_groups={{{{1,0}}}}",
    "collective-permute": "{k}[2] collective-permute(x), source_target_pairs={{{{0,1}},{{1,0}}}}",
    "collective-permute-start":
    "({k}[2], {k}[2], u32[], u32[]) collective-permute-start(x), source_target_pairs={{{{0,1}}}}",
    "collective-reduce": "{k}[2] collective-reduce(x), replica_groups={{{{0,1}}}}, to_apply={f}_{k}",
    "reduce-scatter": "{k}[1] reduce-scatter(x), replica_groups={{}}, dimensions={{0}}, to_apply={f}_{k}",
}
STARTS = {"all-gather-start": "{k}[4] all-gather-done(s)", "all-reduce-start": "{k}[2] all-reduce-done(s)",
          "collective-permute-start": "{k}[2] collective-permute-done(s)"}


def entry(name, kind, op):
    """Returns the computation `name`, which runs the op."""
    line = LINES[op].format(k=kind, f=folder(kind))
    lines = [f"x = {kind}[2] parameter(0)"]
    if op in STARTS:
        lines += [f"s = {line}", "ROOT r = " + STARTS[op].format(k=kind)]
    else:
        lines.append(f"ROOT r = {line}")
    return f"{name} {{\n" + "\n".join(f"  {text}" for text in lines) + "\n}"


ON_TUPLE = called("on_tuple", "x:f32[2]", "y = f32[2] negate(x)",
                  "s = (f32[2], f32[2]) all-reduce-start(x, y), replica_groups={}, to_apply=add_f32",
                  "ROOT r = (f32[2], f32[2]) all-reduce-done(s)")


def add_types(corpus, op, kinds):
    """Adds a file with every element type, on two replicas; a done has those of its start."""
    start = op.replace("-done", "-start")
    blocks = [combiner(folder(k), k) for k in kinds] if "to_apply" in LINES[start] else []
    blocks += [("" if i else "ENTRY ") + entry(f"on_{k}", k, start) for i, k in enumerate(kinds)]
    names = {kind: kind for kind in kinds}
    if op == "all-reduce-done":
        blocks.append(ON_TUPLE)
        names["tuple"] = "f32"
    text = f"HloModule {op.replace('-', '_')}_types, replica_count=2\n\n" + "\n\n".join(blocks)
    case = corpus.file(f"{op}/types", text, f"{op} types level1", ORACLE)
    for name, kind in names.items():
        numbers = small(kind, 4)
        half = len(numbers) // 2
        arguments = [(f"{kind}[2]", numbers[:half]), (f"{kind}[2]", numbers[half:])]
        case(name, reason_of(op, (kind, kind), what_is_in(arguments)), *arguments, entry=f"on_{name}")


def add_to(corpus):
    """Adds all files of this module."""
    types = {op["name"]: op["types"] for op in op_table()}
    for op in LINES:
        add_types(corpus, op, [k for k in types[op] if is_float(k) or k not in ("token", "tuple")])
    add_types(corpus, "all-gather-done", ["f32"])
    add_types(corpus, "collective-permute-done", ["f32"])
    add_types(corpus, "all-reduce-done", types["all-reduce-start"])
