"""Derives every golden again, by means that share no code with the interpreter, and says where they disagree.

    python -m oracle.audit [--verbose] [FILTER]

Two witnesses: slow_evaluator.py (exact arithmetic, fractions and mpmath) and XLA:CPU through jaxlib. A golden value is
confirmed by a witness when it has the same bits (any NaN is NaN). Every value must be confirmed by one of them, or be
listed in golden/disputes.md, by the name of its case. The status is 1 if one is neither.
"""

import argparse
import json
import re
import sys

from oracle import arrays as golden_text
from oracle.evaluator import devices as slow_devices
from oracle.evaluator import evaluator as slow_evaluator
from backends.adapters.xla_peers import stablehlo_module, values as peer_values, xla_cpu
from oracle.arrays import ROOT, Array


def flatten(value):
    return [leaf for element in value for leaf in flatten(element)] if isinstance(value, list) else [value]


class Xla:
    def __init__(self):
        self.peer = xla_cpu.XlaCpu()

    def compile(self, text):
        module = stablehlo_module.Module(text)
        run = self.peer.compile(module, *golden_text.grid_of(text))
        shapes = module.array_results()

        def results(arguments):
            inputs = [[peer_values.decode({"shape": a.shape, "data_hex": a.bytes().hex()}, shape)[0]
                       for a, shape in zip(device, peer_values.leaves(module.parameters))]
                      for device in golden_text.by_device(text, arguments)]
            return [Array.from_bytes(str(s), peer_values.array_bytes(a, s))
                    for arrays in run(inputs) for a, s in zip(arrays, shapes)]

        return results


def first_difference(want, got):
    if want.shape != got.shape:
        return f"shape {got.shape}"
    parts = [Array(golden_text.component(a.type), golden_text.components(a)) for a in (want, got)]
    for i, (a, b) in enumerate(zip(golden_text.words(want), golden_text.words(got))):
        if not Array(parts[0].type, parts[0].values[i : i + 1]).same(Array(parts[1].type, parts[1].values[i : i + 1])):
            return f"component {i} is {b}, golden {a}"
    raise AssertionError("the arrays are the same")


def witness(name, derive, case):
    """Whether it confirms the case, and what it says if not."""
    try:
        got = flatten(derive(case.arguments))
    except slow_evaluator.NotDerived as error:
        return False, f"{name}: no rule for {error}"
    except Exception as error:  # A peer that declines or fails is no witness.
        return False, f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:120]}"
    if len(got) != len(case.want):
        return False, f"{name}: {len(got)} results"
    for want, value in zip(case.want, got):
        if not want.same(value):
            return False, f"{name}: {first_difference(want, value)}"
    return True, ""


def failing(error):
    def derive(_):
        raise error

    return derive


def audit_file(path, xla, filter_, crashes):
    golden = golden_text.read(path)
    cases = [case for case in golden.cases if filter_ in f"{golden.path}/{case.name}"]
    if not cases:
        return
    witnesses = {}
    for case in cases:
        if case.entry not in witnesses:
            module = golden.module_of(case)
            dies = f"{golden.path}/{case.name}" in crashes or not has_types_of_xla(module)
            witnesses[case.entry] = make_witnesses(module, None if dies else xla)
        yield f"{golden.path}/{case.name}", [witness(name, derive, case) for name, derive in witnesses[case.entry]]


def has_types_of_xla(module):
    """Over constants of other types XLA's parser ends the process."""
    return set(re.findall(r"\b([suc]\d+|b?f\d\w*)\[", module)) <= set(peer_values.DTYPES)


def make_witnesses(module, xla):
    """Without `xla`: it would take this process with it."""
    try:
        compiled = xla.compile(module) if xla else failing(RuntimeError("dies of the module, or lacks a type of it"))
    except Exception as error:
        compiled = failing(error)
    is_alone = golden_text.grid_of(module) == [1, 1]
    exact = slow_evaluator.Evaluator(module) if is_alone else slow_devices.Devices(module)
    return [("exact", exact.run), ("XLA:CPU", compiled)]


def crashing_cases():
    rows = json.loads((ROOT / "golden" / "xla-cpu.json").read_text())["cases"]
    return {row["name"] for row in rows if row["verdict"] == "CRASH"}


def disputed_cases():
    path = ROOT / "golden" / "disputes.md"
    return set(re.findall(r"`([\w-]+/[\w-]+/[\w-]+)`", path.read_text())) if path.exists() else set()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("filter", nargs="?", default="", help="only cases whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="show what each witness says even where one confirms")
    options = parser.parse_args()
    xla = Xla()
    disputed, crashes = disputed_cases(), crashing_cases()
    counts = {"both": 0, "exact only": 0, "XLA only": 0, "disputed": 0, "unconfirmed": 0}
    for path in sorted((ROOT / "golden").rglob("*.hlo")):
        for name, ((exact, exact_says), (by_xla, xla_says)) in audit_file(path, xla, options.filter, crashes):
            if exact or by_xla:
                kind = "both" if exact and by_xla else "exact only" if exact else "XLA only"
            else:
                kind = "disputed" if name in disputed else "unconfirmed"
            counts[kind] += 1
            if kind == "unconfirmed" or (options.verbose and kind != "both"):
                print(f"{kind:<12} {name}\n" + "".join(f"    {s}\n" for s in (exact_says, xla_says) if s), end="")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["unconfirmed"] else 0


if __name__ == "__main__":
    sys.exit(main())
