"""`assay export`: the suite runs without assay, and its verdicts are those of `assay check`."""

import hashlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
from spec_tests.tools.command_line import CliTest, ran
from spec_tests.tools.suite_reference import run as reference

BACKEND = pathlib.Path(__file__).with_name("suite_reference.py")


class ExportTest(CliTest):
    def export(self, *options, format="stablehlo"):
        """Exports a suite. Returns its folder, its runner, its manifest and its cases by name."""
        suite = self.folder / f"suite{len(list(self.folder.iterdir()))}"
        self.assay("export", "--out", suite, "--format", format, "--jobs", "2", *options, code=0)
        runner = self.module(suite / "run_suite.py")
        manifest = json.loads((suite / "manifest.json").read_text())
        return suite, runner, manifest, {case["name"]: case for case in runner.cases_of(suite)}

    def module(self, path):
        """Imports a Python file of a suite. All but suite_cases.py import that."""
        if path.stem != "suite_cases":
            sys.modules["suite_cases"] = self.module(path.with_name("suite_cases.py"))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def read_array(self, suite, value):
        """Returns the type and the array of a value of a suite."""
        return self.module(suite / "suite_cases.py").read_array(value)

    def verdicts(self, suite, runner, cases, run=reference):
        return {name: runner.judge(suite, case, run)[0] for name, case in cases.items()}

    def assert_digests(self, suite, manifest):
        """The digests of the manifest are those of Python's hashlib, and it names every file.

        Python keeps a compiled copy of an imported runner in __pycache__, which is no file of the suite.
        """
        files = [path for path in suite.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
        found = {str(path.relative_to(suite)): hashlib.sha256(path.read_bytes()).hexdigest()
                 for path in files if path.name != "manifest.json"}  # fmt: skip
        self.assertEqual(found, manifest["files"])


# A case or two of nearly every op.
SAMPLE = "name=*/types/f32* | name=*/types/s8* | name=programs/*"


class Suite(ExportTest):
    def test_the_format_of_sources_keeps_quantized_types(self):
        for format, has_types in (("stablehlo", False), ("stablehlo-source", True)):
            suite, runner, _, cases = self.export("--filter", "quantized/add_", format=format)
            texts = [(suite / case["module"]).read_text() for case in cases.values()]
            self.assertEqual(["!quant.uniform" in text for text in texts], [has_types] * 3)
            self.assertEqual(self.verdicts(suite, runner, cases), dict.fromkeys(cases, "EXACT"))

    def test_the_reference_has_the_exact_bits_and_jaxlib_reads_every_module(self):
        suite, runner, manifest, cases = self.export("--filter", SAMPLE)
        listed = self.assay("check", "--list", "--filter", SAMPLE).stdout.split()
        left_out = [name for names in manifest["not_exported"].values() for name in names]
        self.assertEqual(sorted([*cases, *left_out]), sorted(listed))
        self.assertGreater(len(cases), 100)
        verdicts = self.verdicts(suite, runner, cases)
        several = {name for name, case in cases.items() if "devices" in case}
        unequal = {name: verdict for name, verdict in verdicts.items() if verdict != "EXACT" and name not in several}
        self.assertEqual(unequal, {})
        self.assert_digests(suite, manifest)
        self.assert_jaxlib_reads(suite, {case["module"] for case in cases.values()})

    def assert_jaxlib_reads(self, suite, paths):
        from jax.interpreters.mlir import make_ir_context
        from jaxlib.mlir import ir

        with make_ir_context():
            for path in sorted(paths):
                ir.Module.parse((suite / path).read_text()).operation.verify()

    def test_a_result_outside_its_range_fails_and_one_at_its_end_does_not(self):
        suite, runner, _, cases = self.export("--filter", "name=tanh/f32/ordinary")
        (case,) = cases.values()
        output = case["outputs"][0]
        kind, want = self.read_array(suite, output)
        for element, part, verdict, low, high in output["accept"]:
            for bits, expected in ((int(low, 16), verdict), (int(high, 16), verdict)):
                got = want.copy()
                got.view(np.uint32)[element] = bits
                step = 1 if bits == max(int(low, 16), int(high, 16)) else -1  # away from zero, or toward it
                self.assertIn(runner.judge(suite, case, lambda *_: [got])[0], (expected, "EXACT"))
                got.view(np.uint32)[element] = bits + step
                self.assertEqual(runner.judge(suite, case, lambda *_: [got])[0], "FAIL")

    def test_a_result_of_another_shape_or_type_fails(self):
        suite, runner, _, cases = self.export("--filter", "name=add/types/f32")
        (case,) = cases.values()
        _, want = self.read_array(suite, case["outputs"][0])
        for results in ([want.astype(np.float64)], [want.reshape(1, -1)], [], [want, want]):
            self.assertEqual(runner.judge(suite, case, lambda *_: results)[0], "FAIL")
        self.assertEqual(runner.judge(suite, case, lambda *_: 1 / 0)[0], "ERROR")

    def test_verdicts_of_xla_are_those_of_check(self):
        chosen = "name=tanh/types/f32 | name=log/specials/f16 | name=divide/specials/s8 | name=dot/types/f* | name=add/faults/*f64"
        suite, runner, _, cases = self.export("--filter", chosen)
        done = ran(sys.executable, suite / "run_suite.py", suite / "xla_cpu.py", "--fork", "--json",
                   self.folder / "xla.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        own = json.loads((self.folder / "xla.json").read_text())
        self.assay("check", "--backend", "xla-cpu", "--profile", "xla", "--filter", chosen, "--report",
                   self.folder / "report")  # fmt: skip
        report = self.results()
        compared = 0
        for entry in report["cases"]:
            if entry["name"] in own and own[entry["name"]]["verdict"] != "UNDECIDED":
                self.assertEqual(own[entry["name"]]["verdict"], entry["verdict"], entry["name"])
                compared += entry["verdict"] != "UNSUPPORTED"
        self.assertGreater(compared, 6)

    def test_a_case_without_intervals_says_why(self):
        _, _, manifest, cases = self.export("--filter", "op=cholesky & types/f32")
        (case,) = cases.values()
        self.assertEqual(case["undecided"], "the properties of a factorization or a solution")
        self.assertEqual(manifest["undecided"], {case["undecided"]: [case["name"]]})
        self.assertNotIn("accept", case["outputs"][0])

    def test_a_case_that_stablehlo_cannot_express_is_named_with_the_reason(self):
        _, _, manifest, cases = self.export("--filter", "op=scan & types/f32")
        self.assertEqual(cases, {})
        (reason,) = manifest["not_exported"]
        self.assertEqual(reason, "scan: StableHLO has no such operation")

    def test_a_form_that_stablehlo_lacks_is_refused_not_changed(self):
        for name, reason in {
            "convert/from_c64/pred": "convert: StableHLO converts the real part alone",
            "reduce-window/last_reversed/last": "reduce-window: StableHLO has no reversed window here",
            "dynamic-slice/vector_of_starts/*": "dynamic-slice: StableHLO has a scalar for each start",
            "async-update/s32_late/steps": "async-start: a later update has operands",
            "custom-call/types/tuple": "custom-call: StableHLO's custom_call has no tuple as an operand",
        }.items():
            _, _, manifest, cases = self.export("--filter", f"name={name}")
            self.assertEqual((cases, list(manifest["not_exported"])), ({}, [reason]), name)

    def test_a_folder_that_is_not_empty_is_refused(self):
        self.file("x", "")
        self.assert_fails(2, "must be a new or empty folder", "export", "--out", self.folder)

    def test_a_filter_that_keeps_nothing_is_an_error(self):
        self.assert_fails(2, "no case matches op=nothing", "export", "--out", self.folder / "s", "--filter", "op=nothing")


class Runner(ExportTest):
    def run_suite(self, suite, *options, backend=BACKEND, script="run_suite.py"):
        """Runs a script of a suite."""
        command = [sys.executable, suite / script, *([backend] if script == "run_suite.py" else []), *options]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)

    def assert_refused(self, done, *texts):
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_changed_missing_and_added_files_are_refused(self):
        suite, _, manifest, _ = self.export("--filter", "name=add/types/f*")
        self.assertEqual(self.run_suite(suite).returncode, 0)
        (cases,) = (suite / "cases").rglob("*.json")
        text = cases.read_text()
        cases.write_text(text.replace('"accept":[', '"accept":[[0,0,"LEGAL","0","ffffffff"],', 1))
        wanted = manifest["files"]["cases/add/types.json"]
        for script, options in (("run_suite.py", ()), ("interpret.py", (self.folder / "checks",))):
            self.assert_refused(self.run_suite(suite, *options, script=script), "add/types.json: differs", f"must be {wanted}, found ")
        cases.unlink()
        self.assert_refused(self.run_suite(suite), "cases/add/types.json: no such file, but the manifest names it")
        cases.write_text(text)
        more = suite / "cases" / "more.json"
        more.write_text(text)
        self.assert_refused(self.run_suite(suite), "cases/more.json: not a file of the suite")
        more.unlink()
        (suite / "manifest.json").unlink()
        self.assert_refused(self.run_suite(suite), "manifest.json: no such file; --suite must be")

    def test_a_backend_that_hangs_or_dies_is_the_verdict_of_one_case(self):
        suite, *_ = self.export("--filter", "name=add/types/f32 | name=add/types/f64 | name=add/types/s32")
        backend = self.file("hangs.py", "import os, time\nfrom spec_tests.tools.suite_reference import run as reference\n"
                            "def run(text, inputs):\n    if 'f32' in text:\n        time.sleep(600)\n"
                            "    if 'f64' in text:\n        os._exit(1)\n    return reference(text, inputs)\n")  # fmt: skip
        done = self.run_suite(suite, "--fork", "--timeout", "5", "--json", self.folder / "v.json", backend=backend)
        self.assertEqual(done.returncode, 1, done.stderr)
        verdicts = {name: row["verdict"] for name, row in json.loads((self.folder / "v.json").read_text()).items()}
        self.assertEqual(verdicts, {"add/types/f32": "TIMEOUT", "add/types/f64": "CRASH", "add/types/s32": "EXACT"})
        self.assertIn("add/types/f32: TIMEOUT: no result after 5 s", done.stdout)

    def test_a_run_without_a_backend_or_a_case_is_an_error(self):
        suite, *_ = self.export("--filter", "name=add/types/f32")
        for name, text, said in (
            ("missing.py", None, "missing.py: no such file: expected a Python file that defines run(module_text, inputs)"),
            ("empty.py", "", "empty.py: no function run: expected a Python file that defines run(module_text, inputs)"),
            ("run.py", "run = 3", "run.py: no function run: expected"),
            ("broken.py", "import no_such_module", "broken.py cannot be imported: ModuleNotFoundError: No module named"),
        ):  # fmt: skip
            backend = self.file(name, text) if text is not None else self.folder / name
            self.assert_refused(self.run_suite(suite, backend=backend), said)
        self.assert_refused(self.run_suite(suite, "--filter", "no/such"),
                            "no case has 'no/such' in its name; the suite has 1 cases, such as ['add/types/f32']")
        self.assert_refused(self.run_suite(suite, self.folder / "checks", "--filter", "no/such", script="interpret.py"),
                            "no case with 'no/such' in its name has a form that checks itself")

    def test_a_time_limit_needs_a_process_of_its_own(self):
        suite, *_ = self.export("--filter", "name=add/types/f32")
        for options in (("--timeout", "5"), ("--fork", "--timeout", "0"), ("--fork", "--timeout", "nan")):
            self.assert_refused(self.run_suite(suite, *options), "--timeout must be a positive number of seconds, and needs --fork")


class Formats(ExportTest):
    def test_npz_has_the_same_arrays_and_verdicts(self):
        chosen = "name=tanh/types/* | name=add/types/* | name=divide/specials/s8"
        _, _, _, plain = self.export("--filter", chosen)
        suite, runner, manifest, cases = self.export("--filter", chosen, format="npz")
        self.assertEqual(sorted(plain), sorted(cases))
        for name, case in cases.items():
            with np.load(suite / case["npz"]) as arrays:
                for side in ("inputs", "outputs"):
                    for i, value in enumerate(plain[name][side]):
                        self.assertEqual(arrays[f"{side[:-1]}_{i}"].tobytes().hex(), value["data_hex"], name)
        self.assertEqual(set(self.verdicts(suite, runner, cases).values()), {"EXACT"})
        name = "tanh/types/f32"
        _, want = self.read_array(suite, plain[name]["outputs"][0])
        near = np.nextafter(want, np.float32(0))
        self.assertEqual(runner.judge(suite, cases[name], lambda *_: [near])[0], "LEGAL")
        self.assert_digests(suite, manifest)

    def test_hlo_has_modules_that_must_be_refused(self):
        suite, runner, manifest, cases = self.export("--filter", "name=add/types/* | name=refused/*slice/*", format="hlo")
        refused = [case for case in cases.values() if "refused" in case]
        self.assertGreater(len(refused), 0)
        self.assertTrue(all(case["module"].endswith(".hlo") for case in cases.values()))
        self.assertEqual(set(self.verdicts(suite, runner, cases).values()), {"EXACT"})
        self.assertEqual(runner.judge(suite, refused[0], lambda *_: [])[0], "FAIL")

    def test_a_refusal_counts_for_a_backend_that_runs_the_legal_neighbour(self):
        suite, runner, _, cases = self.export("--filter", "name=add/types/f32 | name=refused/elementwise/*", format="hlo")
        refused = [case for case in cases.values() if "refused" in case]

        def declines(text, inputs):
            raise NotImplementedError("not this one")

        def raises(text, inputs):
            raise RuntimeError("never")

        def adds(text, inputs):
            if " add(" not in text:
                raise NotImplementedError("only additions")
            return reference(text, inputs)

        for backend in (declines, raises):
            self.assertEqual({runner.judge(suite, case, backend)[0] for case in refused}, {"UNSUPPORTED"})
        for case in refused:
            verdict, reason = runner.judge(suite, case, adds)
            name = case["neighbour"]["name"]
            self.assertEqual(verdict, "EXACT" if name.startswith("add/") else "UNSUPPORTED", case["name"])
            if verdict == "UNSUPPORTED":
                self.assertEqual(reason, f"a refusal that proves nothing: {name} is UNSUPPORTED: only additions")

    def test_pytest_has_a_test_for_each_case_and_refuses_changed_files(self):
        suite, _, _, cases = self.export("--filter", "name=add/types/*", format="pytest")
        module = next((suite / "modules").rglob("*.mlir"))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--backend", str(BACKEND), str(suite)]
        env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        for code, said in ((0, f"{len(cases)} passed"), (4, f"{module}: differs")):
            done = ran(*command, env=env)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(said, done.stdout + done.stderr)
            module.write_text(module.read_text() + "\n")


class Interpret(ExportTest):
    def truths(self, interpret, suite, case):
        """Evaluates a self-checking module that returns its truth values."""
        results = reference(interpret.self_checking(suite, case, end="return"), [])
        return all(np.all(result) for result in results)

    def test_a_module_checks_itself(self):
        chosen = "name=tanh/specials/* | name=add/types/* | name=divide/specials/*8 | name=compare/types/f32*"
        suite, _, _, cases = self.export("--filter", chosen)
        interpret = self.module(suite / "interpret.py")
        checked = {name: case for name, case in cases.items() if interpret.can_check(case)}
        self.assertGreater(len(checked), 30)
        for name, case in checked.items():
            self.assertTrue(self.truths(interpret, suite, case), name)

    def test_a_module_with_a_wrong_expectation_does_not(self):
        suite, _, _, cases = self.export("--filter", "name=tanh/types/f32 | name=add/types/s8")
        interpret = self.module(suite / "interpret.py")
        for name, case in cases.items():
            kind, want = self.read_array(suite, case["outputs"][0])
            wrong = np.ascontiguousarray(want).view(kind.words) ^ kind.words.type(64)
            case["outputs"][0].update(data_hex=wrong.tobytes().hex(), accept=[])
            self.assertFalse(self.truths(interpret, suite, case), name)

    def test_the_files_end_with_a_check(self):
        suite, _, _, cases = self.export("--filter", "name=add/types/*")
        out = self.folder / "checks"
        subprocess.run([sys.executable, suite / "interpret.py", out], check=True, capture_output=True)
        files = list(out.rglob("*.mlir"))
        self.assertEqual({str(path.relative_to(out)) for path in files},
                         {f"{name}.mlir" for name in cases if not name.startswith("add/types/f6")})
        for path in files:
            self.assertIn('"check.expect_eq_const"', path.read_text())

    def test_no_file_leaves_the_folder(self):
        suite, _, manifest, cases = self.export("--filter", "name=add/types/f32")
        (file,) = (suite / "cases").rglob("*.json")
        file.write_text(file.read_text().replace("add/types/f32", "../../outside"))
        manifest["files"]["cases/add/types.json"] = hashlib.sha256(file.read_bytes()).hexdigest()
        (suite / "manifest.json").write_text(json.dumps(manifest))
        done = ran(sys.executable, suite / "interpret.py", self.folder / "in/checks")
        self.assertEqual((done.returncode, list(self.folder.rglob("outside*"))), (1, []))
        self.assertIn("../../outside: the name of a case must stay in the folder", done.stderr)
