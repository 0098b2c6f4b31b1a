"""assay diff on the programs of fuzz/measure/compiled_programs: each with what a compiler makes of it, or must not.

A row says itself whether its change is lawful, under which profiles, and on which numbers a fault shows.
"""

import pathlib
import re

import numpy as np
from pairs_test import PairTest

ROWS = pathlib.Path(__file__).resolve().parents[2] / "fuzz/measure/compiled_programs"
FOLDS = "".join(f"{name} {{ a = {t}[] parameter(0)\n  b = {t}[] parameter(1)\n  ROOT r = {t}[] {op}(a, b) }}\n"
                for name, t, op in (("plus", "T", "add"), ("times", "T", "multiply"), ("most", "T", "maximum"),
                                    ("least", "T", "minimum"), ("wide_plus", "W", "add")))  # fmt: skip
# The kinds of numbers by which most rows show what they are; the others need a few rows each.
DATA = {"normal": lambda x: x, "positive": lambda x: np.abs(x) + 0.125, "equal": lambda x: np.full_like(x, 0.7),
        "alternating": lambda x: x + np.where(np.arange(x.size) % 2, -64, 64), "sorted": np.sort}  # fmt: skip


def keys_of(text):
    return {key: values.split() for key, values in re.findall(r"^//! (\w+) +(.*)$", text, re.M)}


def rows():
    """Yields the keys and the text of each row. Keys before the first row hold for all of them."""
    for path in sorted(ROWS.glob("*.hlo")):
        first, *parts = re.split(r"^//! program ", path.read_text(), flags=re.M)
        for part in parts:
            name, rest = part.split("\n", 1)
            yield name, keys_of(first) | keys_of(rest), re.sub(r"^//!.*\n", "", rest, flags=re.M)


def instructions(text, computation):
    """Yields name, text and operands of the instructions of a computation."""
    begin = end = f"\n{text}".index(f"\n{computation} {{") + len(computation) + 2
    depth = 1
    while depth > 0:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    for line in text[begin : end - 1].split("\n"):
        if found := re.search(r"(?:ROOT )?([\w.-]+) = (?:\(.*?\)|\S+) [\w-]+\((.*?)\).*", line):
            yield found[1], found[0].removeprefix("ROOT "), re.findall(r"[\w.-]+", found[2])


def inherited(text):
    """Returns the instructions of `given` that `compiled` names and does not define."""
    compiled = list(instructions(text, "compiled"))
    used, lines = {operand for _, _, operands in compiled for operand in operands}, []
    used -= {name for name, _, _ in compiled}
    for name, line, operands in reversed(list(instructions(text, "given"))):
        if name in used:
            used.update(operands)
            lines.insert(0, f"  {line}\n")
    return "".join(lines)


def module(text, keys, entry, size):
    """Returns a module whose entry is a computation of a row, for the first of its types that is not complex."""
    element_type = element_type_of(keys)
    wide = "f64" if element_type in ("f32", "f64") else "f32"
    operands = [operand.split()[:2] for operand in " ".join(keys.get("operands", [])).split(";") if operand]
    own = "".join(f"  {name} = {shape} parameter({i})\n" for i, (name, shape) in enumerate(operands))
    own += inherited(text) if entry == "compiled" else ""
    # The other computation stays out: it may name what only its row's reader adds.
    other = "given" if entry == "compiled" else "compiled"
    start = f"\n{text}".index(f"\n{other} {{")
    text = text[:start] + re.sub(rf"(?s)\A{other} \{{.*?(?=^\S|\Z)", "", text[start:], flags=re.M)
    text = re.sub(rf"^{entry} \{{", f"ENTRY {entry} {{\n{own}", text, flags=re.M)
    text = re.sub(r"\bT\[", element_type + "[", re.sub(r"\bW\[", wide + "[", FOLDS + text)).replace("$E", size)
    return "HloModule m\n" + text


def element_type_of(keys):
    # The folds of the text have no form for complex numbers.
    return next((one for one in keys.get("types", ["f32"]) if one[0] != "c"), None)


class CompiledPrograms(PairTest):
    def inputs(self, text, fill):
        """Returns the options with numbers for the parameters of the entry."""
        random, entry = np.random.default_rng(1), text[text.index("ENTRY ") :]
        shapes = {int(n): (t, [int(d) for d in sizes.split(",") if d])
                  for t, sizes, n in re.findall(r"= (\w+)\[([\d,]*)\]\S* parameter\((\d+)\)", entry.split("\n}")[0].split(" }\n")[0])}  # fmt: skip
        for _, (element_type, sizes) in sorted(shapes.items()):
            x = random.standard_normal(int(np.prod(sizes)))
            if element_type == "pred":
                numbers = (x > 0).astype(int)
            elif element_type[0] in "su":
                numbers = np.floor(np.abs(x) * 2).astype(int)
            else:
                numbers = np.abs(x) + 0.5 if not sizes else fill(x)
            literal = np.array2string(numbers.reshape(sizes), separator=",", threshold=10**9, max_line_width=10**9,
                                      formatter={"float": lambda x: repr(float(x)), "int": str})  # fmt: skip
            yield from ("--input", f"{element_type}[{','.join(map(str, sizes))}] " + literal.replace("[", "{").replace("]", "}").replace("\n", ""))

    def test_verdicts(self):
        lawful, faulty, wrong = 0, 0, []
        for name, keys, text in rows():
            kind = next(kind for kind in ("lawful", "beyond", "faulty") if kind in keys)
            element_type = element_type_of(keys)
            size = keys.get("sizes", [""])[0]
            data = [one for one in keys.get("data", ["normal"]) if one in DATA]
            if kind == "beyond" or element_type is None or element_type in keys.get("missed", []) or not data:
                continue
            before, after = (module(text, keys, entry, size) for entry in ("given", "compiled"))
            options = list(self.inputs(before, DATA[data[0]]))
            if sum(map(len, options)) > 100_000:
                continue  # too long for a command line
            found = self.verdict(before, after, "--profile", keys[kind][0], *options)
            lawful, faulty = lawful + (kind == "lawful"), faulty + (kind == "faulty")
            if (found in ("FAIL", "SUSPECT")) != (kind == "faulty"):
                wrong.append(f"{name}: {kind} under {keys[kind][0]}, {found}")
        print(f"{lawful} lawful changes, {faulty} faults, {len(wrong)} wrong verdicts", *wrong, sep="\n  ")
        self.assertGreater(min(lawful, faulty), 60)
        self.assertEqual(wrong, [])
