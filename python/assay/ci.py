"""Grades a backend in a job of continuous integration (docs/continuous_integration.md).

    python -m assay.ci [--before FOLDER] [--report FOLDER] OPTION...

runs `assay check --report FOLDER OPTION...` and exits as it does. Beside the report it writes changes.md, a comment
that says what changed since the report in the folder of --before, and a badge as badge.svg and as badge.json, the form
of shields.io's endpoint.
"""

from __future__ import annotations

import argparse
import html
import json
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from . import _program

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {message}">
<rect width="{left}" height="20" fill="#555"/><rect x="{left}" width="{right}" height="20" fill="{color}"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">
<text x="6" y="14" textLength="{label_length}">{label}</text>
<text x="{message_start}" y="14" textLength="{message_length}">{message}</text>
</g></svg>
"""
COLORS = {"brightgreen": "#4c1", "yellow": "#dfb317", "red": "#e05d44", "lightgrey": "#9f9f9f"}


def badge(report: dict[str, Any], passes: bool) -> dict[str, object]:
    """Returns the badge of a report: the profile that the backend meets, and the cases that the claim rests on. It is
    green if the check passes too, and has no profile if the report makes no claim."""
    met = report.get("profile_met", {"profile": None, "proven": 0, "cases": 0})
    message, color = f"no claim, {met['proven']:,} of {met['cases']:,} cases", "lightgrey"
    if met["profile"]:
        chosen = ", chosen" if report.get("filter") or report.get("tags") else ""
        message = f"{met['profile']}, {met['proven']:,} of {met['cases']:,} cases{chosen}"
        color = "brightgreen" if passes else "yellow"
    elif "next" in met:
        message = f"no profile, {met['next']['cases']:,} of {met['cases']:,} cases fail {met['next']['profile']}"
        color = "red"
    return {"schemaVersion": 1, "label": "assay", "message": message, "color": color}


def svg(label: str, message: str, color: str) -> str:
    """Returns a badge as a picture."""
    label_length, message_length = 7 * len(label), 7 * len(message)
    left, right = label_length + 12, message_length + 12
    return SVG.format(width=left + right, left=left, right=right, color=COLORS[color], label=html.escape(label),
                      label_length=label_length, message=html.escape(message), message_start=left + 6,
                      message_length=message_length)  # fmt: skip


def comment(report: dict[str, Any], folder: pathlib.Path, before: pathlib.Path | None) -> str:
    """Returns the comment on a change, in Markdown."""
    backend = f"{report['backend']['name']} {report['backend']['version']}".replace("`", "'")
    parts = [f"### assay: `{backend}`", report.get("profile_met", {}).get("text", "no case of the corpus ran")]
    if before is None or not (before / "results.json").is_file():
        return "\n\n".join([*parts, "There is no earlier report to compare with."]) + "\n"
    done = _program.run(["compare", str(before), str(folder), "--format", "markdown"])
    refused = done.stderr.strip().replace("`", "'")
    # 1 says that a case is newly wrong.
    parts.append(done.stdout if done.returncode in (0, 1) else f"The earlier report cannot be compared: `{refused}`")
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the check, writes the files, and returns the exit code of the check."""
    parser = argparse.ArgumentParser(prog="python -m assay.ci", allow_abbrev=False, usage="%(prog)s [--before FOLDER] "
                                     "[--report FOLDER] OPTION..., with the options of assay check")  # fmt: skip
    parser.add_argument("--before", type=pathlib.Path, help="the folder of the last report, if there is one")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("report"), help="the folder for the report")
    options, of_check = parser.parse_known_args(arguments)
    results = options.report / "results.json"
    results.unlink(missing_ok=True)
    command = [str(_program.find()), "check", "--report", str(options.report), *of_check]
    code = subprocess.run(command, env=_program.environment(), stdin=subprocess.DEVNULL, check=False).returncode
    options.report.mkdir(parents=True, exist_ok=True)
    changes = options.report / "changes.md"
    if not results.is_file():
        changes.write_text(f"### assay\n\n`assay check` made no report: exit code {code}, the log has the reason.\n")
        return code
    report = json.loads(results.read_text())
    changes.write_text(comment(report, options.report, options.before))
    made = badge(report, code == 0)
    (options.report / "badge.json").write_text(json.dumps(made) + "\n")
    (options.report / "badge.svg").write_text(svg(str(made["label"]), str(made["message"]), str(made["color"])))
    return code


if __name__ == "__main__":
    sys.exit(main())
