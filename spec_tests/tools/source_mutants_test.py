"""Changes of sources: which ones there are, and which ones a corpus notices, on a library of one op."""

import contextlib
import io
import json
import pathlib
import subprocess
import tempfile
import unittest

from spec_tests.tools.command_line import ROOT
from tools.bench import source_mutants
from tools.bench.source_changes import changes_of

OP = """#include "interpreter/ops/common/plus.h"
// 1 + 1 in a comment
int Plus(int a, int b) {
  const int unused = 0;
  if (a > 100 && b > 100) return 200;
  if (b == 0) return a;
  return a + b;
}
"""
MINUS = """#include "interpreter/ops/common/plus.h"
int Minus(int a, int b) { return Plus(a, -b); }
"""
# As meson writes it: one object has several sources.
CHUNK = """#include "interpreter/ops/common/plus.cc"
#include "interpreter/ops/common/minus.cc"
"""
RECORD = """#include "interpreter/ops/common/plus.h"
const Op op_plus = {
    .name = "plus",
};
"""
# Reads goldens of three numbers, and says of each whether it is a sum.
MAIN = """#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
int Plus(int, int);
int main(int, char** arguments) {
  while (std::strcmp(*arguments, "--corpus") != 0) ++arguments;
  int failed = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(arguments[1])) {
    if (file.is_directory()) continue;
    int a, b, sum;
    std::ifstream(file.path()) >> a >> b >> sum;
    if (Plus(a, b) == sum) continue;
    failed = 1;
    std::cout << "FAIL     plus/" << file.path().stem().string() << "/only: not the sum" << std::endl;
  }
  return failed;
}
"""
NINJA = """rule cc
  command = c++ -I.. -std=c++20 -c $in -o $out
rule ar
  command = ar rcsT $out $in
rule link
  command = c++  -o $out main.o -Wl,--whole-archive libinterpreter.a -Wl,--no-whole-archive
build plus.o: cc ops_0.cc
build main.o: cc ../main.cc
build libinterpreter.a: ar plus.o
build tools/assay: link main.o libinterpreter.a
"""


def of(text, path="interpreter/ops/add.cc"):
    return [(change.line, change.before, change.after) for change in changes_of(path, text)]


class ChangesTest(unittest.TestCase):
    def test_operators_and_constants_are_changed(self):
        self.assertEqual(of("return a + 1;"), [(1, "+", "-"), (1, "1", "2"), (1, "1", "0")])
        self.assertEqual(of("x += 3;"), [(1, "+=", "-="), (1, "3", "4"), (1, "3", "2"), (1, "3", "0")])
        self.assertEqual(of("if (!a && b <= c) ++i;"),
                         [(1, "!", ""), (1, "&&", "||"), (1, "<=", "<"), (1, "<=", ">"), (1, "++", "--")])
        self.assertEqual(of("f(true, std::min(a, b), 0x10u);"),
                         [(1, "true", "false"), (1, "min", "max"), (1, "0x10u", "17u"), (1, "0x10u", "15u"),
                          (1, "0x10u", "0u")])

    def test_text_that_only_looks_like_an_operator_is_not_changed(self):
        self.assertEqual(of("std::vector<std::vector<T>> f(const T& x, T&& y, T* z, int a = -n);"), [])
        self.assertEqual(of("bool operator<(const T& other) const;"), [])

    def test_comments_texts_directives_and_messages_are_not_changed(self):
        self.assertEqual(of('// a + 1\n#include <a + 1>\n#define F(x) \\\n  (x + 1)\n/* 1 + 1 */\nf("a + 1", \'1\');'), [])
        self.assertEqual(of('return Illegal(op, "found {}", n - 1);'), [])
        self.assertEqual(of('throw Error{fmt::format("{}", n - 1)};'), [])

    def test_a_change_is_applied_at_its_place(self):
        text = "a + b + c;\nd + e;"
        self.assertEqual([change.apply(text) for change in changes_of("x.cc", text)],
                         ["a - b + c;\nd + e;", "a + b - c;\nd + e;", "a + b + c;\nd - e;"])


class PlantedTest(unittest.TestCase):
    def test_each_fault_of_the_kernels_has_its_place(self):
        changes = source_mutants.planted_changes(ROOT / "tools/bench/kernel_faults.json")
        self.assertGreater(len(changes), 50)
        changes += source_mutants.planted_changes(ROOT / "tools/bench/simd_faults.json")
        for change in changes:
            self.assertNotEqual(change.before, change.after)
            self.assertEqual((ROOT / change.path).read_text().splitlines()[change.line - 1][change.column - 1 :][:5],
                             change.before[:5].split("\n")[0])  # fmt: skip

    def test_a_text_that_is_not_there_once_is_an_error(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "x.cc").write_text("a + b; a + b;")
            for before in ("a + b", "c"):
                (root / "faults.json").write_text(json.dumps([{"path": "x.cc", "before": before, "after": ""}]))
                with self.assertRaisesRegex(SystemExit, "not once"):
                    source_mutants.planted_changes(root / "faults.json", root)


class OpsTest(unittest.TestCase):
    def test_ops_of_a_source_are_those_that_include_it(self):
        self.assertEqual(source_mutants.ops_of("interpreter/ops/reduce.cc"), ["reduce"])
        self.assertEqual(source_mutants.ops_of("interpreter/kernels/reduce.cc"), ["reduce"])
        self.assertEqual(source_mutants.ops_of("interpreter/kernels/common/merge_sort.cc"), ["sort"])
        # Files that judge include it too.
        self.assertEqual(source_mutants.ops_of("interpreter/ops/common/triangular_equation.cc"),
                         ["custom-call", "triangular-solve"])
        self.assertIn("select-and-scatter", source_mutants.ops_of("interpreter/kernels/common/window_walk.cc"))
        self.assertIsNone(source_mutants.ops_of("interpreter/evaluator/frame.cc"))


class CampaignTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write("interpreter/ops/common/plus.cc", OP)
        self.write("interpreter/ops/common/plus.h", "int Plus(int a, int b);\n")
        self.write("interpreter/ops/plus.cc", RECORD)
        self.write("main.cc", MAIN)
        self.write("build/build.ninja", NINJA)
        self.write("interpreter/ops/common/minus.cc", MINUS)
        self.write("build/ops_0.cc", CHUNK)
        command = "c++ -I.. -O1 -std=c++20 -MD -MF plus.o.d -o plus.o -c ops_0.cc"
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": str(self.root / "build"), "command": command, "file": "ops_0.cc", "output": "plus.o"}]))
        (self.root / "build" / "tools").mkdir()
        subprocess.run(["ninja", "-C", self.root / "build", "tools/assay"], check=True, stdout=subprocess.DEVNULL)
        self.write("golden/plus/small.hlo", "1 2 3")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def campaign(self):
        out = self.root / "out"
        out.mkdir(exist_ok=True)
        build = self.root / "build"
        corpus = source_mutants.Corpus(self.root / "golden", build / "tools" / "assay", out, self.root)
        return source_mutants.Campaign(source_mutants.Build(build, out, self.root), corpus, out, self.root)

    def run_quietly(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()):
            function(*arguments)

    def test_survivors_are_listed_and_die_of_a_new_golden(self):
        changes = source_mutants.find_changes(["interpreter/ops/common/plus.cc"], 1, self.root)
        before = {path: path.read_bytes() for folder in ("interpreter", "build") for path in
                  (self.root / folder).rglob("*") if path.is_file() and not path.name.startswith(".ninja")}  # fmt: skip
        campaign = self.campaign()
        self.run_quietly(campaign.try_all, changes, len(changes))
        self.assertEqual(before, {path: path.read_bytes() for path in before})
        status = {(row["line"], row["before"], row["after"]): (row["status"], row["killer"])
                  for row in campaign.rows.values()}
        self.assertEqual(status[7, "+", "-"], ("killed", "plus/small/only"))
        self.assertEqual(status[5, "200", "199"], ("survives", ""))
        self.assertEqual(status[4, "0", "1"], ("same code", ""))
        self.assertIn("| interpreter/ops/common/plus.cc:5:34 | `200 -> 199` |", campaign.table())

        # A later run goes on from the file, and tries what survived on the corpus of then.
        self.write("golden/programs/large.hlo", "101 101 200\nr = s32[] plus(a, b)")
        again = self.campaign()
        self.assertEqual(again.rows, campaign.rows)
        self.run_quietly(again.try_all, changes, len(changes))
        self.assertEqual(again.rows, campaign.rows)
        self.run_quietly(again.try_survivors_again)
        status = {(row["line"], row["before"], row["after"]): row["status"] for row in again.rows.values()}
        self.assertEqual(status[5, "200", "199"], "killed")

    def test_a_golden_that_must_be_refused_brings_its_neighbour(self):
        """Without it the case fails on any program, so that each mutant would count as killed."""
        self.write("golden/refused/few.hlo", "2 2 4\n//! neighbour plus/small/only\n")
        corpus = self.campaign().judge
        self.assertEqual(corpus.check(self.root / "build/tools/assay", [self.root / "golden/refused/few.hlo"], "reference"), "")
        self.assertEqual(sorted(link.name for link in (self.root / "out/goldens").rglob("*.hlo")), ["few.hlo", "small.hlo"])

    def test_a_mutant_without_an_end_is_killed(self):
        endless = OP.replace("const int unused = 0;", "for (volatile unsigned long i = 9; i != 0; --i) continue;")
        self.write("interpreter/ops/common/plus.cc", endless)
        campaign = self.campaign()
        campaign.judge.patience = 1
        change = next(change for change in source_mutants.find_changes(["interpreter/ops/common/plus.cc"], 1, self.root)
                      if (change.line, change.before) == (4, "--"))  # fmt: skip
        self.run_quietly(campaign.try_all, [change], 1)
        (row,) = campaign.rows.values()
        self.assertEqual((row["status"], row["killer"]), ("killed", "no end"))

    def test_a_mutant_has_no_earlier_change_of_another_source_of_its_chunk(self):
        build = self.campaign().build
        build.compile("interpreter/ops/common/plus.cc", OP.replace("a + b", "a - b"), "mutant")
        objects = [build.compile("interpreter/ops/common/minus.cc", MINUS, name) for name in ("mutant", "unchanged")]
        self.assertEqual(*[path.read_bytes() for path in objects])
