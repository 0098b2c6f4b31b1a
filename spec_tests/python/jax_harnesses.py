#!/usr/bin/env python3
"""Judges JAX on its own test harnesses, each one by `assay.jax.check`, and prints the verdicts of each group.

    spec_tests/python/jax_harnesses.py [--every K] [--offset I] [--group NAME]... [--seconds S] [--journal FILE]
    JAX_PLATFORMS=cpu,assay spec_tests/python/jax_harnesses.py --device [...]
    JAX_PLATFORMS=assay_shadow ASSAY_SHADOW=PLUGIN spec_tests/python/jax_harnesses.py --run-only [...]

JAX's wheel has these harnesses (jax/_src/internal_test_util/test_harnesses.py): a function and its
arguments for each use of a primitive. All of them take more than half an hour, so no test runs this. Each K-th harness
of every group is run, from number I on. The journal has a line of JSON for each harness that was run; a run with the
same journal leaves those out, and calls a harness that ended the process a CRASH. The exit code is 1 if any failed.

With --device each harness runs on assay as a device of JAX too. The verdict is SAME if that has the bits of XLA:CPU's
results. Otherwise it is the verdict on XLA:CPU's; and DEVICE if the device fails, or does not have the bits that
`assay.evaluate` has for the program that the device was sent.

With --run-only each harness runs once on the first platform, and nothing is judged here: a shadow judges it
(docs/shadow.md). The verdict is RAN, or ERROR.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import sys
import time
import zlib

COLUMNS = ("RAN", "SAME", "EXACT", "LEGAL", "SPEC-GAP", "WEAK", "UNSUPPORTED", "SUSPECT", "FAIL", "ERROR", "TIMEOUT",
           "CRASH", "DEVICE", "refused", "jax")  # fmt: skip
FAILURES = ("SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH", "DEVICE")


def parser_of_harnesses(description, journal):
    """Returns a parser of the options that choose harnesses and name the journal."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="K")
    parser.add_argument("--offset", type=int, default=0, metavar="I")
    parser.add_argument("--group", action="append", metavar="NAME")
    parser.add_argument("--name", default="", metavar="REGULAR_EXPRESSION")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no harness after so many")
    parser.add_argument("--journal", type=pathlib.Path, default=pathlib.Path(journal))
    return parser


def arguments():
    """Parses the command line."""
    parser = parser_of_harnesses(__doc__, "jax_harnesses.jsonl")
    parser.add_argument("--limit", type=float, default=30, help="seconds for judging one harness")
    parser.add_argument("--device", action="store_true", help="run them on assay as a device of JAX too")
    parser.add_argument("--run-only", action="store_true", help="run them and judge nothing")
    parser.add_argument("--show", action="store_true", help="print each comparison that failed")
    return parser.parse_args()


def harnesses(options):
    """Returns the harnesses to run, in an order that mixes the groups."""
    import jax

    jax.config.update("jax_enable_x64", True)
    sys.argv[1:] = []  # absl parses the command line
    from jax._src.internal_test_util import test_harnesses

    groups = collections.defaultdict(list)
    for harness in test_harnesses.all_harnesses:
        if harness.filter("cpu"):  # JAX runs it there
            groups[harness.group_name].append(harness)
    chosen = []
    for name, group in groups.items():
        if not options.group or name in options.group:
            chosen += [one for one in group[options.offset :: options.every] if re.search(options.name, one.fullname)]
    random.Random(0).shuffle(chosen)
    return chosen


def outcome(harness, limit):
    """Returns the verdict on a harness, why, and the instruction at fault."""
    import assay
    import assay.jax
    import numpy

    drawn = numpy.random.RandomState(zlib.crc32(harness.fullname.encode()))
    try:
        values = harness.dyn_args_maker(drawn)
        found = assay.jax.check(harness.dyn_fun, *values, seconds=4 * limit, budget=limit, timeout=limit)
    except assay.Error as error:
        return {"verdict": "refused", "reason": f"{error.code}: {error.rule.splitlines()[0]}"}, None
    except Exception as error:  # whatever JAX says of a harness that it cannot run itself
        return {"verdict": "jax", "reason": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"}, None
    first = found.first_divergent
    op = re.search(r" ([a-z][\w-]*)\(", first.text.partition(" = ")[2]) if first else None
    return {"verdict": str(found.verdict), "reason": found.reason, "op": op[1] if op else ""}, found


def outcome_on_device(harness, limit):
    """Returns the same for results of the device that are not those of XLA:CPU."""
    import assay
    import assay.jax
    import jax
    import numpy

    def leaves(tree):
        return [assay.jax.as_numpy(leaf) for leaf in jax.tree_util.tree_leaves(tree)]

    def equal(ours, theirs):
        return all(a.dtype == b.dtype and a.shape == b.shape and bits(a) == bits(b)
                   for a, b in zip(ours, theirs, strict=True))  # fmt: skip

    def bits(array):  # any NaN equals any NaN
        if array.dtype.kind not in "biu":
            array = numpy.where(array != array, numpy.ones((), array.dtype), array)
        return array.tobytes()

    drawn = numpy.random.RandomState(zlib.crc32(harness.fullname.encode()))
    function = jax.jit(harness.dyn_fun)
    try:
        values = harness.dyn_args_maker(drawn)
        theirs = leaves(function(*values))
    except Exception as error:  # whatever JAX says of a harness that it cannot run itself
        return {"verdict": "jax", "reason": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"}, None
    try:
        with jax.default_device(jax.devices("assay")[0]):
            compiled = function.lower(*values).compile()
            ours = leaves(compiled(*values))
    except Exception as error:
        return {"verdict": "DEVICE", "reason": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"}, None
    if equal(ours, theirs):
        return {"verdict": "SAME", "reason": ""}, None
    try:
        kept = [leaf for i, leaf in enumerate(leaves(values)) if i in compiled._executable._kept_var_idx]
        want = assay.evaluate(compiled.as_text(), *kept)
    except assay.Error as error:
        return {"verdict": "refused", "reason": f"{error.code}: {error.rule.splitlines()[0]}"}, None
    if not equal(ours, list(want) if isinstance(want, tuple) else [want]):
        return {"verdict": "DEVICE", "reason": "the device does not have the reference's bits"}, None
    return outcome(harness, limit)


def outcome_of_run(harness, limit):
    """Returns the result of running a harness."""
    import jax
    import numpy

    drawn = numpy.random.RandomState(zlib.crc32(harness.fullname.encode()))
    try:
        jax.block_until_ready(jax.jit(harness.dyn_fun)(*harness.dyn_args_maker(drawn)))
    except Exception as error:  # of JAX, or of the plugin
        return {"verdict": "ERROR", "reason": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"}, None
    return {"verdict": "RAN", "reason": ""}, None


def latest(journal):
    """Returns the last line of each harness in a journal."""
    lines = map(json.loads, journal.read_text().splitlines()) if journal.exists() else []
    return {line["name"]: line for line in lines}


def keep_journal(options, judge, begun, crashed):
    """Writes a line of the journal for each harness that has none: what `judge` returns for it.

    `begun` stands in the line of a harness until it ends, and `crashed` replaces it if the process ended before.
    """
    known = latest(options.journal)
    with options.journal.open("a") as journal:
        def write(line):
            journal.write(json.dumps(line) + "\n")
            journal.flush()

        for line in known.values():
            if begun.items() <= line.items():
                write({"name": line["name"], "group": line["group"], **crashed})
        start = time.monotonic()
        for harness in harnesses(options):
            if harness.fullname in known or time.monotonic() - start > options.seconds:
                continue
            line = {"name": harness.fullname, "group": harness.group_name}
            write({**line, **begun})
            started = time.monotonic()
            write({**line, **judge(harness), "seconds": round(time.monotonic() - started, 3)})


def run(options):
    """Runs the harnesses and writes the journal."""
    judged = outcome_of_run if options.run_only else outcome_on_device if options.device else outcome

    def judge(harness):
        result, found = judged(harness, options.limit)
        if options.show and result["verdict"] in FAILURES:
            print(f"{harness.fullname}\n{found}\n", flush=True)
        return result

    keep_journal(options, judge, {"verdict": "begun"}, {"verdict": "CRASH", "reason": "the process of JAX ended"})


def table(lines):
    """Prints the verdicts of each group, and the causes of failures."""
    groups = collections.defaultdict(collections.Counter)
    for line in lines:
        groups[line["group"]][line["verdict"]] += 1
        groups["(all)"][line["verdict"]] += 1
    columns = [name for name in COLUMNS if groups["(all)"][name]]
    print(f"{'group':32}" + "".join(f"{name:>12}" for name in columns))
    for group in sorted(groups):
        print(f"{group:32}" + "".join(f"{groups[group][name] or '-':>12}" for name in columns))
    causes = collections.defaultdict(list)
    for line in lines:
        if line["verdict"] in (*FAILURES, "WEAK", "refused", "jax"):
            # Without the instruction that it begins with, and without numbers.
            reason = re.sub(r"\d[\d.e+-]*", "N", re.sub(r"^%.*?\(line \d+\): ", "", line["reason"]))
            causes[line["verdict"], line["group"], line.get("op", ""), reason].append(line["name"])
    for (verdict, group, op, reason), names in sorted(causes.items()):
        print(f"{verdict}, {group}, {op or 'no instruction'}: {reason}: {len(names)}, as {names[0][:60]}")


def main():
    """Runs, and prints the table of the whole journal."""
    options = arguments()
    run(options)
    last = latest(options.journal)
    table(last.values())
    return any(line["verdict"] in FAILURES for line in last.values())


if __name__ == "__main__":
    sys.exit(main())
