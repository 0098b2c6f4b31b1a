"""The tables of docs/peers.md and docs/measurements/peers.md: the verdicts of peers, and their causes of failure.

    python -m tools.docs.peers FOLDER...

A FOLDER is a report's and has the name of its backend: xla-cpu@0.7.2. The causes are the reasons in the expectations of
that backend, golden/NAME.json. Failures that are not expected are listed at the end. Prints Markdown.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import re

from tools.docs.findings import VERDICTS, table
from tools.site.model import FAILURES

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_OPS = 4


class Peer:
    """A report, with the cause of each of its failures."""

    def __init__(self, folder):
        self.name = folder.name
        report = json.loads((folder / "results.json").read_text())
        self.totals = report["totals"]
        self.verdicts = {case["name"]: case["verdict"] for case in report["cases"]}
        file = ROOT / "golden" / f"{self.name}.json"
        expected = json.loads(file.read_text())["cases"] if file.exists() else []
        patterns = [(re.compile(fnmatch.translate(entry["name"])), entry) for entry in expected]
        self.causes = {}  # by case
        self.unexpected = []
        for name, verdict in self.verdicts.items():
            if verdict not in FAILURES:
                continue
            # The first row that matches counts, as in a check.
            known = next((entry for pattern, entry in patterns if pattern.match(name)), None)
            reason = known["reason"] if known and verdict in known["verdict"] else None
            if reason is None:
                self.unexpected.append(f"{self.name}: {verdict} {name}")
            self.causes[name] = reason

    def count(self, cause, cases):
        """Returns how many of the cases fail for the cause; "-" if all of them are unsupported."""
        count = sum(self.causes.get(case) == cause for case in cases)
        taken = any(self.verdicts.get(case, "UNSUPPORTED") != "UNSUPPORTED" for case in cases)
        return str(count) if taken else "-"


def ops_of(cases):
    """Returns the ops of the cases, or the first of them."""
    ops = sorted({case.split("/")[0] for case in cases})
    more = f" and {len(ops) - MOST_OPS} more" if len(ops) > MOST_OPS else ""
    return ", ".join(f"`{op}`" for op in ops[:MOST_OPS]) + more


def main():
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    peers = [Peer(folder) for folder in parser.parse_args().folders]
    print(table(["backend", "cases", *VERDICTS],
                [[f"`{peer.name}`", sum(peer.totals.values()), *(peer.totals.get(verdict, 0) for verdict in VERDICTS)]
                 for peer in peers]))  # fmt: skip
    cases = collections.defaultdict(set)  # by cause
    for peer in peers:
        for case, cause in peer.causes.items():
            if cause is not None:
                cases[cause].add(case)
    ordered = sorted(cases, key=lambda cause: (-len(cases[cause]), cause))
    rows = [[cause, ops_of(cases[cause]), *(peer.count(cause, cases[cause]) for peer in peers)] for cause in ordered]
    print(table(["cause", "operations", *(f"`{peer.name}`" for peer in peers)], rows), end="")
    for line in (line for peer in peers for line in peer.unexpected):
        print(f"not expected: {line}")


if __name__ == "__main__":
    main()
