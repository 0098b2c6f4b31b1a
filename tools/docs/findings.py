"""The tables of docs/findings.md: runs of `assay fuzz`, and what they found, by cause.

    python -m tools.docs.findings [--modules] FOLDER...

Each FOLDER was written by `assay fuzz --out`. The causes are in findings_causes.json. A finding has the first cause
whose patterns match its signature and, if the cause has `reasons`, its reason. Prints the tables as Markdown, or with
--modules writes the smallest module of each cause into findings_causes.json. A finding without a cause is an error.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import re
import sys

CAUSES = pathlib.Path(__file__).with_name("findings_causes.json")
VERDICTS = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK", "SUSPECT", "FAIL", "ERROR", "CRASH", "TIMEOUT"]
MUCH = ["LEGAL", "SPEC-GAP", "WEAK", "SUSPECT", "FAIL"]
WORDS = {"theirs": "a bug", "allowed": "allowed", "ours": "assay's, mended", "declined": "declined"}


def row(cells):
    """Returns a row of a table; escapes bars in cells."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(head, rows):
    """Returns a whole table."""
    return "\n".join([row(head), row(["---"] * len(head)), *(row(cells) for cells in rows)]) + "\n"


class Folder:
    """The runs and findings of one backend."""

    def __init__(self, path):
        self.path = path
        self.runs = [run["count"] for run in json.loads((path / "runs.json").read_text()).values()]
        self.findings = [json.loads(file.read_text()) for file in sorted(path.glob("*/finding.json"))]
        self.name = self.findings[0]["backend"] if self.findings else path.name
        self.version = self.findings[0]["version"] if self.findings else ""

    def sum(self, field):
        """Returns the sum over all runs."""
        return sum(run[field] for run in self.runs)

    def verdicts(self, field):
        """Returns the number of programs by verdict."""
        total = collections.Counter()
        for run in self.runs:
            total.update(run[field])
        return total

    def covered(self, kind):
        """Returns the number of cells that some run has covered."""
        return len({cell for run in self.runs for cell in run["coverage"][kind]})

    def module(self, finding):
        """Returns the text of a finding without the header and the metadata."""
        text = (self.path / finding["signature"] / "module.hlo").read_text()
        text = re.sub(r", metadata=\{[^}]*\}", "", text)
        return re.sub(r"^HloModule [^\n]*\n+", "", text).strip()


def fits(text, patterns):
    """True if the text matches one of the patterns."""
    return any(fnmatch.fnmatchcase(text, one) for one in patterns)


def cause_of(finding, causes):
    """Returns the first cause that matches."""
    return next((cause for cause in causes if fits(finding["signature"], cause["signatures"])
                 and fits(finding["reason"], cause.get("reasons", ["*"]))), None)  # fmt: skip


def runs_tables(folders):
    """Returns the tables of the runs' results."""
    head = ["backend", "minutes", "programs", *VERDICTS, "backend's time / reference's", "findings"]
    rows = []
    for folder in folders:
        verdicts = folder.verdicts("by_verdict")
        ratio = folder.sum("backend_seconds") / max(folder.sum("reference_seconds"), 1e-9)
        rows.append([f"{folder.name} ({folder.version})", round(folder.sum("seconds") / 60), folder.sum("programs"),
                     *(verdicts[verdict] for verdict in VERDICTS), round(ratio), len(folder.findings)])  # fmt: skip
    kinds = ("types", "attributes", "neighbours")
    covered = [[folder.name, *(folder.covered(kind) for kind in kinds)] for folder in folders]
    much = [[folder.name, *(folder.verdicts("differing_much")[verdict] for verdict in MUCH)] for folder in folders]
    return head, rows, covered, much


def witness(findings):
    """Returns the smallest module of a cause."""
    return min(findings, key=lambda found: len(found[0].module(found[1])))


def print_tables(folders, known, found):
    """Prints the tables of docs/findings.md."""
    head, rows, covered, much = runs_tables(folders)
    print("## Runs\n\n" + table(head, rows))
    print(table(["covered", "ops with types", "classes of attributes with types", "pairs of neighbors"], covered))
    print("## Programs that differ by more than 0.001, relative\n\n" + table(["backend", *MUCH], much))
    print("## Causes\n")
    print(table(["cause", "judged", *(folder.name for folder in folders)],
                [[cause["cause"], WORDS[cause["judgement"]],
                  *(sum(of is folder for of, _ in found[cause["cause"]]) or "" for folder in folders)]
                 for cause in known]))  # fmt: skip


def write_modules(causes, found):
    """Writes the smallest module of each cause that has a finding, with its signature, backend and blamed passes."""
    for cause in causes:
        if found[cause["cause"]]:
            folder, finding = witness(found[cause["cause"]])
            passes = sorted({one["pass"] for _, one in found[cause["cause"]] if one["pass"]})
            cause["smallest"] = {"signature": finding["signature"], "backend": f"{folder.name} ({folder.version})",
                                 "passes": passes, "module": folder.module(finding)}  # fmt: skip
    CAUSES.write_text("[\n" + ",\n".join(f"  {json.dumps(cause)}" for cause in causes) + "\n]\n")


def main():
    """Prints everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", action="store_true", help="write the smallest module of each cause")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    folders = [Folder(path) for path in options.folders]
    causes = json.loads(CAUSES.read_text())
    found = collections.defaultdict(list)
    missing = []
    for folder in folders:
        for finding in folder.findings:
            cause = cause_of(finding, causes)
            if cause is None:
                missing.append(f"{folder.name}: {finding['signature']}: {finding['reason'][:200]}")
            else:
                found[cause["cause"]].append((folder, finding))
    if missing:
        sys.exit("no cause:\n" + "\n".join(missing))
    if options.modules:
        write_modules(causes, found)
    else:
        print_tables(folders, [cause for cause in causes if found[cause["cause"]]], found)


if __name__ == "__main__":
    main()
