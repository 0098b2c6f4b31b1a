"""`assay serve`: a backend of assay's own as a program on a pipe, seen by assay and by hand."""

import json
import pathlib
import shlex
import struct
import tempfile

from spec_tests.nightly import is_nightly
from spec_tests.sanitized import without_sanitizer
from spec_tests.tools.command_line import ASSAY, ROOT, CliTest

DOUBLED = "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] add(a, a)\n}\n"
# More than a mebibyte each way.
LARGE = ("HloModule m\nENTRY e {\n  a = f32[600000] parameter(0)\n  b = f32[600000] negate(a)\n"
         "  ROOT t = (f32[600000], f32[600000]) tuple(b, a)\n}\n")
DYNAMIC = ("HloModule m\nENTRY e {\n  a = s32[<=4] parameter(0)\n  ROOT b = s32[<=4] negate(a)\n}\n")


def array(shape, kind, *numbers):
    return {"shape": shape, "data_hex": struct.pack(f"<{len(numbers)}{kind}", *numbers).hex()}


class Sessions(CliTest):
    def session(self, *messages, options=()):
        """Returns the replies to the messages. A message that is a text is sent unchanged."""
        lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
        done = self.assay("serve", *options, stdin="".join(f"{line}\n" for line in lines), code=0)
        self.assertEqual(done.stderr, "")
        return [json.loads(line) for line in done.stdout.splitlines()]


class ServeTest(Sessions):
    def checked(self, backend):
        report = self.folder / "report"
        self.assay("check", "--backend", backend, "--corpus", ROOT / "golden", "--quick", "--report", report,
                   "--jobs", "2", "--profile", "xla", code=0)
        cases = json.loads((report / "results.json").read_text())["cases"]
        return {case["name"]: case["verdict"] for case in cases}

    def test_the_corpus_is_judged_alike_on_a_pipe(self):
        sessions = [("reference", ("--files", tempfile.gettempdir())), ("simd", ())]
        if is_nightly("the quick cases by the reference on a pipe, without files"):
            sessions.append(("reference", ()))
        for backend, options in sessions:
            with self.subTest(backend, options=options):
                here = self.checked(backend)
                there = self.checked("process:exec " + shlex.join([ASSAY, "serve", "--backend", backend, *options]))
                for name in here:  # a peer has no host's side
                    if name.startswith(("programs/host_", "quantized/host_")):
                        here[name] = "UNSUPPORTED"
                self.assertEqual(there, here)

    def test_a_module_that_must_be_refused_is_illegal_as_a_peer_gets_it(self):
        done = self.assay("check", "--corpus", ROOT / "golden", "--filter", "refused/", "--backend",
                          f"process:exec {shlex.quote(ASSAY)} serve", code=0)
        self.assertRegex(done.stdout, r"\nreference [\d.]+: (\d+) cases, \1 EXACT\n")

    def test_a_session(self):
        one, two = array("f32[2]", "f", 1, 2), array("f32[2]", "f", 2, 4)
        replies = self.session(
            {"hello": 1, "versions": [1, 2]}, {"id": 1, "compile": DOUBLED, "replicas": 1, "partitions": 1},
            {"id": 2, "run": "1", "inputs": [[one]]}, {"id": 3, "hlo": DOUBLED, "replicas": 2, "inputs": [[one], [two]]},
            {"release": "1"}, {"id": 4, "run": "1", "inputs": [[one]]}, {"bye": True}, {"id": 5, "hlo": DOUBLED})
        hello, compiled, ran, both, gone = replies
        self.assertEqual((hello["hello"], hello["name"], hello["files"]), (2, "reference", False))
        self.assertEqual(compiled, {"id": 1, "status": "ok", "executable": "1"})
        self.assertEqual(ran, {"id": 2, "status": "ok", "outputs": [two]})
        self.assertEqual(both["outputs"], [two, array("f32[2]", "f", 4, 8)])
        self.assertEqual((gone["id"], gone["status"]), (4, "error"))

    def test_the_older_version(self):
        for hello in ({"hello": 1}, {"hello": 1, "versions": [1]}, {"hello": 1, "versions": "new"}):
            self.assertEqual(self.session(hello)[0]["hello"], 1)

    def test_a_request_without_meaning_is_an_error_and_the_session_continues(self):
        one = array("f32[2]", "f", 1, 2)
        illegal = DOUBLED.replace("ROOT b = f32[2]", "ROOT b = f32[3]")
        for request, message in (
            ("nonsense", "trace, found nonsense"), ("[1]", "trace, found [1]"), ({"run": 3}, "expected a request"),
            ({"hlo": "HloModule"}, "expected"), ({"hlo": illegal, "inputs": [[one]]}, "f32[3]"),
            ({"hlo": DOUBLED}, "1 devices, each with 1 values"), ({"hlo": DOUBLED, "inputs": [[one, one]]}, "1 values"),
            ({"hlo": DOUBLED, "replicas": 0, "inputs": []}, "replicas must be a number from 1"),
            ({"hlo": DOUBLED, "partitions": "2", "inputs": []}, "partitions must be a number"),
            ({"hlo": DOUBLED, "inputs": [[array("f32[3]", "f", 1, 2, 3)]]}, "f32[2]"),
            ({"hlo": DOUBLED, "inputs": [[{"shape": "f32[2]", "data_hex": "00"}]]}, "16 digits"),
            ({"hlo": DOUBLED, "inputs": [[{"shape": "f32[2]", "data_file": "/none"}]]}, "/none"),
            ({"run": "7", "inputs": []}, "handle 7"), ({"trace": DOUBLED}, "does not say what its compiler does"),
        ):
            with self.subTest(request):
                request = {"id": "x", **request} if isinstance(request, dict) else request
                wrong, right = self.session(request, {"id": 2, "hlo": DOUBLED, "inputs": [[one]]})
                expected = "unsupported" if "trace" in request else "error"
                self.assertEqual((wrong["status"], wrong["id"]), (expected, "x" if isinstance(request, dict) else None))
                self.assertIn(message, wrong["message"])
                self.assertEqual((right["status"], right["id"]), ("ok", 2))

    def test_large_arrays_go_through_files(self):
        numbers = struct.pack("<600000f", *range(600000))
        (self.folder / "a").write_bytes(numbers)
        value = {"shape": "f32[600000]", "data_file": str(self.folder / "a")}
        allowed = ("--files", self.folder.parent)
        hello, reply, again = self.session({"hello": 1}, *[{"id": 1, "hlo": LARGE, "inputs": [[value]]}] * 2, options=allowed)
        self.assertIs(hello["files"], True)
        self.assertNotEqual(reply, again)
        negated, same = reply["outputs"][0]["tuple"]
        self.assertEqual(pathlib.Path(same["data_file"]).parent, self.folder)
        self.assertEqual(pathlib.Path(same["data_file"]).read_bytes(), numbers)
        self.assertEqual(struct.unpack("<600000f", pathlib.Path(negated["data_file"]).read_bytes())[-1], -599999)
        inline = {"shape": "f32[600000]", "data_hex": numbers.hex()}
        for options in ((), ("--no-files",), allowed):
            (reply,) = self.session({"id": 1, "hlo": LARGE, "inputs": [[inline]]}, options=options)
            self.assertEqual(reply["outputs"][0]["tuple"][1]["data_hex"], numbers.hex())

    def test_no_file_of_another_folder_is_read_or_written(self):
        numbers = struct.pack("<600000f", *range(600000))
        inside, outside = self.folder / "in", self.folder / "out"
        for folder in (inside, outside, inside / "below"):
            folder.mkdir()
            (folder / "a").write_bytes(numbers)
        (inside / "link").symlink_to(outside)
        (inside / "file").symlink_to(outside / "a")

        def status(path, *options):
            value = {"shape": "f32[600000]", "data_file": str(path)}
            (reply,) = self.session({"id": 1, "hlo": LARGE, "inputs": [[value]]}, options=options)
            return reply["status"]

        for path in (inside / "a", outside / "a", "/etc/hostname"):
            self.assertEqual(status(path), "error")
        for path in (outside / "a", inside / "link/a", inside / "../out/a", inside / "file", "/etc/hostname", "a", ""):
            self.assertEqual(status(path, "--files", inside), "error", path)
        self.assertEqual([path.name for path in outside.iterdir()], ["a"])
        for path in (inside / "a", inside / "below/a"):
            self.assertEqual(status(path, "--files", inside), "ok", path)

    def test_no_file_that_is_there_is_written_to(self):
        (self.folder / "a").write_bytes(struct.pack("<600000f", *range(600000)))
        (self.folder / "secret").write_text("secret")
        for name in ("output-0", "output-1"):
            (self.folder / name).symlink_to(self.folder / "secret")
        value = {"shape": "f32[600000]", "data_file": str(self.folder / "a")}
        (reply,) = self.session({"id": 1, "hlo": LARGE, "inputs": [[value]]}, options=("--files", self.folder))
        self.assertIn("data_hex", reply["outputs"][0]["tuple"][0])
        self.assertEqual((self.folder / "secret").read_text(), "secret")

    def test_a_folder_that_is_none(self):
        self.assert_fails(2, "--files: ", "serve", "--files", self.folder / "none")

    def test_sizes_of_the_run(self):
        (reply,) = self.session({"id": 1, "hlo": DYNAMIC, "inputs": [[array("s32[2]", "i", 5, -6)]]})
        self.assertEqual(reply["outputs"], [array("s32[2]", "i", -5, 6)])

    def test_limits_of_a_request(self):
        one = array("f32[2]", "f", 1, 2)
        large = "HloModule m\nENTRY e { ROOT r = s32[100000] iota(), iota_dimension=0 }"
        run = {"hlo": DOUBLED, "inputs": [[one]]}
        for request, message in (
            ({"hlo": large, "inputs": [[]], "limits": {"array_bytes": 1000}}, "memory limit of 1000 bytes"),
            ({**run, "limits": {"array_bytes": 0}}, "limits must be"), ({**run, "limits": {"seconds": -1}}, "limits must be"),
            ({**run, "limits": 7}, "limits must be"),
        ):
            with self.subTest(message):
                wrong, right = self.session({"id": 1, **request}, {"id": 2, **run, "limits": {"seconds": 60, "array_bytes": 1 << 20}})
                self.assertEqual((wrong["status"], right["status"]), ("error", "ok"))
                self.assertIn(message, wrong["message"])

    def test_errors_have_a_code_and_a_place(self):
        replies = self.session({"id": 1, "hlo": "HloModule m\nENTRY e {"}, {"id": 2, "run": "7"}, {"id": 3, "trace": DOUBLED})
        self.assertEqual([reply["code"] for reply in replies], ["parse", "input", "unsupported"])
        self.assertEqual([reply.get("place") for reply in replies], [{"line": 2, "column": 10}, None, None])

    def test_outputs_go_to_the_folder_of_the_request(self):
        large = "HloModule m\nENTRY e { ROOT r = s32[100000] iota(), iota_dimension=0 }"
        request = {"id": 1, "hlo": large, "inputs": [[]], "folder": str(self.folder)}
        (reply,) = self.session(request, options=("--files", self.folder))
        path = pathlib.Path(reply["outputs"][0]["data_file"])
        self.assertEqual((path.parent, path.read_bytes()), (self.folder, struct.pack("<100000i", *range(100000))))
        for options in ((), ("--files", ROOT)):
            self.assertIn("data_hex", self.session(request, options=options)[0]["outputs"][0])

    @without_sanitizer("its allocator does not count what assay allocates")
    def test_a_line_beyond_the_memory_is_an_error(self):
        request = json.dumps({"id": 1, "hlo": DOUBLED, "inputs": [[array("f32[2]", "f", 1, 2)]]})
        lines = f"{request}\n{'x' * (300 << 20)}\n{request}\n"
        done = self.assay("serve", "--memory-limit", "1MiB", stdin=lines, code=4)
        self.assertEqual(done.stderr, "error: a request was too long for the memory that --memory-limit allows\n")
        self.assertEqual([json.loads(line)["status"] for line in done.stdout.splitlines()], ["ok"])

    def test_a_backend_that_cannot_be_opened(self):
        self.assert_fails(2, "nobody", "serve", "--backend", "nobody")


FLOOR = "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] floor(a)\n  ROOT t = (f32[2], f32[2]) tuple(b, a)\n}\n"


class JudgeTest(Sessions):
    """The requests that `serve --judge` has beside those of every peer."""

    OPTIONS = ("--judge",)
    INPUTS = [[array("f32[2]", "f", 1.5, -1.5)]]

    def session(self, *messages, options=()):
        return super().session(*messages, options=(*self.OPTIONS, *options))

    def test_a_backend_is_judged_by_its_name(self):
        request = {"id": 1, "judge": FLOOR, "inputs": self.INPUTS, "backend": "mutant:floor_truncates", "finds_region": True}
        hello, reply, again = self.session({"hello": 1}, request, {**request, "id": 2, "backend": "reference"})
        self.assertIs(hello["judges"], True)
        report = reply["report"]
        self.assertEqual((report["verdict"], reply["backend"]["name"], reply["profile"]), ("FAIL", "mutant:floor_truncates", "xla"))
        self.assertEqual([element["verdict"] for element in report["elements"]], ["FAIL", "EXACT"])
        self.assertEqual(reply["want"]["tuple"][0], array("f32[2]", "f", 1, -2))
        self.assertEqual(reply["got"]["tuple"][0], array("f32[2]", "f", 1, -1))
        self.assertEqual([offender["line"] for offender in report["offenders"]], [4])
        self.assertEqual([one["line"] for one in report["region"]["instructions"]], [4])
        self.assertEqual((again["report"]["verdict"], again["report"]["offenders"]), ("EXACT", []))

    def test_outputs_are_judged_without_a_backend(self):
        right = [{"tuple": [array("f32[2]", "f", 1, -2), self.INPUTS[0][0]]}]
        wrong = [{"tuple": [array("f32[2]", "f", 1, -1), self.INPUTS[0][0]]}]
        request = {"judge": FLOOR, "inputs": self.INPUTS, "returns_outputs": False}
        replies = self.session(*({"id": i, **request, "outputs": outputs} for i, outputs in enumerate((right, wrong))))
        self.assertEqual([reply["report"]["verdict"] for reply in replies], ["EXACT", "FAIL"])
        self.assertNotIn("want", replies[1])

    def test_a_peer_is_judged_by_its_command(self):
        command = [ASSAY, "serve", "--backend", "mutant:floor_truncates"]
        (reply,) = self.session({"id": 1, "judge": FLOOR, "inputs": self.INPUTS, "backend": command})
        self.assertEqual(reply["report"]["verdict"], "FAIL")

    def test_a_module_is_loaded_with_arguments(self):
        load = {"id": 1, "load": self.file("m.hlo", FLOOR), "makes_inputs": True}
        loaded, same, other = self.session(load, load, {**load, "seed": 1})
        self.assertEqual((loaded["hlo"], loaded["parameters"], loaded["result"]), (FLOOR, ["f32[2]"], "(f32[2], f32[2])"))
        self.assertEqual((loaded["replicas"], loaded["partitions"], loaded["notes"]), (1, 1, []))
        self.assertEqual(loaded["inputs"], same["inputs"])
        self.assertNotEqual(loaded["inputs"], other["inputs"])

    def test_requests_to_judge_that_make_no_sense_are_errors(self):
        judge = {"judge": FLOOR, "inputs": self.INPUTS}
        right = [{"tuple": [self.INPUTS[0][0]] * 2}]
        for request, message in (
            (judge, "expected a backend, or its outputs"), ({**judge, "backend": 3}, "backend must be a name"),
            ({**judge, "backend": []}, "backend must be a name"), ({**judge, "backend": "nobody"}, "unknown backend nobody"),
            ({**judge, "backend": ["false"]}, "no hello"), ({**judge, "outputs": []}, "a value for each of 1 devices"),
            ({**judge, "outputs": self.INPUTS[0]}, "(f32[2], f32[2])"), ({**judge, "outputs": right, "profile": "none"}, "none"),
            ({**judge, "outputs": right, "profile": 3}, "profile must be"),
            ({**judge, "outputs": right, "budget": 0}, "budget must be a positive number"),
            ({"judge": FLOOR}, "each with 1 values"), ({"load": "/none"}, "/none"),
            ({"load": "/none", "replicas": 0}, "/none"), ({"load": str(ROOT / "docs/examples/softmax.hlo"), "seed": -1}, "seed"),
            ({"load": str(ROOT / "docs/examples/softmax.hlo"), "replicas": 0}, "replicas must be a number"),
        ):
            with self.subTest(request):
                reply, after = self.session({"id": 1, **request}, {"id": 2, "hlo": FLOOR, "inputs": self.INPUTS})
                self.assertEqual((reply["status"], after["status"]), ("error", "ok"))
                self.assertIn(message, reply["message"])

    def test_without_the_option_nothing_is_judged_or_loaded(self):
        for request in ({"judge": FLOOR, "inputs": self.INPUTS, "backend": "reference"}, {"load": str(ROOT / "README.md")}):
            hello, reply = Sessions.session(self, {"hello": 1}, {"id": 1, **request})
            self.assertIs(hello["judges"], False)
            self.assertEqual(reply["status"], "error")
