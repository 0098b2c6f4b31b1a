"""Writes the pages of the site."""

import json
import pathlib
import re
import shlex
import shutil

import jinja2
import markupsafe

from tools.site import accuracy, markdown
from tools.site.model import FAILURES, VERDICTS, by_type, families, totals, worst

HERE = pathlib.Path(__file__).parent
CODE = re.compile(r"`([^`]+)`")
TEXT_IN_SEARCH = 400  # characters of a section


class Site:
    """A folder of pages. Links are relative, so the folder can be moved."""

    def __init__(self, out, ops):
        self.out = pathlib.Path(out)
        self.index = []  # of the search: title, page, text
        self.templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True,
                                            trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)  # fmt: skip
        self.templates.filters["code"] = with_code
        self.templates.globals.update(VERDICTS=VERDICTS, FAILURES=FAILURES, worst=worst, totals=totals, by_type=by_type,
                                      command=command, ops_with_page=ops)

    def write(self, path, template, title, **values):
        """Writes one page. Templates get `root`, the way from the page to the folder of the site."""
        place = self.out / path
        place.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * path.count("/")
        place.write_text(self.templates.get_template(template).render(title=title, root=root, path=path, **values))

    def find(self, title, page, text=""):
        """Adds an entry to the search."""
        self.index.append([title, page, " ".join(text.split())[:TEXT_IN_SEARCH]])

    def finish(self):
        """Writes the search and what all pages share."""
        for source in (HERE / "templates/site.js", HERE.parents[1] / "conformance/reports/style.css"):
            shutil.copyfile(source, self.out / source.name)
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        (self.out / "search-index.js").write_text(f"window.searchIndex = {index};\n")
        self.write("search.html", "search.html", "Search")


def with_code(text):
    """Returns a sentence as HTML, with what stands between backticks as code."""
    return markupsafe.Markup(CODE.sub(r"<code>\1</code>", str(markupsafe.escape(text))))


def command(report, case):
    """Returns the command that repeats a case."""
    words = ["assay", "check", "--backend", report.option, "--filter", f"name={case.name}"]
    return shlex.join(words + (["--profile", report.profile] if report.profile else []))


def write_documents(site, root, names, reports):
    """Renders the Markdown files; the page of an op begins with its results."""
    known = set(names)
    for name in names:
        page = markdown.Page(name, (root / name).read_text(), known)
        op = pathlib.PurePath(name).stem if name.startswith("docs/ops/") else ""
        results = [(report, cases) for report in reports if (cases := report.by_op.get(op))]
        path = markdown.page_of(name)
        site.write(path, "document.html", page.title, html=page.html, op=op, results=results)
        for title, anchor, texts in page.sections:
            whole = page.title if title == page.title else f"{page.title}: {title}"
            site.find(whole, f"{path}#{anchor}", " ".join(texts))


def write_reports(site, root, reports):
    """Writes the matrix of each report and a page for each of its ops."""
    places = {}
    for report in reports:
        ops = report.by_op
        types = list(by_type(report.cases))
        site.write(f"reports/{report.key}/index.html", "report.html", f"{report.option} {report.version}",
                   report=report, ops=ops, types=types)  # fmt: skip
        site.find(f"report of {report.option} {report.version}", f"reports/{report.key}/index.html")
        for op, cases in ops.items():
            for golden in {case.golden for case in cases} - places.keys():
                places[golden] = copy_golden(site, root, golden)
            page = f"reports/{report.key}/{op}.html"
            site.write(page, "cases.html", f"{op} on {report.option} {report.version}", report=report, op=op, cases=cases,
                       goldens=places)  # fmt: skip
            for case in cases:
                if case.verdict in FAILURES:
                    site.find(f"{case.name} on {report.option} {report.version}", f"{page}#{case.name}",
                              f"{case.verdict} {case.reason}")  # fmt: skip


def copy_golden(site, root, golden):
    """Copies a file of the corpus as text, which every browser shows. Returns its page; empty if there is none."""
    source = (root / golden).resolve()
    if not source.is_file() or not source.is_relative_to(root.resolve()):
        return ""
    place = f"{source.relative_to(root.resolve()).as_posix()}.txt"
    (site.out / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, site.out / place)
    return place


def write_matrix(site, reports):
    """Writes the operations by backends and versions."""
    ops = sorted({case.op for report in reports for case in report.cases})
    tables = [(report, report.by_op) for report in reports]
    site.write("operations.html", "operations.html", "Operations by backends", ops=ops, tables=tables)


def changed_cases(versions):
    """Returns the cases whose verdict differs between versions, with the verdict in each; None: the case is not listed.

    A table of known deviations need not list what a backend declines: such a case beside one that declines it is no
    difference.
    """
    is_silent = not all(report.is_whole for report in versions)
    tables = [{case.name: case for case in report.cases} for report in versions]
    rows = []
    for name in sorted(set().union(*tables)):
        verdicts = [table[name].verdict if name in table else None for table in tables]
        if len(set(verdicts)) > 1 and not (is_silent and set(verdicts) == {None, "UNSUPPORTED"}):
            op = next(table[name].op for table in tables if name in table)
            rows.append((name, op, verdicts))
    return rows


def write_histories(site, reports):
    """Writes a page for each backend with the cases whose verdict differs between versions."""
    for family, versions in families(reports).items():
        site.write(f"history/{family_page(family)}", "history.html", f"{family}: history", family=family,
                   versions=versions, rows=changed_cases(versions))  # fmt: skip
        site.find(f"history of {family}", f"history/{family_page(family)}", " ".join(one.version for one in versions))


def family_page(family):
    """Returns the file of a backend's history."""
    return "".join(c if c.isalnum() or c in "-._" else "_" for c in family) + ".html"


def write_findings(site, findings):
    """Writes the list of findings and a page for each."""
    site.write("findings/index.html", "findings.html", "Findings of fuzzing", findings=findings)
    for finding in findings:
        page = f"findings/{finding.key}.html"
        site.write(page, "finding.html", finding.title, finding=finding)
        site.find(f"finding: {finding.title} on {finding.backend}", page, f"{finding.reason} {finding.source}")


def write_accuracy(site, root, folders):
    """Writes the pictures of the distances in the documentation and in the folders, and copies the report cards."""
    cards, pages = accuracy.rows_of_csv(root / "docs/measurements/accuracy.csv"), {}
    for folder in folders:
        name, rows = accuracy.rows_of_card(folder / "accuracy.json")
        cards[name] = rows
        if (folder / "accuracy.html").is_file():
            pages[name] = f"accuracy/{len(pages)}.html"
            (site.out / "accuracy").mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / "accuracy.html", site.out / pages[name])
    pictures = [(kind, drawn) for kind in accuracy.TYPES if (drawn := accuracy.picture(cards, kind))]
    site.write("accuracy.html", "accuracy.html", "Accuracy", pictures=pictures, legend=accuracy.legend(cards), pages=pages)
    site.find("accuracy report cards", "accuracy.html", "largest distance in ULP " + " ".join(cards))


def write_start(site, reports, findings):
    """Writes the first page."""
    histories = {family: f"history/{family_page(family)}" for family in families(reports)}
    site.write("index.html", "start.html", "assay", reports=reports, histories=histories, findings=findings)

