"""`assay fuzz --from`: programs of a user are changed, and faults are found from them. ASSAY names the executable."""

import pathlib
import shutil

from command_line import entry
from fuzz_command import FuzzCliTest

HANDED = pathlib.Path(__file__).parent / "handed"


class FuzzFromTest(FuzzCliTest):
    def test_modules_of_from_are_mutated(self):
        self.file("models/logits.hlo", entry("x = f32[4,3] parameter(0)", "y = f32[2,3] parameter(1)",
                                             "c = f32[6,3] concatenate(x, y), dimensions={0}", "n = f32[6,3] negate(c)",
                                             "ROOT t = f32[6,3] tanh(n)"))  # fmt: skip
        for oracle in ("reference", "rewrites"):
            words = ("--from", self.models, "--oracle", oracle, "--count", "150")
            right = self.fuzz("--backend", "reference", *words, folder="right", code=0)
            self.assertRegex(right.stdout, r": 1\d\d EXACT;")
            self.fuzz("--backend", "mutant:concat_order", *words, folder=oracle, code=1)
            findings = self.findings(oracle)
            self.assertTrue(any("concatenate.f32" in finding["signature"] for finding in findings), findings)
            self.assertTrue(all(finding["source"].startswith("logits") for finding in findings), findings)

    def test_every_file_of_a_folder_is_read_or_named(self):
        self.file("models/inner/sum.hlo", entry("x = f32[4] parameter(0)", "ROOT s = f32[4] add(x, x)"))
        self.file("models/twice.mlir", "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                  "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")  # fmt: skip
        self.file("models/bad.hlo", "HloModule bad\nENTRY e {\n  ROOT x = f32[2] add(y, y)\n}\n")
        self.file("models/notes.txt", "no module")
        shutil.copy(HANDED / "affine.mlirbc", self.models / "artifact.bc")
        run = self.fuzz("--backend", "reference", "--from", self.models, "--count", "60", code=0)
        self.assertRegex(run.stderr, r"note: 1 of 4 modules cannot be read:\n  \S+bad.hlo:3:")
        self.assertNotIn("notes.txt", run.stderr)
        # If none can be read, the first one is the error.
        for name in ("inner/sum.hlo", "twice.mlir", "artifact.bc"):
            (self.models / name).unlink(missing_ok=True)
        self.assert_fails(2, "bad.hlo:3:", "fuzz", "--backend", "reference", "--from", self.models, "--count", "1",
                          "--out", self.folder / "none")  # fmt: skip

    def test_a_fault_of_two_instructions_is_found_from_programs_with_one(self):
        # No program transposes twice, so only a joined or changed one fails.
        transpose = "transpose({}), dimensions={{1,0}}"
        for name, n, t in (("before", "negate(x)", transpose.format("n")), ("after", transpose.format("x"), "abs(n)")):
            lines = "x = f32[3,3] parameter(0)", f"n = f32[3,3] {n}", f"ROOT t = f32[3,3] {t}"
            self.file(f"models/{name}.hlo", entry(*lines))
        words = ("--backend", "mutant:transpose_of_transpose", "--from", self.models)
        run = self.fuzz(*words, "--count", "2000", "--most-findings", "1", code=1)
        (finding,) = self.findings()
        self.assertIn("transpose", finding["signature"])
        self.assertRegex(finding["source"], "^(before|after), after ")
        self.assertRegex(run.stdout, r"  mutations: .*join.*; \d+ mutants were illegal, and others were drawn")

    def test_mutants_are_the_same_for_a_seed(self):
        self.file("models/sum.hlo", entry("x = f32[4,3] parameter(0)", "y = f32[4,3] exponential(x)",
                                          "ROOT s = f32[4,3] add(x, y)"))
        for folder, parts, jobs in (("whole", ("200",), "1"), ("parts", ("120", "80"), "2")):
            for count in parts:
                self.fuzz("--backend", "reference", "--from", self.models, "--count", count, "--jobs", jobs,
                          folder=folder)  # fmt: skip
        whole, parts = self.run_of("whole"), self.run_of("parts")
        self.assertGreater(len(whole["mutations"]), 10)
        for of in ("programs", "by_verdict", "mutations", "refused_mutants", "coverage"):
            self.assertEqual(whole[of], parts[of], of)

    def test_modules_need_no_layouts(self):
        # A changed scatter has the shape that its record infers, without a layout.
        module = self.file("m.hlo", "HloModule m\n\nlast {\n  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1)\n}\n\n"
                           + entry("x = f32[5,3] parameter(0)", "i = s32[2,1] parameter(1)", "u = f32[2,3] parameter(2)",
                                   "ROOT s = f32[5,3] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, "
                                   "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=last")
                           .split("\n", 1)[1])  # fmt: skip
        run = self.fuzz("--backend", "reference", "--from", module, "--count", "300", code=0)
        self.assertIn(" EXACT; ", run.stdout)
