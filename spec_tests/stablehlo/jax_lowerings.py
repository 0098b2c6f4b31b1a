"""Reads what JAX lowers its own test harnesses to, in every form, and compares with jaxlib's conversion to HLO.

    python -m spec_tests.stablehlo.jax_lowerings [--assay PROGRAM] [--every K] [--offset I] [--group NAME]...
                                                 [--seconds S] [--journal FILE]

JAX's wheel has the harnesses (spec_tests/python/jax_harnesses.py says how they are chosen). All of
them take more than half an hour, so no test runs this. `assay print` reads each lowering as StableHLO text, as generic
text with locations, and as portable artifacts of several versions. jaxlib reads the same bytes. Its conversion is read
too, as an HloModuleProto and as HLO text. A lowering that another harness had already is a double and is not read.

The verdict of a form is the closest of these:

    same       assay prints the text of jaxlib's module, but for names, signatures and KNOWN_PLACES
    places     the same, but for all metadata
    reread     the text that jaxlib prints once it has read its own text: it reads a few of them as another module
    folded     the same as `places`, once jaxlib has simplified the program: its conversion folds constants first
    meaning    a module that `hlo_difference` proves equal, of the program or of the simplified one
    expanded   the same as `folded` or `meaning`, once jaxlib has expanded functions of CHLO too
    results    another module, but the reference computes the same bits for both on random arguments
    DIFFERENT  none of these
    refused    assay does not read it
    jaxlib     jaxlib cannot write the form or cannot convert it

The journal has a line of JSON for each harness; a run with the same journal leaves those out. The exit code is 1 if a
form is DIFFERENT, refused, or ended a process, and the reason is not in KNOWN.
"""

import collections
import hashlib
import os
import re
import subprocess
import sys
import zlib

from backends.adapters.xla_peers import jaxlib_api
from backends.adapters.xla_peers.stablehlo_module import mlir_context, parsed
from spec_tests.tools.command_line import ROOT
from spec_tests.python.jax_harnesses import keep_journal, latest, parser_of_harnesses
from spec_tests.stablehlo.xla_conversion import (
    canonical, difference, printed, text_of, without_metadata, without_names,
)  # fmt: skip

VERSIONS = ("1.17.0", "1.0.0", "0.9.0")  # of StableHLO: jaxlib 0.10.2 writes nothing newer and nothing older
FORMS = ("text", "generic text", *(f"artifact {version}" for version in VERSIONS), "proto", "HLO text")
COLUMNS = ("same", "places", "reread", "folded", "meaning", "expanded", "results", "DIFFERENT", "refused", "jaxlib",
           "CRASH")  # fmt: skip
FAILURES = ("DIFFERENT", "refused", "CRASH")
# Metadata that assay leaves out: the names of parameters, and the lines of the text itself.
KNOWN_PLACES = (
    (r"^(.* parameter\(\d+\).*), metadata=\{.*\}$", r"\1"),
    (r', metadata=\{source_file="-"[^}]*\}', ""),
)
# Verdict, pattern of the reason, and its justification.
KNOWN = (
    ("DIFFERENT", r'^"(ROOT )?%\S+ = c(64|128)\S* (cosh|sinh)\(',
     "the artifact names a function of CHLO and its formula: jaxlib takes the formula, assay HLO's operation"),
)  # fmt: skip


def arguments():
    """Parses the command line."""
    parser = parser_of_harnesses(__doc__, "jax_lowerings.jsonl")
    parser.add_argument("--assay", default=os.environ.get("ASSAY", str(ROOT / "build/tools/assay")), metavar="PROGRAM")
    parser.add_argument("--limit", type=float, default=60, help="seconds for reading one module")
    return parser.parse_args()


class Refused(Exception):
    """The reason why assay does not read a module."""


def reason_of(error):
    """Returns the class of an error, and the operation of MLIR or the first line of its text."""
    operation = re.search(r"failed to legalize operation '[\w.]+'", str(error))
    return f"{type(error).__name__}: {operation[0] if operation else (str(error).splitlines() or [''])[0]}"


def first_change(old, new):
    """Describes the first line in which two texts differ."""
    lines = zip(old.splitlines(), new.splitlines())
    return next((f'"{a}" became "{b}"' for a, b in lines if a != b), "one text ends early")


class Reader:
    """Reads the forms of programs by `assay print` and by jaxlib."""

    def __init__(self, options):
        self.program, self.limit = options.assay, options.limit
        self.known = {}  # the verdict of a pair of texts

    def run(self, module, *command):
        """Returns the output of a command of assay for the bytes of a module."""
        command = [self.program, command[0], "-", *command[1:]]
        try:
            done = subprocess.run(command, input=module, capture_output=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            raise Refused(f"not done in {self.limit:g} seconds") from None
        if done.returncode:
            lines = [line for line in done.stderr.decode(errors="replace").splitlines() if not line.startswith("note:")]
            raise Refused(lines[0] if lines else f"exit code {done.returncode}")
        return done.stdout.decode()

    def printed(self, module):
        """Returns the HLO text that assay prints for the bytes of a module."""
        return self.run(module, "print", "--full-constants")

    def read_program(self, program, form):
        """Returns the verdict on one form of a program, and the reason."""
        try:
            module = as_form(program, form)
            xlas = jaxlib_api.stablehlo_to_hlo(module)
        except Exception as error:
            return "jaxlib", reason_of(error)
        ours, want = self.printed(module), printed(xlas)
        if same_places(ours) == same_places(want):
            return "same", ""
        if is_same(ours, want):
            return "places", first_change(same_places(want), same_places(ours))
        key = hashlib.sha256(f"{ours}\f{want}".encode()).digest()
        if key not in self.known:
            self.known[key] = self.compare((from_form(module, form), program), form, ours, xlas)
        return self.known[key]

    def compare(self, programs, form, ours, xlas):
        """Returns the closest verdict on the text that assay prints for a form, and the difference.

        `programs` are the program of the form, and that of the lowering. jaxlib expands some functions in an artifact.
        """
        found, want = "", printed(xlas)
        for verdict, program in zip(("folded", "expanded"), programs):
            expands = verdict == "expanded"
            simplified = canonical(program, expands)
            text = self.printed(as_form_or_text(simplified, form)) if simplified else ours
            if is_same(text, want):
                return verdict, ""
            for candidate in (ours, text):
                try:
                    last = difference(jaxlib_api.hlo_module_from_text(candidate), xlas)
                except jaxlib_api.NotRead as error:
                    last = str(error)
                if not last:
                    return ("expanded" if expands else "meaning"), ""
                found = found or last
        try:
            results = [self.run(text.encode(), "run", "--seed", "5") for text in (ours, want)]
        except Refused as error:
            return "DIFFERENT", f"{found}, not run: {error}"
        return "results" if results[0] == results[1] else "DIFFERENT", found

    def read_module(self, module, want):
        """Returns the verdict on a form of jaxlib's own module, of which jaxlib prints this text."""
        ours = self.printed(module)
        if ours == want:
            return "same", ""
        if ours == printed(jaxlib_api.hlo_module_from_text(want)):
            return "reread", first_change(want, ours)
        return "DIFFERENT", first_change(want, ours)

    def read(self, program):
        """Returns the verdict on each form of a program, and the reason."""
        found = {}
        for form in FORMS[:-2]:
            found[form] = attempt(self.read_program, program, form)
        try:
            xlas = jaxlib_api.stablehlo_to_hlo(program)
        except Exception as error:
            return {**found, **dict.fromkeys(FORMS[-2:], ("jaxlib", reason_of(error)))}
        want = printed(xlas)
        found["proto"] = attempt(self.read_module, xlas.as_serialized_hlo_module_proto(), want)
        found["HLO text"] = attempt(self.read_module, want.encode(), want)
        return found


def attempt(read, *values):
    """Returns the verdict of reading a form, which assay may refuse."""
    try:
        return read(*values)
    except Refused as error:
        return "refused", str(error)
    except Exception as error:  # jaxlib does not read the text that assay prints
        return "DIFFERENT", reason_of(error)


def as_form(program, form):
    """Returns a program of generic text in another form."""
    if form == "generic text":
        return program
    if form == "text":
        return parsed(program).operation.get_asm(enable_debug_info=False).encode()
    return jaxlib_api.portable_artifact(program, form.split()[1])


def from_form(module, form):
    """Returns the program of a form as generic text."""
    if not form.startswith("artifact"):
        return text_of(parsed(module))
    with mlir_context() as context:
        return text_of(jaxlib_api.module_of_artifact(module, context))


def as_form_or_text(program, form):
    """Returns a simplified program in another form; in its own if jaxlib cannot write that."""
    try:
        return as_form(program, form)
    except Exception:
        return program


def same_places(text):
    """Returns HLO text without names and KNOWN_PLACES."""
    for pattern, replacement in KNOWN_PLACES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return without_names(text)


def is_same(ours, want):
    """True if two texts are the same without names and metadata."""
    return without_names(without_metadata(ours)) == without_names(without_metadata(want))


def outcome(harness, reader, seen):
    """Lowers a harness and returns the verdicts of its forms, unless its lowering was seen."""
    import jax
    import numpy

    drawn = numpy.random.RandomState(zlib.crc32(harness.fullname.encode()))
    try:
        lowered = jax.jit(harness.dyn_fun).lower(*harness.dyn_args_maker(drawn))
        text = lowered.as_text()
    except Exception as error:  # whatever JAX says of a harness that it cannot lower itself
        return {"jax": reason_of(error)}
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest in seen:
        return {"digest": digest, "double": True}
    seen.add(digest)
    return {"digest": digest, "forms": reader.read(text_of(lowered.compiler_ir()))}


def run(options):
    """Reads the lowerings and writes the journal."""
    seen = {line["digest"] for line in latest(options.journal).values() if "digest" in line}
    reader = Reader(options)
    crash = dict.fromkeys(FORMS, ("CRASH", "the process of jaxlib ended"))
    keep_journal(options, lambda harness: outcome(harness, reader, seen), {"begun": True}, {"forms": crash})


def known_reason(verdict, reason):
    """Returns the justification of a failure that is in KNOWN; otherwise nothing."""
    return next((why for of, pattern, why in KNOWN if of == verdict and re.search(pattern, reason)), "")


def without_numbers(reason):
    """Returns a reason in a form that is the same for many harnesses."""
    return re.sub(r"\d[\d.e+-]*", "N", reason)[:400]


def table(lines):
    """Prints the verdicts of each form and the reasons. Returns the number of failures that are not known."""
    counts, causes = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for line in lines:
        for form, (verdict, reason) in line.get("forms", {}).items():
            counts[form][verdict] += 1
            if reason:
                known = known_reason(verdict, reason) if verdict in FAILURES else ""
                causes[verdict, form, known or without_numbers(reason), bool(known)].append(line["name"])
        if "jax" in line:
            causes["jax", "all forms", without_numbers(line["jax"]), False].append(line["name"])
    doubles, failed = sum("double" in line for line in lines), sum("jax" in line for line in lines)
    print(f"{len(lines)} harnesses: {len(lines) - doubles - failed} lowerings, {doubles} doubles, "
          f"{failed} that JAX does not lower")  # fmt: skip
    columns = [name for name in COLUMNS if any(count[name] for count in counts.values())]
    print(f"{'form':16}" + "".join(f"{name:>11}" for name in columns))
    for form in FORMS:
        print(f"{form:16}" + "".join(f"{counts[form][name] or '-':>11}" for name in columns))
    for (verdict, form, reason, known), names in sorted(causes.items()):
        print(f"{verdict}{' (known)' if known else ''}, {form}: {reason}: {len(names)}, as {names[0][:80]}")
    return sum(len(names) for (verdict, _, _, known), names in causes.items() if verdict in FAILURES and not known)


def main():
    """Runs, and prints the table of the whole journal."""
    options = arguments()
    run(options)
    return int(table(list(latest(options.journal).values())) > 0)


if __name__ == "__main__":
    sys.exit(main())
