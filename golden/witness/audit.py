"""Derives every golden again, by means that share no code with the interpreter, and reports disagreements.

    python -m golden.witness.audit [--exact] [--verbose] [--shard I/N] [FILTER]

There are two witnesses: exact arithmetic (golden/witness/evaluator) and XLA:CPU through jaxlib, in a process of its own; with
--exact, the first one alone. A case on which this process dies is declined and named. A witness confirms a golden value
with the same bits as its own (any NaN is NaN). At least one of them must confirm every value. Exact arithmetic must not
contradict any value, except in the cases that golden/xla-cpu.json names. NOT_DERIVED lists the cases for which exact
arithmetic has no rule. The status is 1 if any of these conditions is violated.
"""

import argparse
import collections
import contextlib
import dataclasses
import datetime
import json
import re
import sys

from golden.witness.arrays import Array, Digest, components, words
from golden.witness.element_types import component
from golden.witness.evaluator.devices import Devices, meets_devices
from golden.witness.evaluator.evaluator import Evaluator
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.run_time_sizes import live
from golden.witness.hlo import goldens
from golden.witness.hlo.module import by_device, grid_of
from golden.witness.legality import broken_rule
from golden.witness.peer import Declined, Died, Peer, Refused
from golden.witness.program import GOLDEN, flatten

# Cases that exact arithmetic does not derive, and the reasons; the audit fails on such a case that is not listed here.
NOT_DERIVED = {}
# DIES is a way to decline.
CONFIRMS, DECLINES, CONTRADICTS, DIES = "confirms", "declines", "contradicts", "dies"
FAILING = ("contradicted", "unconfirmed", "not derived")
# The parts of the files; the tests of each day audit one of them.
SHARDS = 30
# The message of the adapter on a module that jaxlib takes only in another form.
CHANGED = "changes the module"


@dataclasses.dataclass(frozen=True)
class Statement:
    """The statement of a witness on a case: it confirms, declines, dies or contradicts, with the reason."""

    kind: str
    reason: str = ""


@dataclasses.dataclass(frozen=True)
class Finding:
    """A case, the statements of the witnesses, and the verdict."""

    name: str
    statements: dict  # by witness, a Statement
    verdict: str


class ExactWitness:
    """The second evaluator."""

    def run(self, text, arguments):
        """Returns the results of a module, of all devices, concatenated."""
        return [live(value) for value in flatten(self.module(text).run(arguments))]

    def module(self, text):
        """Returns an evaluator of the module."""
        return Devices(text) if grid_of(text) != [1, 1] or meets_devices(text) else Evaluator(text)

    def with_host(self, text, case):
        """Returns the results of a case, and the values sent to the host."""
        module = self.module(text)
        module.from_host = by_device(text, list(case.infeed))
        results = module.run(case.arguments)
        return [[live(value) for value in flatten(values)] for values in (results, module.to_host)]


def first_difference(want, got):
    """Describes the first difference of two arrays."""
    if want.shape != got.shape:
        return f"shape {got.shape}, golden {want.shape}"
    if isinstance(want, Digest):
        return f"digest {got.digest():016x}, golden {want.value:016x}"
    kind = component(want.type)
    rows = zip(components(want), components(got), words(want), words(got))
    for i, (x, y, golden, other) in enumerate(rows):
        if not Array(kind, x.reshape(1)).same(Array(kind, y.reshape(1))):
            return f"component {i} is {other}, golden {golden}"
    raise AssertionError("the arrays are the same")


def compare(want, got):
    """Returns the statement of a witness that returns `got`."""
    if len(got) != len(want):
        return Statement(CONTRADICTS, f"{len(got)} results, golden {len(want)}")
    for a, b in zip(want, got):
        if not a.same(b):
            return Statement(CONTRADICTS, first_difference(a, b))
    return Statement(CONFIRMS)


def ask_exact(witness, golden, case):
    """Returns the statement of exact arithmetic on a case."""
    try:
        if case.infeed or case.outfeed:
            got, given = witness.with_host(golden.module_of(case), case)
            return compare(case.want + flatten(case.outfeed), got + given)
        return compare(case.want, witness.run(golden.module_of(case), case.arguments))
    except NotDerived as error:
        return Statement(DECLINES, f"no rule for {error}")


def ask_xla(witness, golden, case):
    """Returns the statement of XLA:CPU on a case. A failing peer is no witness."""
    if case.infeed or case.outfeed:
        return Statement(DECLINES, "no host")
    try:
        return compare(case.want, witness.run(golden.module_of(case), case.arguments))
    except Died as error:
        return Statement(DIES, str(error))
    except (Declined, Refused) as error:
        return Statement(DECLINES, (str(error).splitlines() or [""])[0][:120])


def ask_to_refuse(text):
    """Returns the statement of the rules of legality.py on an illegal module."""
    try:
        rule = broken_rule(text)
    except Exception as error:  # An illegal module may lack anything.
        return Statement(DECLINES, f"not read: {type(error).__name__}")
    return Statement(CONFIRMS, rule) if rule else Statement(DECLINES, "no rule that it breaks")


def ask_xla_to_refuse(witness, golden, case):
    """Confirms the case if XLA:CPU rejects the module."""
    try:
        witness.check(golden.module_of(case))
    except Died as error:
        return Statement(DIES, str(error))
    except Declined as error:  # Text that jaxlib does not read may be illegal.
        return Statement(DECLINES if CHANGED in str(error) else CONFIRMS, str(error))
    except Refused:
        return Statement(CONFIRMS)
    return Statement(CONTRADICTS, "takes the module")


def verdict(exact, xla, is_disputed, is_declared):
    """Returns the verdict. `xla` is None if XLA:CPU did not run; `is_declared`: NOT_DERIVED names the case."""
    xla_confirms = xla is not None and xla.kind == CONFIRMS
    if exact.kind == CONFIRMS:
        return "both" if xla_confirms else "exact only"
    if is_disputed:
        return "disputed"
    if exact.kind == CONTRADICTS:
        return "contradicted"
    if not is_declared:
        return "not derived"
    return "XLA only" if xla_confirms else "unconfirmed" if xla else "left to XLA"


def audit(golden, exact, xla=None, wanted="", disputed=frozenset(), not_derived=NOT_DERIVED):
    """Yields the findings of the cases of a file whose names contain `wanted`."""
    for case in golden.cases:
        name = f"{golden.path}/{case.name}"
        if wanted not in name:
            continue
        if case.refused:
            statements = {"exact": ask_to_refuse(golden.module_of(case))}
        else:
            statements = {"exact": ask_exact(exact, golden, case)}
        if xla:
            statements["XLA:CPU"] = (ask_xla_to_refuse if case.refused else ask_xla)(xla, golden, case)
        is_declared = name in not_derived or bool(case.refused)
        result = verdict(statements["exact"], statements.get("XLA:CPU"), name in disputed, is_declared)
        yield Finding(name, statements, result)


def disputed_cases():
    """Returns the names of the cases that XLA:CPU is expected not to pass; golden/disputes.md argues why."""
    names = [row["name"] for row in json.loads((GOLDEN / "xla-cpu.json").read_text())["cases"]]
    return {name for name in names if re.fullmatch(r"[\w-]+/[\w-]+/[\w-]+", name)}


def audit_corpus(xla=None, wanted="", shard=(1, 1)):
    """Yields the findings of all files, or of those of one shard: 2 of 4 has the files 1, 5, 9, ... from 0."""
    exact, disputed = ExactWitness(), disputed_cases()
    first, count = shard
    for path in sorted(GOLDEN.rglob("*.hlo"))[first - 1 :: count]:
        names = goldens.case_names(path)
        if not any(wanted in f"{path.parent.name}/{path.stem}/{name}" for name in names):
            continue
        yield from audit(goldens.read(path), exact, xla, wanted, disputed)


def shard_of(day):
    """Returns the shard that the tests of a day audit."""
    return day.toordinal() % SHARDS + 1, SHARDS


def shard_named(text):
    """Returns the shard of a text such as 2/4, or of today."""
    if text == "today":
        return shard_of(datetime.date.today())
    first, count = map(int, text.split("/"))
    if not 1 <= first <= count:
        raise ValueError(text)
    return first, count


def show(findings, is_verbose):
    """Prints the unconfirmed cases, those on which a witness died, and the counts. Returns True if all are confirmed."""
    counts, deaths = collections.Counter(), []
    for finding in findings:
        counts[finding.verdict] += 1
        if finding.verdict in FAILING or (is_verbose and finding.verdict != "both"):
            print(f"{finding.verdict:<12} {finding.name}")
            for witness, statement in finding.statements.items():
                if statement.kind != CONFIRMS:
                    print(f"    {witness} {statement.kind}: {statement.reason}", flush=True)
        deaths += [f"{finding.name}: {s.reason}" for s in finding.statements.values() if s.kind == DIES]
    if deaths:
        print(f"XLA:CPU died on {len(deaths)} cases:", *sorted(deaths), sep="\n    ")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "no such case")
    return counts and not any(counts[kind] for kind in FAILING)


def main():
    """Audits the cases that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("filter", nargs="?", default="", help="only cases whose name contains this")
    parser.add_argument("--exact", action="store_true", help="exact arithmetic alone, without XLA:CPU")
    parser.add_argument("--shard", type=shard_named, default=(1, 1), metavar="I/N",
                        help="only part I of N of the files; `today` is the part that the tests of this day audit")
    parser.add_argument("--verbose", action="store_true", help="show what each witness says even where one confirms")
    options = parser.parse_args()
    if not options.filter:
        programs = len([*GOLDEN.rglob("*.mlir")])
        print(f"not audited: {programs} StableHLO programs, whose values golden.make derives from exact fractions",
              flush=True)  # fmt: skip
    with contextlib.nullcontext() if options.exact else contextlib.closing(Peer()) as xla:
        return 0 if show(audit_corpus(xla, options.filter, options.shard), options.verbose) else 1


if __name__ == "__main__":
    sys.exit(main())
