"""The sizes that a reader can hold: files of at most 400 lines, functions of at most 40."""

import ast
import re
import unittest

from spec_tests.tools.command_line import ROOT
from tools.prose import tracked

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 40

# The functions of these folders list cases.
FOLDERS_OF_CASES = {"golden/make/cases", "spec_tests"}
# Functions that are tables: a row for each mutant, a branch for each kind, the lines of a kernel's text.
TABLES = {
    "backends/cuda/kernels/convolution.cc: MakeConvolutionProgram",
    "backends/cuda/kernels/emitter.cc: ElementEmitter::Moved",
    "backends/cuda/kernels/emitter_places.cc: ElementEmitter::Gathered",
    "backends/cuda/kernels/long_windows.cc: Step",
    "backends/cuda/kernels/product_program.cc: WriteTiles",
    "backends/cuda/kernels/reduce.cc: AddLaunch",
    "backends/cuda/kernels/reduce_window.cc: MakeReduceWindowProgram",
    "backends/cuda/kernels/scan.cc: WriteBlock",
    "backends/cuda/kernels/sorting.cc: MergeTiles",
    "backends/cuda/kernels/sorting.cc: SortTiles",
    "backends/cuda/kernels/text.cc: TextOfParts",
    "backends/cuda/kernels/tree.cc: WriteTree",
    "interpreter/hlo/attribute_parser.cc: ParseAttributeValue",
    "interpreter/hlo/verify_structure.cc: HasKind",
}
# Functions that are too long, and how long at most. Split them and take them off the list.
TOO_LONG = {
    "backends/cuda/execution/run.cc: ModuleRun::Launch": 53,
    "interpreter/acceptance/ops/common/batch_norm_bounds.cc: BatchNormGradBound": 42,
    "interpreter/evaluator/devices.cc: DeviceGrid::Meet": 43,
}

SCOPE = re.compile(r"(?:inline )?namespace\b|extern \"C\"|(?:class|struct|union)\b(?!.*\) \w*\s*\{$)")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
TEMPLATE = re.compile(r"template <.*?> (?=\w)")
# A value: `constexpr Row kRows[] = {`. An operator, and a default argument, have their `=` elsewhere.
VALUE = re.compile(r"^(?!.*\boperator).*[^=!<>]=[^=].*\{$")


def functions(text):
    """Yields the name, the first line and the number of lines of each function that clang-format has laid out.

    A lambda belongs to the function around it. A test case has no name and is left out: it is a list of checks.
    """
    lines = RAW_STRING.sub(lambda found: '""' + "\n" * found[0].count("\n"), text).split("\n")
    start, number = None, 0
    while number < len(lines):
        line = lines[number]
        stripped = line.strip()
        if not stripped or stripped.startswith(("//", "#", "}")) or re.match(r"(?:public|private|protected):$", stripped):
            while stripped.startswith("#") and lines[number].endswith("\\"):
                number += 1
            start, number = None, number + 1
            continue
        start = number if start is None else start
        if stripped.endswith("{"):
            head = TEMPLATE.sub("", " ".join(part.strip() for part in lines[start : number + 1]))
            if not SCOPE.match(head):
                indent = re.match(r" *", lines[start])[0]
                # A value may end inside of a line.
                end = next((i for i in range(number + 1, len(lines)) if lines[i].startswith(indent + "}")), number)
                name = re.search(r"([\w:~]+|operator\S+)\(", head)
                is_value = VALUE.match(re.sub(r"\(.*\)", "", head))
                if name and not is_value and not head.startswith(("enum", "TEST_CASE")):
                    yield name[1], start + 1, end - start + 1
                number = end
            start = None
        elif stripped.endswith((";", "}")):
            start = None
        number += 1


def cpp_functions():
    for path in tracked([]):
        if path.suffix in (".cc", ".h"):
            for name, line, count in functions(path.read_text()):
                yield path.relative_to(ROOT), name, line, count


def python_functions():
    for path in tracked([]):
        if path.suffix == ".py" and "@" not in path.read_text():
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef):
                    yield path.relative_to(ROOT), node.name, node.lineno, node.end_lineno - node.lineno + 1


class Functions(unittest.TestCase):
    def test_are_short(self):
        long, count = {}, 0
        for path, name, _, lines in [*cpp_functions(), *python_functions()]:
            count += 1
            if lines > MOST_LINES_OF_A_FUNCTION and not str(path).startswith(tuple(FOLDERS_OF_CASES)):
                long[f"{path}: {name}"] = lines
        self.assertGreater(count, 8000)
        self.assertEqual({key: lines for key, lines in long.items() if key not in TABLES and lines > TOO_LONG.get(key, 0)},
                         {}, "split these")
        self.assertEqual(sorted({*TABLES, *TOO_LONG} - set(long)), [], "these are short: take them off the list")

    def test_are_found(self):
        text = ("namespace assay {\nnamespace {\n\nconstexpr Row kRows[] = {\n    {1, 2},\n};\n\nclass A : public B {\n public:\n"
                "  A(int a)\n      : a_(a) {\n    Use(a);\n  }\n  int F() const { return a_; }\n"
                "  bool operator==(const A& b) const {\n    return a_ == b.a_;\n  }\n};\n\n"
                "template <class T>\nvoid G(T a, int b = 1) {\n  for (int i = 0; i < b; ++i) {\n    a();\n  }\n}\n\n}  // namespace\n\n"
                "// Returns one.\nint One(int a,\n        int b) {\n  const auto f = [&] {\n    return 1;\n  };\n  return f();\n}\n"
                "enum class E {\n  kOne,\n};\nTEST_CASE(\"a\") {\n  CHECK(One());\n}\n")
        self.assertEqual(list(functions(text)),
                         [("A", 10, 4), ("operator==", 15, 3), ("G", 20, 6), ("One", 30, 7)])


class Files(unittest.TestCase):
    def test_are_short(self):
        long, count = [], 0
        for path in tracked([]):
            if path.suffix in (".cc", ".h", ".py"):
                count += 1
                if len(path.read_text().splitlines()) > MOST_LINES_OF_A_FILE:
                    long.append(str(path.relative_to(ROOT)))
        self.assertGreater(count, 1500)
        self.assertEqual(long, [])
