"""assay passes: the passes of XLA:CPU keep the meaning of sixty functions, and a fault that one pass makes is named."""

import importlib.util
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from command_line import CliTest, entry

if not importlib.util.find_spec("jax"):
    raise unittest.SkipTest("no jax here; tools/dev installs it")

HERE = pathlib.Path(__file__).parent
# Edits of one instruction, each of which changes its value on ordinary numbers.
TWO = r"\((%[\w.-]+), (%[\w.-]+)\)"
FAULTS = [
    (rf" subtract{TWO}", r" subtract(\2, \1)"), (rf" divide{TWO}", r" divide(\2, \1)"), (rf" multiply{TWO}", r" add(\1, \2)"),
    (rf" add{TWO}", r" subtract(\1, \2)"), (rf" maximum{TWO}", r" minimum(\1, \2)"), (rf" minimum{TWO}", r" maximum(\1, \2)"),
    (rf" select\((%[\w.-]+), (%[\w.-]+), (%[\w.-]+)\)", r" select(\1, \3, \2)"), (r" tanh\(", " cosine("),
    (r" exponential\(", " cosine("), (r" rsqrt\(", " sqrt("), (r" erf\(", " negate("), (r" log\(", " negate("),
    (r" popcnt\(", " negate("), (r"direction=GT\b", "direction=LE"), (r"direction=LT\b", "direction=GE"),
    (r" constant\(([2-9])\)", r" constant(1\1)"), (r"dimensions=\{1,0\}, m", "dimensions={0,1}, m"),
    (r"slice=\{\[0:4\]", "slice={[1:5]"), (rf" dot{TWO}", r" dot(\2, \1)"), (r"oi01->", "oi10->"), (r"_01io->", "_10io->"),
    (r"rhs_contracting_dims=\{1\}", "rhs_contracting_dims={0}"), (r" constant\(\{(\d+), (\d+)", r" constant({\2, \1"),
    (r" constant\(\{ \{ (\d+), ", r" constant({ { 1\1, "),
    (r" concatenate\((%[\w.-]+), (%[\w.-]+), ", r" concatenate(\2, \1, "),
]  # fmt: skip


def faults(text):
    """Yields the texts with one fault, in the entry or in a computation that it calls, the last instructions first."""
    lines = text.split("\n")
    for i in reversed(range(len(lines))):
        for pattern, replacement in FAULTS:
            if lines[i].startswith("  ") and re.search(pattern, lines[i]):
                yield "\n".join([*lines[:i], re.sub(pattern, replacement, lines[i], count=1), *lines[i + 1 :]])


class PassesTest(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.dump = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        subprocess.run([sys.executable, HERE / "pair_programs.py", cls.dump], check=True, capture_output=True)
        names = sorted(path.name.split(".before_")[0] for path in cls.dump.glob("*.before_optimizations.txt"))
        cls.modules = [name for name in names if not name.endswith("sharded_step")]

    def passes(self, folder, module, *options):
        run = self.assay("passes", folder, "--module", module, "--format", "json", *options)
        self.assertTrue(run.stdout, run.stderr)
        return json.loads(run.stdout), run

    def test_the_passes_of_xla_keep_the_meaning(self):
        self.assertEqual(len(self.modules), 60)
        verdicts = {}
        for module in self.modules:
            report, run = self.passes(self.dump, module)
            self.assertEqual(run.returncode, 0, (module, run.stdout[-2000:]))
            self.assertGreater(len(report["steps"]), 0, module)
            verdicts.setdefault(report["verdict"], []).append(module)
        self.assertLessEqual(set(verdicts), {"EXACT", "LEGAL"}, verdicts)

    def test_stablehlo_beside_the_module_that_xla_compiles(self):
        verdicts = {}
        for module in self.modules:
            compiled = self.dump / f"{module}.cpu_after_optimizations.txt"
            run = self.assay("diff", self.dump / f"{module.split('jit_')[1]}.mlir", compiled, "--profile", "xla-cpu")
            verdicts.setdefault(run.stdout.split(":")[0] or run.stderr, []).append(module)
        self.assertLessEqual(set(verdicts), {"EXACT", "LEGAL"}, verdicts)

    def arrays(self, path):
        """Returns the results of a module on its seeded inputs, or nothing if it is illegal."""
        run = self.assay("run", path, "--format", "json")
        return flat(json.loads(run.stdout)["outputs"][0]) if run.returncode == 0 else None

    def planted(self, module, number):
        """Makes a dump in which one pass puts a fault into the module. Returns its folder and the pass."""
        folder = self.folder / module
        folder.mkdir()
        paths = [self.dump / f"{module}.before_optimizations.txt", *sorted(self.dump.glob(f"{module}.[0-9]*.after_*.txt"))]
        for path in paths:
            shutil.copy(path, folder)
        changes = [path for last, path in zip(paths, paths[1:]) if path.read_text() != last.read_text()]
        want = self.arrays(paths[0])
        for i in range(len(changes)):
            chosen = changes[(number + i) % len(changes)]
            for text in faults(chosen.read_text()):
                (folder / chosen.name).write_text(text)
                got = self.arrays(folder / chosen.name)
                if got is not None and far(want, got):
                    return folder, pass_of(chosen, paths[paths.index(chosen) - 1])
            shutil.copy(chosen, folder)
        self.fail(f"{module}: no edit changes it")

    def test_a_pass_with_a_fault_is_named(self):
        for number, module in enumerate(self.modules):
            folder, name = self.planted(module, number)
            report, run = self.passes(folder, module)
            self.assertIn(report["verdict"], ("FAIL", "SUSPECT"), module)
            self.assertEqual((report.get("wrong_pass"), run.returncode), (name, 1), module)

    def test_a_partitioner(self):
        report, run = self.passes(self.dump, "sharded_step")
        self.assertEqual((report["verdict"], run.returncode), ("LEGAL", 0), run.stdout)
        self.assertIn("spmd-partitioning", [step["pass"] for step in report["steps"]])
        folder = self.folder / "dump"
        folder.mkdir()
        # The gradient of the first weights is summed over the wrong four devices.
        groups = "replica_groups={{0,2,4,6},{1,3,5,7}}"
        for path in self.dump.glob("*jit_sharded_step.*.txt"):
            text = path.read_text()
            if ".spmd-cleanup." in path.name:
                self.assertIn(groups, text)
                text = text.replace(groups, "replica_groups={{0,1,2,3},{4,5,6,7}}")
            (folder / path.name).write_text(text)
        report, run = self.passes(folder, "sharded_step")
        self.assertEqual((report["verdict"], report["wrong_pass"]), ("FAIL", "spmd-partitioning"))
        self.assertEqual(report["pair"]["outputs"]["worst"]["tuple_index"], [0])
        self.assertIn("transpose(jvp())/dot_general", report["pair"]["divergence"]["before"]["instruction"])

    def test_a_partitioner_of_annotations_alone(self):
        folder = self.folder / "dump"
        folder.mkdir()
        header = "HloModule m, num_partitions=2\n"
        whole = header + entry("x = f32[4] parameter(0), sharding={devices=[2]<=[2]}",
                               "ROOT r = f32[4] negate(x), sharding={devices=[2]<=[2]}").split("\n", 1)[1]  # fmt: skip
        part = whole.replace("f32[4]", "f32[2]")
        for name, text in (("before_optimizations", whole),
                           ("0001.p.after_sharding-propagation.before_spmd-partitioning", whole + "// p"),
                           ("0002.c.after_pipeline-start.before_dce", part)):  # fmt: skip
            (folder / f"module_0000.m.{name}.txt").write_text(text)
        report, run = self.passes(folder, "m")
        self.assertEqual((report["verdict"], len(report["steps"]), run.returncode), ("EXACT", 2, 0), run.stdout)
        (folder / "module_0000.m.0002.c.after_pipeline-start.before_dce.txt").write_text(part.replace("negate", "abs"))
        report, run = self.passes(folder, "m")
        self.assertEqual((report["verdict"], report["wrong_pass"]), ("FAIL", "spmd-partitioning"))

    def test_the_text_has_the_pass_and_a_command(self):
        folder = self.folder / "dump"
        folder.mkdir()
        for name, op in (("before_optimizations", "floor"), ("0001.simplify.after_algsimp.before_dce", "floor"),
                         ("0002.simplify.after_dce.before_cse", "ceil")):  # fmt: skip
            text = entry("x = f32[2] parameter(0)", f"ROOT r = f32[2] {op}(x)", "" if name[0] == "b" else "// changed")
            (folder / f"module_0000.m.{name}.txt").write_text(text)
        run = self.assay("passes", folder, "--input", "f32[2] {0.5, 1}", code=1)
        self.assertIn("EXACT       0001 algsimp (simplify)\nFAIL        0002 dce (simplify)", run.stdout)
        self.assertIn("\ndce\n  assay diff ", run.stdout)

    def test_folders_that_are_no_dump(self):
        self.assert_fails(2, "--xla_dump_hlo_pass_re=.*", "passes", self.folder)
        self.assert_fails(2, "name one with --module:", "passes", self.dump)


def pass_of(path, last):
    """Returns the pass that made a file after the last one. The start of a pipeline shows what began before it."""
    name = re.search(r"\.after_([^.]+)", path.name)[1]
    began = re.search(r"\.before_([^.]+)\.txt", last.name)
    return began[1] if name == "pipeline-start" and began and began[1] != "pipeline-end" else name


def flat(value):
    """Returns the numbers of a value of the JSON form: of f32 as such, of other types their bytes."""
    if "tuple" in value:
        return [number for element in value["tuple"] for number in flat(element)]
    data = bytes.fromhex(value["data_hex"])
    return list(struct.unpack(f"<{len(data) // 4}f", data)) if value["shape"].startswith("f32") else list(data)


def far(want, got):
    """True if a number is off by a thousandth of the largest one."""
    unit = max((abs(x) for x in want if math.isfinite(x)), default=1) or 1
    return len(want) != len(got) or any(not abs(a - b) <= unit / 1000 and not (math.isnan(a) and math.isnan(b)) and a != b
                                        for a, b in zip(want, got))  # fmt: skip
