"""Reports of `assay check` and tables of expectations, in one form."""

import dataclasses
import fnmatch
import functools
import json
import pathlib
import re

# From good to bad, as interpreter/acceptance/judge.h has them.
VERDICTS = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "UNJUDGED", "WEAK", "SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH"]
FAILURES = {"SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH"}
TYPE = re.compile(r"pred|[suc]\d+|bf16|f\d+\w*")
WILD = re.compile(r"[*?[]")
ANY_TYPE = "other"  # the column of cases whose types are not known


class BadReport(Exception):
    """Raised for a folder or file that is not a report."""


@dataclasses.dataclass
class Case:
    """One case on one backend."""

    name: str
    op: str
    verdict: str
    types: list[str]
    reason: str = ""
    standing: str = ""
    place: str = ""  # "golden/add/f32.hlo:14"; empty: not known
    elements: int = 0
    not_exact: int = 0
    worst: dict = dataclasses.field(default_factory=dict)
    metrics: list[dict] = dataclasses.field(default_factory=list)  # of the arrays that differ
    gate_errors: list[dict] = dataclasses.field(default_factory=list)
    evidence: dict = dataclasses.field(default_factory=dict)
    reduced: str = ""  # the smallest failing module; empty: the folder of the report has none

    @property
    def golden(self):
        """The file of the case in the corpus."""
        return self.place.rpartition(":")[0] or "golden/" + "/".join(self.name.split("/")[:2]) + ".hlo"

    @property
    def line(self):
        """The line of the case in that file; empty if it is not known."""
        return self.place.rpartition(":")[2] if ":" in self.place else ""


@dataclasses.dataclass
class Report:
    """All cases of one run; a table of expectations has only the cases that deviate."""

    option: str  # the backend on the command line: "xla-cpu@0.4.30"
    name: str
    version: str
    profile: str
    cases: list[Case]
    is_whole: bool = True
    source: str = ""
    claim: str = ""  # the sentence of the report on the profile that is met
    outcome: str = ""  # the sentence of the report that begins with passed, failed or incomplete

    @property
    def key(self):
        """The name of the report's folder on the site."""
        profile = "" if self.is_whole else "-expected"
        return re.sub(r"[^\w.@-]+", "_", f"{self.option}-{self.version.replace('jaxlib ', '')}{profile}").strip("_")

    @property
    def family(self):
        """The backend without its version."""
        return self.option.split("@")[0]

    @functools.cached_property
    def by_op(self):
        """The cases of each op, by the op's name."""
        ops = {}
        for case in sorted(self.cases, key=lambda case: case.name):
            ops.setdefault(case.op, []).append(case)
        return dict(sorted(ops.items()))


def totals(cases):
    """Returns the number of cases of each verdict that occurs, from good to bad."""
    return {verdict: count for verdict in VERDICTS if (count := sum(case.verdict == verdict for case in cases))}


def worst(cases):
    """Returns the worst verdict of the cases that the backend does not decline; UNSUPPORTED if it declines all."""
    return max((case.verdict for case in cases if case.verdict != "UNSUPPORTED"), key=VERDICTS.index, default="UNSUPPORTED")


def by_type(cases):
    """Returns the cases of each element type, by its name."""
    types = {}
    for case in cases:
        for name in case.types or [ANY_TYPE]:
            types.setdefault(name, []).append(case)
    return dict(sorted(types.items()))


def version_key(report):
    """Orders versions by their numbers."""
    return [int(number) for number in re.findall(r"\d+", report.version)], report.option


def families(reports):
    """Returns the reports of each backend, from the oldest version to the newest."""
    found = {}
    for report in reports:
        found.setdefault(report.family, []).append(report)
    return {name: sorted(group, key=version_key) for name, group in sorted(found.items())}


def check_case(case):
    """Raises ValueError for a verdict that there is not, and for names that would lead out of a folder."""
    if case.verdict not in VERDICTS:
        raise ValueError(f"{case.name}: a verdict must be one of {', '.join(VERDICTS)}, found {case.verdict}")
    if not re.fullmatch(r"[\w.-]+", case.op) or not case.op.strip("."):
        raise ValueError(f"{case.name}: the op must be a name, found {case.op}")
    if ".." in case.name.split("/") or case.name.startswith("/"):
        raise ValueError(f"the name of a case must be a path below the corpus, found {case.name}")


def read_report(path):
    """Reads the results.json of a folder."""
    path = pathlib.Path(path)
    file = path / "results.json" if path.is_dir() else path
    try:
        data = json.loads(file.read_text())
        fields = {field.name for field in dataclasses.fields(Case)}
        cases = [Case(**{key: value for key, value in case.items() if key in fields}) for case in data["cases"]]
        backend = data["backend"]
        report = Report(data.get("backend_option") or backend["name"], backend["name"], backend["version"],
                        data["profile"], cases, source=str(file),
                        claim=data.get("profile_met", {}).get("text", ""), outcome=data.get("outcome", ""))  # fmt: skip
        for case in cases:
            check_case(case)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadReport(f"{file}: not a report of assay check: {error}") from error
    for case in cases:
        reduced = file.parent / "reduced" / case.name / "module.hlo"
        if case.verdict in FAILURES and reduced.is_file():
            case.reduced = reduced.read_text()
    return report


def expand(rows, names):
    """Yields the name of each case that a table of expectations matches, with the first row that matches."""
    taken, names_of = set(), {}
    for name in names:
        names_of.setdefault(name.partition("/")[0], []).append(name)
    for row in rows:
        pattern = row["name"]
        op = pattern.partition("/")[0]
        choice = names if WILD.search(op) else names_of.get(op, [])
        for name in fnmatch.filter(choice, pattern) if WILD.search(pattern) else [pattern]:
            if name not in taken:
                taken.add(name)
                yield name, row


def read_expectations(path, names, version):
    """Reads a table of expectations, which is of a version of its backend.

    `names` are the cases of the corpus, which its patterns choose from.
    """
    path = pathlib.Path(path)
    option = path.stem
    cases = []
    for name, row in expand(json.loads(path.read_text())["cases"], names):
        op, file = (name.split("/") + [""])[:2]
        verdicts = row["verdict"] if isinstance(row["verdict"], list) else [row["verdict"]]
        cases.append(Case(name, op, max(verdicts, key=VERDICTS.index), [file] if TYPE.fullmatch(file) else [],
                          row.get("reason", ""), "expected"))  # fmt: skip
    return Report(option, option, version, "", cases, is_whole=False, source=str(path))
