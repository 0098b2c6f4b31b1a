"""The pages docs/ops/*.md: their sections, their examples, and the functions that they show."""

import functools
import itertools
import math
import re
from fractions import Fraction

import ml_dtypes
import numpy as np
from spec_tests.tools.command_line import ROOT

FOLDER = ROOT / "docs" / "ops"
MARKER = "<!-- generated: tools/docs/op_pages.py -->"
SECTIONS = ["Meaning", "In NumPy", "Example"]
SCOPE = {"np": np, "math": math, "itertools": itertools, "ml_dtypes": ml_dtypes, "Fraction": Fraction}
# Names of functions that would hide one of Python's, or are words of its grammar.
UNDERSCORED = {"abs", "and", "complex", "map", "not", "or", "slice", "tuple", "while"}


def all_ops():
    """Returns the mnemonics, from the list of the build."""
    text = (ROOT / "interpreter" / "ops" / "meson.build").read_text()
    return [name.replace("_", "-") for name in re.findall(r"'(\w+)'", text[: text.index("]")])]


def function_name(op):
    return op.replace("-", "_") + ("_" if op in UNDERSCORED else "")


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


class Page:
    def __init__(self, path):
        self.text = path.read_text()
        self.by_hand = self.text.split(MARKER)[0]
        parts = re.split(r"^## (.+)\n", self.by_hand, flags=re.M)
        self.head, self.sections = parts[0], dict(zip(parts[1::2], parts[2::2]))

    def code(self):
        return "\n".join(fenced(self.sections.get("In NumPy", ""), "python"))

    def examples(self):
        """Returns pairs of a module and its output."""
        section = self.sections.get("Example", "")
        return list(zip(fenced(section, "hlo"), fenced(section, "text")))


def page(op):
    return Page(FOLDER / f"{op}.md")


@functools.cache
def shown_helpers():
    return compile("\n".join(fenced((FOLDER / "numpy.md").read_text(), "python")), "docs/ops/numpy.md", "exec")


def helpers():
    """Returns the functions that docs/ops/numpy.md shows, for a page."""
    scope = dict(SCOPE)
    exec(shown_helpers(), scope)
    return scope


def namespace(code, name):
    """Returns the definitions of a page's code, and the helpers."""
    scope = helpers()
    exec(compile(code, name, "exec"), scope)
    return scope


@functools.cache
def namespaces():
    """For each op the names of its page; a page may use the functions of the other ops."""
    spaces = {op: namespace(page(op).code(), f"docs/ops/{op}.md") for op in all_ops()}
    functions = {function_name(op): space.get(function_name(op)) for op, space in spaces.items()}
    for space in spaces.values():
        for name, function in functions.items():
            space.setdefault(name, function)
    return spaces


def functions():
    """For each op that has one, the function of its page."""
    found = {op: space.get(function_name(op)) for op, space in namespaces().items()}
    return {op: function for op, function in found.items() if function is not None}


def function_of(op, code):
    """Returns the op's function in a changed text of its page."""
    own = namespace(code, f"a changed docs/ops/{op}.md")
    own |= {name: function for name, function in namespaces()[op].items() if name not in own}
    return own[function_name(op)]
