"""Builds the site.

usage: tools/dev site [--out FOLDER] [--assay PROGRAM] [FOLDER...]

A FOLDER holds a report of `assay check` (results.json), findings of `assay fuzz`, or a report card of `assay accuracy`
(accuracy.json); its subfolders are searched. Without a FOLDER it is report/. The tables of expectations, the
documentation and the causes of tools/docs/findings_causes.json are always part of the site.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

from tools.site import pages
from tools.site.findings import read_causes, read_findings
from tools.site.model import BadReport, read_expectations, read_report

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md", "golden/*.md", "golden/make/README.md",
             "golden/witness/README.md"]  # fmt: skip


def documents():
    """Returns the Markdown files of the site."""
    return sorted({str(path.relative_to(ROOT)) for pattern in DOCUMENTS for path in ROOT.glob(pattern)})


def names_of_cases(assay):
    """Returns the names of all cases of the corpus. Prints a note and returns none if the program does not run."""
    try:
        listed = subprocess.run([assay, "check", "--list", "--corpus", str(ROOT / "golden")], capture_output=True,
                                text=True, check=True)  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        print(f"note: {assay} does not run: the site omits cases that only patterns name, and texts of repro", file=sys.stderr)
        return []
    return listed.stdout.splitlines()


def expectations(names):
    """Returns the tables of expectations as reports."""
    return [read_expectations(path, names, version_of(path.stem)) for path in sorted(ROOT.glob("golden/*.json"))]


def version_of(backend):
    """Returns the version of a backend that `tools/dev` installs: of xla-cpu and stablehlo that of jaxlib."""
    peers = dict(re.findall(r"^ +([\w-]+)\) wheels=.*==([\w.]+)", (ROOT / "tools/dev").read_text(), re.M))
    if backend in peers:
        return peers[backend]
    jaxlib = re.search(r"^jaxlib==(.*)", (ROOT / "tools/requirements.txt").read_text(), re.M)[1]
    return f"jaxlib {backend.partition('@')[2] or jaxlib}"


def gather(folder, assay):
    """Returns the reports, findings and report cards of a folder."""
    files = sorted(folder.rglob("*.json"))
    reports = [read_report(file.parent) for file in files if file.name == "results.json"]
    cards = [file.parent for file in files if file.name == "accuracy.json"]
    findings = []
    for place in sorted({file.parent.parent for file in files if file.name == "finding.json"}):
        findings += read_findings(place, assay)
    return reports, findings, cards


def gather_named(folders, assay):
    """Returns what `gather` returns, of all the folders. Raises BadReport if one of them has nothing."""
    gathered = [gather(folder, assay) for folder in folders]
    for folder, found in zip(folders, gathered):
        if not any(found):
            raise BadReport(f"{folder}: no report, finding or report card below it")
    return [sum(lists, []) for lists in zip(*gathered)]


def build(gathered, out, assay):
    """Builds the site of the reports, findings and report cards in `out`. Returns the site; raises BadReport."""
    reports, findings, cards = gathered
    reports += expectations(names_of_cases(assay))
    keys = [report.key for report in reports]
    for key in set(keys):
        if keys.count(key) > 1:
            sources = ", ".join(report.source for report in reports if report.key == key)
            raise BadReport(f"two reports of {key}: {sources}: expected one for each backend and version")
    findings += read_causes(ROOT / "tools/docs/findings_causes.json")
    site = pages.Site(out, {path.stem for path in ROOT.glob("docs/ops/*.md")})
    pages.write_start(site, reports, findings)
    pages.write_matrix(site, reports)
    pages.write_reports(site, ROOT, reports)
    pages.write_histories(site, reports)
    pages.write_findings(site, findings)
    pages.write_accuracy(site, ROOT, cards)
    pages.write_documents(site, ROOT, documents(), reports)
    site.finish()
    return site


def main():
    """Builds the site that the command line describes."""
    parser = argparse.ArgumentParser(prog="tools/dev site", description=__doc__.split("\n\n")[2])
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "site")
    parser.add_argument("--assay", default=str(ROOT / "build/tools/assay"), help="the program that lists cases and writes texts of issues")
    options = parser.parse_args()
    missing = [str(folder) for folder in options.folders if not folder.exists()]
    if missing:
        sys.exit(f"tools/dev site: no such folder: {missing[0]}")
    start = time.monotonic()
    try:
        named = options.folders
        build(gather_named(named, options.assay) if named else gather(ROOT / "report", options.assay), options.out, options.assay)
    except BadReport as error:
        sys.exit(f"tools/dev site: {error}")
    files = [path for path in options.out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{options.out}/index.html: {len(files)} files, {size / 1e6:.1f} MB, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
