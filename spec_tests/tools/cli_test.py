"""The contract of the command line on input that is wrong, huge or cut off.

Exit codes: 0 all well, 1 a comparison failed, 2 bad usage or input, 3 no backend, 4 a resource limit. Every failure is
one message on standard error, and never a crash. ASSAY names the executable.
"""

import json
import os
import shlex
import signal
import subprocess
import unittest

import numpy as np
from command_line import ADD, ASSAY, ENDLESS, GOLDEN, PEER, CliTest, entry, passing, ran


class FilesTest(CliTest):
    def test_a_byte_order_mark_is_no_part_of_the_text(self):
        marked = self.file("marked.hlo", "\ufeff" + ADD)
        self.assertEqual(self.assay("print", marked).stdout, self.assay("print", self.file("plain.hlo", ADD)).stdout)
        self.assert_fails(2, ":1:1: error: ", "verify", self.file("twice.hlo", "\ufeff\ufeff" + ADD))

    def test_missing_file(self):
        for command in ("run", "print", "verify"):
            self.assert_fails(2, "No such file", command, self.folder / "none.hlo")

    def test_directory(self):
        for command in ("run", "print", "verify"):
            self.assert_fails(2, "is a directory", command, self.folder)

    def test_a_file_whose_reading_fails(self):
        self.assert_fails(2, "Input/output error", "verify", "/proc/self/mem")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable_file(self):
        path = self.file("m.hlo", ADD)
        os.chmod(path, 0)
        self.assert_fails(2, "Permission denied", "verify", path)

    def test_standard_input(self):
        result = self.assay("verify", "-", stdin=ADD)
        self.assertEqual((result.returncode, result.stdout), (0, "<stdin>: legal, 1 computation, 3 instructions\n"))
        self.assert_fails(2, "<stdin>:1:1: error: ", "verify", "-", stdin="nonsense")

    def test_verify_counts_computations_and_instructions(self):
        one = entry("ROOT x = f32[] parameter(0)")
        called = ("HloModule m\nf { ROOT y = f32[] parameter(0) }\n"
                  "ENTRY e { x = f32[] parameter(0)\nROOT r = f32[] call(x), to_apply=f }")
        self.assertEqual(self.assay("verify", "-", stdin=one).stdout, "<stdin>: legal, 1 computation, 1 instruction\n")
        self.assertEqual(self.assay("verify", "-", stdin=called).stdout,
                         "<stdin>: legal, 2 computations, 3 instructions\n")

    def test_a_closed_pipe_is_no_error(self):
        path = self.file("big.hlo", entry("ROOT r = f32[200000] iota(), iota_dimension=0"))
        corpus = self.corpus_of("//! case one small\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2")
        for arguments in (("run", path, "--backend", "lawful"), ("explain", path, "--backend", f"process:{PEER}"),
                          ("check", "--corpus", corpus, "--report", self.report, "--backend", f"process:{PEER}")):
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)  # before the program starts, so that each of its writes fails
                process = subprocess.Popen([ASSAY, *arguments], stdout=writer, stderr=subprocess.PIPE)
                os.close(writer)
                self.assertEqual(process.stderr.read(), b"")
                self.assertIn(process.wait(600), (128 + signal.SIGPIPE, -signal.SIGPIPE))
                process.stderr.close()
        self.assertTrue((self.report / "results.json").exists())

    def test_standard_error_that_cannot_be_written_changes_no_result(self):
        small, illegal = self.file("small.hlo", ADD), self.file("illegal.hlo", ADD.replace("f32[2] add", "f32[3] add"))
        for arguments, code, output in (
            (("verify", illegal), 2, ""), (("nonsense",), 2, ""), (("run", "missing.hlo"), 2, ""),
            (("diff", small, "--backend", "reference"), 0, "EXACT"),  # with a note: the inputs are made from a seed
            (("diff", small, "--backend", f"process:{PEER}"), 0, "UNSUPPORTED"),
            (("run", small, "--step-limit", "1"), 4, ""),
        ):  # fmt: skip
            for redirection in ("2>/dev/full", "2>&-"):
                with self.subTest(arguments=arguments, redirection=redirection):
                    command = f"{shlex.join([ASSAY, *arguments])} {redirection}"
                    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, timeout=600)
                    self.assertEqual(result.returncode, code)
                    self.assertTrue(result.stdout.decode().startswith(output), result.stdout)

    def test_a_full_disk_for_standard_output_is_an_error(self):
        small = self.file("small.hlo", ADD)
        big = self.file("big.hlo", entry("ROOT r = f32[20000] iota(), iota_dimension=0"))
        for arguments in (
            ("run", small), ("run", big), ("run", big, "--format", "json"), ("print", small), ("verify", small),
            ("ops",), ("ops", "--json"), ("diff", small, "--backend", "reference"),
            ("--help",), ("--version",), ("run", "--help"),
        ):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                result = subprocess.run([ASSAY, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=600)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(b"error: standard output cannot be written", result.stderr)


class TerminalTest(CliTest):
    """Control characters of names, headers and files never reach the terminal."""

    RED = "\x1b[31mred"

    def assert_plain(self, *arguments, says="\\x1b[31mred", **options):
        result = self.assay(*arguments, **options)
        self.assertNotIn("\x1b", result.stdout + result.stderr, arguments)
        self.assertIn(says, result.stdout + result.stderr, arguments)
        return result

    def test_names_of_files(self):
        names = {name: self.file(self.RED + name, ADD) for name in ("m.hlo", "bad.hlo")}
        (self.folder / (self.RED + "bad.hlo")).write_text("HloModule m\nENTRY e { \x1b[2J }")
        self.assert_plain("verify", names["m.hlo"])
        self.assert_plain("verify", names["bad.hlo"])
        self.assert_plain("diff", names["m.hlo"], "--backend", "reference")
        self.assert_plain("explain", names["m.hlo"])
        self.assert_plain("run", self.file("add.hlo", ADD), "--input", names["m.hlo"], "--input", "f32[2] {1, 2}",
                          says="error: input 0")
        self.assert_plain("run", self.folder / (self.RED + "none.hlo"))
        self.assert_plain("check", "--corpus", self.folder / (self.RED + "none"))
        models = self.RED + "models"
        self.file(f"{models}/{self.RED}.hlo", ADD)
        options = ("--corpus", GOLDEN, "--filter", "model/", "--models", self.folder / models)
        self.assert_plain("check", *options)
        self.assert_plain("check", *options, "--list")

    def test_headers_of_arrays(self):
        header = f"{{'descr': '{self.RED}', 'fortran_order': False, 'shape': (2,), }}\n".encode()
        array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(8)
        self.assert_plain("run", self.file("m.hlo", passing("f32[2]")), "--input", self.file("a.npy", array))

    def test_profiles(self):
        profile = self.file("p.json", {"name": self.RED, "meaning": "mine\x1b]0;title\x07", "extends": "ieee"})
        module = self.file("m.hlo", ADD)
        self.assert_plain("explain", module, "--profile", profile)
        self.assert_plain("diff", module, "--backend", "reference", "--profile", profile, says="EXACT")
        self.assert_plain("diff", module, "--backend", "reference", "--profile", self.RED)
        profile = self.file("q.json", {"name": "q", "meaning": "m", "extends": self.RED})
        self.assert_plain("diff", module, "--backend", "reference", "--profile", profile)

    def test_backends_and_expectations(self):
        self.assert_plain("run", self.file("m.hlo", ADD), "--backend", self.RED)
        known = self.file("k.json", {"cases": [{"name": "x", "verdict": self.RED, "reason": "y"}]})
        self.assert_plain("check", "--corpus", GOLDEN, "--expectations", known, says="u001b[31mred")


class GoldenTest(CliTest):
    def test_malformed_cases(self):
        arg, want = "//! arg f32[2] x3f800000 xc0000000\n", "//! want f32[2] xbf800000 x40000000\n"
        case = "//! case one both signs\n"
        result = self.assay("check", "--corpus", self.corpus_of(case + arg + want))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("1 EXACT", result.stdout)
        # The first directive is in line 4.
        for directives, code, message in (
            ("", 2, "no case"),
            (case + want, 2, "argument"),
            (case + arg, 2, "want"),
            (case + "//! arg s32[2] 1 2\n" + want, 2, "expects f32[2]"),
            (case + arg + "//! want f32[2] xbf800000 x40000001\n", 2, "the reference does not return"),
            (case + arg + "//! want f32[1] xbf800000\n", 2, "f32.hlo"),
            (case + "//! arg f32[1000000000000] seeded 1\n" + want, 4, "f32.hlo:5: memory limit"),
            (case + "//! arg f32[1000000000000] 1\n" + want, 4, "f32.hlo:5: memory limit"),
        ):
            with self.subTest(directives=directives):
                corpus = self.corpus_of(directives)
                result = self.assay("check", "--corpus", corpus)
                self.assertEqual((result.returncode, result.stderr), (code, ""))
                self.assertTrue(result.stdout.startswith("UNJUDGED negate/f32"), result.stdout)
                self.assertIn(message, result.stdout)
                self.assertTrue(result.stdout.endswith(" 1 UNJUDGED\n"), result.stdout)
                # The op table counts what it can read.
                self.assertEqual(self.assay("ops", "--corpus", corpus).returncode, 0)

    def test_a_broken_case_does_not_stop_the_others(self):
        corpus = self.corpus_of("//! case one small numbers\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2\n"
                             "//! case two wrong\n//! arg f32[2] 1 2\n//! want f32[2] -1 2\n")
        self.file("corpus/abs/none.hlo", "//! clause x\n")
        for name, text in (("add", ADD), ("broken", "HloModule m\nENTRY e {"), ("endless", ENDLESS)):
            self.file(f"models/{name}.hlo", text)
        options = ("--corpus", corpus, "--models", self.models, "--step-limit", "1000")
        result = self.assay("check", *options, "--report", self.report)
        self.assertEqual((result.returncode, result.stderr), (2, ""))
        self.assertIn(": 6 cases, 2 EXACT, 4 UNJUDGED\n", result.stdout)
        document = self.results(self.report)
        verdicts = {entry["name"]: entry["verdict"] for entry in document["cases"] + document["models"]}
        self.assertEqual(verdicts, {"abs/none": "UNJUDGED", "negate/f32/one": "EXACT", "negate/f32/two": "UNJUDGED",
                                    "add": "EXACT", "broken": "UNJUDGED", "endless": "UNJUDGED"})
        reasons = {entry["name"]: entry["reason"] for entry in document["models"]}
        self.assertIn("step limit: 1000", reasons["endless"])
        # One place and one complaint, not a text in a text.
        self.assertRegex(reasons["broken"], r"^\S+/broken.hlo:2:10: [^\n]*$")
        self.assertNotIn("error:", reasons["broken"])
        # The exit code is 4 if only limits leave cases unjudged, and 0 if nothing does.
        for name in ("broken", "add"):
            (self.models / f"{name}.hlo").unlink()
        (corpus / "abs" / "none.hlo").unlink()
        self.assertEqual(self.assay("check", *options).returncode, 2)
        self.corpus_of("//! case one small numbers\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2\n")
        self.assertEqual(self.assay("check", *options).returncode, 4)
        self.assertEqual(self.assay("check", *options, "--filter", "negate").returncode, 0)

    def test_a_list_of_the_cases(self):
        corpus = self.corpus_of("//! case one small numbers\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2\n"
                             "//! case two others\n//! arg f32[2] 3 4\n//! want f32[2] -3 -4\n")
        result = self.assay("check", "--list", "--corpus", corpus, "--backend", "nobody")
        self.assertEqual((result.returncode, result.stdout), (0, "negate/f32/one\nnegate/f32/two\n"))
        result = self.assay("check", "--list", "--corpus", corpus, "--filter", "two")
        self.assertEqual((result.returncode, result.stdout), (0, "negate/f32/two\n"))

    def test_filter_report_and_models(self):
        corpus = self.corpus_of("//! case one small numbers\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2")
        self.assert_fails(2, "no case matches --filter other", "check", "--corpus", corpus, "--filter", "other")
        self.assert_fails(2, "/none", "check", "--corpus", corpus, "--models", "/none")
        # Before anything runs.
        self.assert_fails(2, "cannot be written", "check", "--corpus", corpus, "--report", "/proc/none")
        self.assay("check", "--corpus", corpus, "--report", self.folder / "report", code=0)
        self.assertEqual(len(self.results()["cases"]), 1)


class StartTest(CliTest):
    def test_no_library_measures_a_timer(self):
        """libhwy would, for a third of the start of a command."""
        timer = "_ZN3hwy8platform15TimerResolutionEv"
        bindings = self.assay("--version", env={**os.environ, "LD_DEBUG": "bindings"}).stderr
        bound = [line for line in bindings.splitlines() if timer in line and "libhwy" in line]
        if not bound:
            self.skipTest("no libhwy that measures it, or another dynamic linker")
        for line in bound:
            self.assertRegex(line, rf"libhwy\S* \[0\] to {ASSAY} ")


class UsageTest(CliTest):
    def test_bad_usage(self):
        path = self.file("m.hlo", ADD)
        for arguments in (
            (), ("frobnicate",), ("run",), ("run", path, "--frobnicate"), ("run", path, "--format", "yaml"),
            ("run", path, "--seed", "x"), ("run", path, "--seed", "-1"), ("run", path, "--step-limit", "0"),
            ("run", path, "--time-limit", "-1"), ("run", path, "--memory-limit", "many"),
            ("run", path, "--memory-limit", "-5"), ("run", path, path), ("print", path, "--short", "--canonical"),
            ("diff", path), ("check", "--timeout", "0"), ("run", path, "--input"), ("run", path, "--time-limit", "nan"),
            ("run", path, "--time-limit", "inf"), ("check", "--timeout", "nan"),
            ("run", path, "--seed", "18446744073709551616"),
        ):
            with self.subTest(arguments=arguments):
                result = self.assay(*arguments, code=2)
                self.assertNotEqual(result.stderr, "")
                self.assertEqual(result.stdout, "")

    def test_words_that_are_nearly_right(self):
        path = self.file("m.hlo", ADD)
        for arguments, message in (
            (("chek",), "unknown command chek, did you mean check?"),
            (("zzzzzz",), "unknown command zzzzzz\n"),
            (("check", "--bakend", "x"), "check has no option --bakend, did you mean --backend?"),
            (("run", path, "--bakend=x"), "run has no option --bakend, did you mean --backend?"),
            (("run", self.file("ad.hlo", ADD.replace("add(", "ad("))), "unknown opcode ad, did you mean add?"),
            (("exhaust", "tahn", "--type", "f16", "--backend", "x"), "unknown operation tahn, did you mean tan?"),
            (("accuracy", "--op", "sqr", "--backend", "x"), "unknown operation sqr, did you mean sqrt?"),
            (("run", path, "--seed", "-1"), "--seed: expected a whole number from 0 to 18446744073709551615, found -1"),
        ):
            with self.subTest(arguments=arguments):
                self.assertLess(len(self.assert_fails(2, message, *arguments).stderr), 300)

    def test_help_and_version_are_no_errors(self):
        for arguments in (("--help",), ("--version",), ("run", "--help")):
            result = self.assay(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("assay", result.stdout)
        self.assertEqual(self.assay("help").stdout, self.assay("--help").stdout)
        self.assertEqual(self.assay("help", "run").stdout, self.assay("run", "--help").stdout)
        self.assert_fails(2, "unknown command rn, did you mean run?", "help", "rn")

    def test_aliases_of_backends_json(self):
        module = self.file("m.hlo", ADD)
        for content, message in (
            ('{"x": {"command": "echo hi"}}', "the command of x must be a list of words, the program and its arguments, found \"echo hi\""),
            ('{"x": {"command": ["echo", 3]}}', "the command of x must be a list of words"),
            ('{"x": {"command": []}}', "the command of x must be a list of words"),
            ('{"x": {}}', "the command of x must be a list of words"),
            ('{"x": {"command": ["true"], "profile": 3}}', "the profile of x must be a name or a file, found 3"),
            ('{"x": ', "backends.json: not valid JSON: line 1, column 7: the text ends"),
            ('{"y": {"command": ["true"]}}', "unknown backend x: expected one of"),
        ):
            with self.subTest(content):
                self.file("backends.json", content)
                result = ran(ASSAY, "run", module, "--backend", "x", cwd=self.folder)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(message, result.stderr)

    def test_an_alias_of_many_names_may_have_numbers(self):
        self.file("backends.json", '{"x@VERSION": {"command": ["no-such-program-VERSION"], "seconds": [1, null]}}')
        result = ran(ASSAY, "run", self.file("m.hlo", ADD), "--backend", "x@1.2", cwd=self.folder)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("no-such-program-1.2", result.stderr)

    def test_unknown_backend(self):
        path = self.file("m.hlo", ADD)
        self.assert_fails(2, "unknown backend nobody", "run", path, "--backend", "nobody")
        self.assert_fails(2, "unknown backend nobody", "diff", path, "--backend", "nobody")

    def test_empty_corpus(self):
        self.assert_fails(2, "no golden", "check", "--corpus", self.folder)
        self.assert_fails(2, "", "check", "--corpus", self.folder / "none")


class OutputsTest(CliTest):
    def test_json(self):
        path = self.file("m.hlo", entry("a = f32[2] constant({1, -2})", "b = pred[] constant(true)",
                                        "c = s4[1] constant({-1})", "n = (pred[], s4[1]) tuple(b, c)",
                                        "e = f32[0] constant({})", "k = token[] after-all()",
                                        "ROOT t = (f32[2], (pred[], s4[1]), f32[0], token[]) tuple(a, n, e, k)"))
        document = self.run_json(path)
        self.assertEqual(sorted(document), ["outputs", "seconds"])
        self.assertEqual(document["outputs"], [{"tuple": [
            {"shape": "f32[2]", "data_hex": "0000803f000000c0"},
            {"tuple": [{"shape": "pred[]", "data_hex": "01"}, {"shape": "s4[1]", "data_hex": "ff"}]},
            {"shape": "f32[0]", "data_hex": ""},
            {"token": True},
        ]}])

    def test_outputs_are_inputs_again(self):
        path = self.file("m.hlo", passing("(f32[2], (pred[], s4[1]))"))
        document = self.run_json(path, "--seed", "3")
        inputs = self.file("i.json", {"inputs": document["outputs"]})
        self.assertEqual(self.run_json(path, "--inputs", inputs)["outputs"], document["outputs"])

    def test_one_output_for_each_device(self):
        value = {"shape": "f32[1]", "data_hex": "0000803f"}
        other = {"shape": "f32[1]", "data_hex": "00000040"}
        inputs = self.file("i.json", {"inputs_per_device": [[value], [other]]})
        path = self.file("m.hlo", passing("f32[1]"))
        self.assertEqual(self.run_json(path, "--replicas", "2", "--inputs", inputs)["outputs"], [value, other])
        self.assertEqual(self.run_json(path, "--partitions", "2", "--inputs", inputs)["outputs"], [value, other])
        self.assert_fails(2, "inputs for 2 devices", "run", path, "--inputs", inputs)

    def test_layouts_do_not_show(self):
        path = self.file("m.hlo", entry("ROOT a = s8[2,2]{0,1} constant({{1, 2}, {3, 4}})"))
        self.assertEqual(self.run_json(path)["outputs"], [{"shape": "s8[2,2]", "data_hex": "01020304"}])

    def test_folder(self):
        path = self.file("m.hlo", entry("a = f32[2] constant({1, -2})", "b = bf16[1] constant({1})",
                                        "n = (bf16[1]) tuple(b)", "ROOT t = (f32[2], (bf16[1])) tuple(a, n)"))
        out = self.folder / "deep" / "out"
        self.assertEqual(self.assay("run", path, "--out", out).returncode, 0)
        self.assertEqual(sorted(os.listdir(out)), ["output.0.npy", "output.1.0.json"])
        np.testing.assert_array_equal(np.load(out / "output.0.npy"), np.array([1, -2], np.float32))
        self.assertEqual(json.loads((out / "output.1.0.json").read_text()), {"shape": "bf16[1]", "data_hex": "803f"})

    def test_empty_and_scalar_arrays_in_a_folder(self):
        path = self.file("m.hlo", entry("a = f32[0,3] constant({})", "b = s32[] constant(7)",
                                        "ROOT t = (f32[0,3], s32[]) tuple(a, b)"))
        self.assertEqual(self.assay("run", path, "--out", self.folder).returncode, 0)
        self.assertEqual(np.load(self.folder / "output.0.npy").shape, (0, 3))
        self.assertEqual(np.load(self.folder / "output.1.npy"), 7)

    def test_folder_that_cannot_be_written(self):
        path = self.file("m.hlo", entry("ROOT a = f32[] constant(1)"))
        self.assert_fails(2, "cannot be written", "run", path, "--out", path)
        self.assert_fails(2, "cannot be written", "run", path, "--out", "/proc/none")
        plain = self.file("plain", "")
        self.assert_fails(2, "cannot be written", "run", path, "--out", plain + "/below")
        # The message names the folder that the user named, not a file of assay's own.
        self.assert_fails(2, f"error: {plain}/below cannot be written: Not a directory", "check", "--corpus",
                          GOLDEN, "--filter", "floor", "--report", plain + "/below")

    def test_colour_is_never_in_a_pipe(self):
        path = self.file("m.hlo", "nonsense")
        plain = self.assay("verify", path)
        coloured = self.assay("verify", path, env={**os.environ, "NO_COLOR": "1"})
        self.assertEqual(plain.stderr, coloured.stderr)
        self.assertNotIn("\033", plain.stderr)
