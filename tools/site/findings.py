"""The findings of fuzzing: folders that `assay fuzz` wrote, and the causes of tools/docs/findings_causes.json."""

import dataclasses
import json
import re
import shlex
import subprocess
import tempfile

from tools.site.model import BadReport

LONGEST = 300  # seconds for the text of one issue
WORDS = {"theirs": "A bug", "allowed": "Allowed", "ours": "Assay's, mended", "declined": "Declined"}  # by judgement


@dataclasses.dataclass
class Finding:
    """One finding or one cause, with the text of an issue."""

    title: str
    verdict: str
    reason: str
    backend: str
    module: str
    issue: str
    compiler_pass: str = ""
    source: str = ""
    commands: list[str] = dataclasses.field(default_factory=list)

    @property
    def key(self):
        """The name of the finding's page."""
        return re.sub(r"[^\w.@-]+", "-", f"{self.title}-{self.backend}").strip("-")[:120]


def issue_by_repro(folder, data, assay):
    """Returns the text that `assay repro` writes; empty if the backend cannot be started or the failure is gone."""
    kept = folder / "repro" / "issue.md"
    if kept.is_file():
        return kept.read_text()
    if not assay or (folder / "before").is_dir() or re.match(r"(process|pjrt)\b", data["backend"]):
        return ""  # the page of a finding starts no program that the finding names
    devices = [f"--{name}={data[name]}" for name in ("replicas", "partitions") if data.get(name)]
    profile = [f"--profile={data['profile']}"] if data.get("profile") else []
    with tempfile.TemporaryDirectory() as out:
        command = [assay, "repro", str(folder / "module.hlo"), "--backend", data["backend"], "--inputs",
                   str(folder / "inputs.json"), "--out", out, *devices, *profile]  # fmt: skip
        try:
            subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
            with open(f"{out}/issue.md", encoding="utf-8") as issue:
                return issue.read()
        except (OSError, subprocess.TimeoutExpired):
            return ""


def plain_issue(title, backend, reason, module, command):
    """Returns the text of an issue from a finding's page, for a failure that cannot be repeated on this machine."""
    return f"# {title}\n\nOn {backend}. {reason}\n\n```\n{module.strip()}\n```\n\n{command}\n"


def origin(data):
    """Returns the origin of a finding's module: a drawn program, or an execution on a shadowed plugin (number -1)."""
    if data["number"] < 0:
        return data["source"]
    draw = f"draw {data['draw']} of " if data.get("draw") else ""
    return f"{draw}program {data['number']} of seed {data['seed']}: {data['source']}"


def read_findings(folder, assay):
    """Reads a folder of findings that `assay fuzz` or a shadow wrote."""
    found = []
    for file in sorted(folder.glob("*/finding.json")):
        try:
            found.append(read_finding(file, assay))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadReport(f"{file}: no finding of assay fuzz: {error!r}") from error
    return found


def read_finding(file, assay):
    """Reads one finding.json and the files beside it."""
    data = json.loads(file.read_text())
    module, command = (file.parent / "module.hlo").read_text(), (file.parent / "command.txt").read_text().strip()
    backend = f"{data['backend']} ({data['version']})"
    issue = issue_by_repro(file.parent, data, assay) or plain_issue(
        file.parent.name, backend, data["reason"], module, f"`{command}` shows it.")  # fmt: skip
    return Finding(file.parent.name, data["verdict"], data["reason"], backend, module, issue, data["pass"],
                   origin(data), [command])  # fmt: skip


def read_causes(file):
    """Reads the causes of findings_causes.json that have a smallest module."""
    found = []
    for cause in json.loads(file.read_text()):
        if "smallest" in cause:
            title, smallest = cause["cause"], cause["smallest"]
            signature, backend, module = smallest["signature"], smallest["backend"], smallest["module"]
            command = (f"Save the module as `module.hlo`; `assay diff module.hlo --backend "
                       f"{shlex.quote(backend.partition(' ')[0])}` judges it on seeded inputs.")  # fmt: skip
            found.append(Finding(title, signature.partition("-")[0], f"{WORDS[cause['judgement']]}: {cause['why']}.",
                                 backend, module, plain_issue(title, backend, cause["why"], module, command),
                                 ", ".join(smallest["passes"]), signature))  # fmt: skip
    return found
