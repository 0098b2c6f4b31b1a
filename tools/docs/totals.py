"""Writes how many cases the corpus has into the pages.

    python -m tools.docs.totals [--check] [build/tools/assay]

A page says "more than 20,000 cases", the number rounded down to thousands. A shown run has the total of the day on which
this command last wrote the pages. A measurement keeps its number, and its paragraph names its day or its commit. --check
writes nothing and fails if pages show two totals, if a rounded one does not hold, or if a measurement has no day.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/measurements/*.md", "golden/make/*.md", "golden/*.md"]
ROUNDED = re.compile(r"(?<=more than )\d+,000(?= cases)")
# The last line of a check of the whole corpus: most of its cases are UNSUPPORTED by the backends of the pages.
SUMMARY = re.compile(r"^(?P<name>.+: )(?P<total>\d{5,}) cases, (?P<counts>.*)$", re.M)
# The claim of such a check.
CLAIM = re.compile(r"^(?P<begin>profile met: .* of )(?P<total>\d{5,})(?= cases)", re.M)
TOTAL = re.compile(r"(?<!more than )\b\d\d,?\d{3} cases|\bcases of \d\d,?\d{3}\b")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = re.compile(rf"\d+ (?:{MONTHS}) 20\d\d|20\d\d-\d\d-\d\d|\bcommit [0-9a-f]{{8}}")


def count_cases(assay):
    """Returns the number of cases that a check has without options."""
    listed = subprocess.run([assay, "check", "--list"], cwd=ROOT, capture_output=True, text=True, check=True)
    return len(listed.stdout.splitlines())


def pages():
    """Returns every page by its path."""
    return {path: path.read_text() for pattern in PAGES for path in sorted(ROOT.glob(pattern))}


def written(text, total):
    """Returns a page with this total in its shown runs: the cases more or less are UNSUPPORTED."""

    def with_total(summary):
        more = total - int(summary["total"])
        counts = re.sub(r"\d+(?= UNSUPPORTED)", lambda count: str(int(count[0]) + more), summary["counts"])
        return f"{summary['name']}{total} cases, {counts}"

    text = CLAIM.sub(rf"\g<begin>{total}", text)
    return SUMMARY.sub(with_total, ROUNDED.sub(f"{total // 1000},000", text))


def problems(texts, total):
    """Returns a sentence for each total that does not hold."""
    shown = {int(found["total"]): path for path, text in texts.items()
             for form in (SUMMARY, CLAIM) for found in form.finditer(text)}  # fmt: skip
    found = [f"{path}: a run shows {number} cases, and another page another number: run tools.docs.totals"
             for number, path in shown.items() if len(shown) > 1]  # fmt: skip
    for path, text in texts.items():
        found += [f"{path}: the corpus has {total} cases, and the page says more than {rounded}"
                  for rounded in ROUNDED.findall(text) if rounded != f"{total // 1000},000"]  # fmt: skip
        found += [f"{path}: '{undated}' needs the day or the commit of its measurement in the same paragraph"
                  for paragraph in re.split(r"\n(?: *\n)+", CLAIM.sub("", SUMMARY.sub("", text))) if not DAY.search(paragraph)
                  for undated in TOTAL.findall(paragraph)]  # fmt: skip
    return found


def main():
    arguments = sys.argv[1:]
    is_check = "--check" in arguments
    (assay,) = [argument for argument in arguments if argument != "--check"] or ["build/tools/assay"]
    texts, total = pages(), count_cases(assay)
    if not is_check:
        for path, text in texts.items():
            if written(text, total) != text:
                path.write_text(written(text, total))
        texts = pages()
    found = problems(texts, total)
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
