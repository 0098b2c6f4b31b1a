"""Writes the skeleton of a new op: new_op.py [--array | --operands N] NAME --family FAMILY

Makes the files of the op, adds it to every list, and prints the places that are left to write by hand. The tree builds
afterwards; `tools/dev tests-of NAME` and the tests of meta fail until the TODOs are written.
"""

import argparse
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]

ELEMENT_WISE = """#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

// TODO: the body of one line, for integers and reals alike.
const Op op_%(id)s = {
    .name = "%(name)s",
    .meaning = "TODO: one sentence.",
    .legality = {.arity = Exactly(%(operands)s), .types = kFloats, .infer = %(infer)s},
    .evaluation = {.kernel = plain::ElementWise<[](%(parameters)s) { return a; }, kFloats>},
};

}  // namespace assay
"""

ARRAY = """#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> Infer%(camel)s(const HloInstruction& %(id)s) {
  ASSAY_CHECK_OK(CheckArrayOperand(%(id)s, 0));
  return %(id)s.operand(0).shape;  // TODO
}

// TODO: the formula of the op's page, in its names.
Literal Evaluate%(camel)s(const HloInstruction& %(id)s, std::span<Literal> operands, Evaluation&) {
  Outputs result(%(id)s.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) { result.Set(index, At(operands[0], index)); });
  return std::move(result).Take();
}

}  // namespace

const Op op_%(id)s = {
    .name = "%(name)s",
    .meaning = "TODO: one sentence.",
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = Infer%(camel)s},
    .evaluation = {.evaluate = Evaluate%(camel)s},
};

}  // namespace assay
"""

LEGALITY = """// TODO: for each rule of the op a text that breaks just that one, with its message, and legal neighbours.
"""

PAGE = """# %(name)s

TODO: one sentence.

## Meaning

```text
result[i...] = TODO
```

TODO: each name of the formula, special cases.

## In NumPy

```python
def %(id)s(operand, *, shape):
    return operand  # TODO
```

## Example

```hlo
HloModule %(id)s

ENTRY main {
  operand = f32[2] constant({1, 2})
  ROOT result = f32[2] %(name)s(operand)
}
```

```text
{1, 2}
```

<!-- generated: tools/docs/op_pages.py -->
"""

# The places to write by hand, in the order of docs/adding_an_op.md.
ELEMENT_WISE_BY_HAND = (
    ("interpreter/ops/%(id)s.cc", "the record and its body"),
    ("interpreter/kernels/element_wise.cc", "the body over machine numbers, or a correctly rounded function"),
    ("interpreter/acceptance/ops/rows.cc", "the rule and the image of its row, which says `exact` and no more"),
    ("spec_tests/ops/integer_ops_test.cc", "plain arithmetic, if the op takes integers"),
    ("spec_tests/ops/float_ops_test.cc", "the function of MPFR, if it is exact or rounds once"),
    ("spec_tests/legality/element_types_test.py", "its types"),
    ("spec_tests/oracle/numbers_oracle_test.py", "or a law in spec_tests/laws/: a second source"),
    ("golden/witness/evaluator/functions.py", "its rule in the second evaluator; integers.py, complex_functions.py"),
    ("golden/make/matrix.py", "its word in PAIRS, ROUNDED, SINGLES or FUNCTIONS, then golden.make %(name)s"),
    ("docs/ops/%(name)s.md", "meaning, NumPy and example, then python -m tools.docs.op_pages"),
)
ARRAY_BY_HAND = (
    ("interpreter/ops/%(id)s.cc", "record, legality, definition"),
    ("interpreter/kernels/%(id)s.cc", "a fast body with a line in meson.build, if the definition is too slow"),
    ("interpreter/acceptance/ops/rows.cc", "the rule and the image of its row, which says `exact` and no more; a file"),
    ("interpreter/acceptance/ops/%(id)s.cc", "in its place, if it needs a function"),
    ("spec_tests/legality/%(name)s.hlo", "a text for each rule"),
    ("spec_tests/oracle/ or spec_tests/laws/", "a second source or a law"),
    ("golden/witness/evaluator/", "its rule in the second evaluator"),
    ("golden/make/matrix.py, templates/, classes/", "its cells, then golden.make %(name)s"),
    ("docs/ops/%(name)s.md", "meaning, NumPy and example, then python -m tools.docs.op_pages"),
    ("fuzz/generate/ops/", "a drawing function with its row in drawings.cc"),
)
IF_IT_APPLIES = (
    ("docs/decisions.md", "a row where the specification leaves room"),
    ("interpreter/builder/", "its function, where XLA's builder has one"),
    ("interpreter/acceptance/profiles/", "a row of `ulp` for each profile, if its rule is ulp"),
    ("backends/mutant/handwritten.cc", "a fault as backends have it that no operator makes"),
    ("backends/mutant/operators/equivalent.cc", "mutants of operators that change nothing that the op computes"),
    ("golden/*.json", "what peers make of its goldens"),
)


def insert_sorted(path, name, entry):
    """Inserts a line into the sorted list NAME of a meson.build."""
    text = path.read_text(encoding="utf-8")
    block = re.search(rf"({re.escape(name)}(?: = |: )(?:\[|files\()\n)(.*?)(^\s*(?:\]|\)))", text, re.M | re.S)
    lines = sorted([*block[2].splitlines(), f"  '{entry}',"])
    path.write_text(text[: block.start(2)] + "\n".join(lines) + "\n" + text[block.end(2) :], encoding="utf-8")


def add_row(name):
    """Inserts the row of the default acceptance at its place by name."""
    path = ROOT / "interpreter/acceptance/ops/rows.cc"
    text = path.read_text(encoding="utf-8")
    rows = list(re.finditer(r"^    \{\.op = &op_(\w+)", text, re.M))
    after = next((row.start() for row in rows if row[1] > name), text.index("};", rows[-1].start()))
    path.write_text(f"{text[:after]}    {{.op = &op_{name}}},\n{text[after:]}", encoding="utf-8")


def add_to_family(family, name):
    path = ROOT / "tools/docs/op_pages.py"
    text = path.read_text(encoding="utf-8")
    row = re.search(rf'^    "{re.escape(family)}": "([^"]*)"', text, re.M)
    if row is None:
        families = re.findall(r'^    "([A-Z][^"]*)": "', text, re.M)
        sys.exit(f"new-op: no family {family!r}: expected one of {', '.join(families)}")
    path.write_text(f"{text[: row.end(1)]} {name}{text[row.end(1) :]}", encoding="utf-8")


def add_to_element_wise_ops(name):
    """Inserts the op into the list of the test that computes every element-wise op on each of its types."""
    path = ROOT / "spec_tests/ops/elementwise_legality_test.cc"
    text = path.read_text(encoding="utf-8")
    block = re.search(r"kElementwiseOps =\n(.*?);", text, re.S)
    words = " ".join(sorted([*" ".join(re.findall(r'"([^"]*)"', block[1])).split(), name]))
    rows = textwrap.wrap(words, 110, break_on_hyphens=False)
    quoted = " \"\n    \"".join(rows)
    path.write_text(f'{text[: block.start(1)]}    "{quoted}"{text[block.end(1) :]}', encoding="utf-8")


def print_places(places, names):
    for path, what in places:
        print(f"  {path % names:<45} {what % names}")


def main():
    parser = argparse.ArgumentParser(prog="tools/dev new-op", description=__doc__.splitlines()[0])
    parser.add_argument("name", help="the mnemonic, such as reduce-window")
    parser.add_argument("--family", required=True, help='the heading of docs/ops/README.md, such as "Folds and windows"')
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--array", action="store_true", help="an op on whole arrays, not element-wise")
    kind.add_argument("--operands", type=int, choices=(1, 2), default=1, help="those of an element-wise op (1)")
    options = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", options.name):
        sys.exit(f"new-op: {options.name!r} is no mnemonic: expected lower-case words joined by -")
    names = {"name": options.name, "id": options.name.replace("-", "_"),
             "camel": options.name.title().replace("-", ""), "operands": options.operands,
             "infer": ("InferUnary", "InferBinary")[options.operands - 1],
             "parameters": ("auto a", "auto a, [[maybe_unused]] auto b")[options.operands - 1]}  # fmt: skip
    files = {f"interpreter/ops/{names['id']}.cc": ELEMENT_WISE, f"docs/ops/{options.name}.md": PAGE}
    if options.array:
        files = {f"interpreter/ops/{names['id']}.cc": ARRAY, f"spec_tests/legality/{options.name}.hlo": LEGALITY,
                 f"docs/ops/{options.name}.md": PAGE}  # fmt: skip
    there = [path for path in files if (ROOT / path).exists()]
    if there:
        sys.exit(f"new-op: {', '.join(there)} is there already; nothing was written")
    add_to_family(options.family, options.name)
    for path, skeleton in files.items():
        (ROOT / path).write_text(skeleton % names, encoding="utf-8")
        print(f"wrote {path}")
    insert_sorted(ROOT / "interpreter/ops/meson.build", "ops", names["id"])
    add_row(names["id"])
    if not options.array:
        add_to_element_wise_ops(options.name)
    print("Left to write, in this order (docs/adding_an_op.md):")
    print_places(ARRAY_BY_HAND if options.array else ELEMENT_WISE_BY_HAND, names)
    print("If it applies:")
    print_places(IF_IT_APPLIES, names)


if __name__ == "__main__":
    main()
