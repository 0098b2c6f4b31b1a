"""Modules in every supported form, through every command: StableHLO, XLA's messages and dump folders. The files in
handed/ are JAX's and XLA's own. ASSAY names the executable."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys

from command_line import ADD, ASSAY, CliTest, entry, write_program
from jaxlib import _hlo

from spec_tests.nightly import is_nightly
from spec_tests.wire_format import first

HANDED = pathlib.Path(__file__).parent / "handed"
# affine() in make_handed.py, with its arguments [[0, 1, 2], [3, 4, 5]] / 8, [[1, 2], [3, 4], [5, 7]], ... by hand.
RESULT = "( { { 0.625, 1.25 }, { 4, 6.125 } }, {-8, -1, -1, 0, -1, 2, 3, 4, -1}, {0.375, 0.5, 0.625} )\n"
CONVERTED_BY_JAXLIB = {"ASSAY_STABLEHLO_CONVERTER": "jaxlib"}
INPUTS = (
    "f32[2,3] {{0, 0.125, 0.25}, {0.375, 0.5, 0.625}}", "f32[3,2] {{1, 2}, {3, 4}, {5, 7}}",
    "pred[9] {1, 0, 1, 1, 0, 1, 1, 1, 0}", "s4[9] {-8, 7, -1, 0, 1, 2, 3, 4, 5}", "s16[] 1",
)  # fmt: skip


def message(*fields):
    """Returns a message of protocol buffers, of numbered fields with bytes."""
    def length(n):
        return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + length(n >> 7)
    return b"".join(bytes([number << 3 | 2]) + length(len(value)) + value for number, value in fields)


def proto_of(text):
    return _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()


class HandedModulesTest(CliTest):
    def assert_affine(self, module, *arguments, **options):
        result = self.assay("run", module, *arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (0, RESULT), result.stderr)
        return result.stderr

    def test_stablehlo(self):
        given = [argument for value in INPUTS for argument in ("--input", value)]
        for name in ("affine.mlir", "affine.mlirbc"):
            with self.subTest(name):
                note = self.assert_affine(HANDED / name, *given)
                self.assertEqual(note, f"note: {HANDED / name}: converted from StableHLO\n")
                by_jaxlib = self.assert_affine(HANDED / name, *given, env=os.environ | CONVERTED_BY_JAXLIB)
                self.assertRegex(by_jaxlib, rf"^note: {HANDED / name}: converted to HLO by jaxlib [\d.]+\n$")
                other = shutil.copy(HANDED / name, self.folder / "nameless")
                self.assert_affine(other, *given)
        text = (HANDED / "affine.mlir").read_text()
        self.assertIn("note: <stdin>: converted", self.assert_affine("-", *given, stdin=text))
        self.assert_affine("-", *given, stdin="// a comment\n#loc = loc(unknown)\n" + text)

    def test_bytecode_of_the_dialects_themselves(self):
        text = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.add %a, %a : tensor<2xf32> " \
               "return %0 : tensor<2xf32> }"  # fmt: skip
        write = "import sys; from xla_peers.stablehlo_module import parsed; " \
                "parsed(sys.argv[1].encode()).operation.write_bytecode(open(sys.argv[2], 'wb'))"  # fmt: skip
        subprocess.run([sys.executable, "-c", write, text, self.folder / "raw.mlirbc"], check=True,
                       cwd=HANDED.parents[2] / "backends/adapters")  # fmt: skip
        run = self.assay("run", self.folder / "raw.mlirbc", "--input", "f32[2] {1, 2}")
        self.assertEqual(run.stdout, "{2, 4}\n", run.stderr)
        self.assertIn("converted to HLO by jaxlib", run.stderr)

    def test_hlo_text_is_known_by_its_first_word(self):
        path = self.file("m.mlir", "// module {\n" + ADD)
        result = self.assay("run", path, "--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 4}")
        self.assertEqual((result.stdout, result.stderr), ("{4, 6}\n", ""))

    def test_serialized_modules(self):
        proto = proto_of(ADD)
        for name, content in {"m.pb": proto, "nameless": proto, "m.hlo.pb": message((1, proto)),
                              "with_buffers.pb": message((1, proto), (3, message((1, b"x"))))}.items():
            with self.subTest(name):
                inputs = ["--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 4}"]
                self.assertEqual(self.assay("run", self.file(name, content), *inputs, code=0).stdout, "{4, 6}\n")

    def test_dump_folders(self):
        for name in ("snapshot", "unoptimized"):
            with self.subTest(name):
                (recorded,) = (HANDED / name).glob("*snapshot*.pb")
                self.assertIn(f"note: inputs are those of {recorded}\n", self.assert_affine(HANDED / name))
        self.assertIn("made from seed 0", self.assay("run", HANDED / "text").stderr)
        self.assert_affine(HANDED / "snapshot" / "module_0000.jit_affine.before_optimizations.hlo.pb")
        # The text, with what a snapshot beside it recorded.
        both = shutil.copytree(HANDED / "text", self.folder / "both")
        (recorded,) = (HANDED / "snapshot").glob("*snapshot*.pb")
        shutil.copy(recorded, both)
        self.assert_affine(both)

    def test_given_inputs_have_precedence_over_recorded_ones(self):
        zeros = ["f32[2,3] {{0,0,0},{0,0,0}}", *INPUTS[1:]]
        result = self.assay("run", HANDED / "snapshot", *(a for value in zeros for a in ("--input", value)))
        self.assertIn("{ { -1, -1 }, { -1, -1 } }", result.stdout)
        self.assertNotIn("inputs are those", result.stderr)

    def test_every_command(self):
        names = ["affine.mlir", "snapshot", "text"]
        if is_nightly("every command of serialized StableHLO and of the messages before optimization"):
            names += ["affine.mlirbc", "unoptimized"]
        for name in names:
            with self.subTest(name):
                path = HANDED / name
                printed = self.assay("print", path, "--full-constants")
                self.assertRegex(printed.stdout, r"^HloModule jit_affine, ")
                again = self.assay("print", self.file("again.hlo", printed.stdout), "--full-constants")
                self.assertEqual(again.stdout, printed.stdout)
                self.assertIn("legal, ", self.assay("verify", path).stdout)
                self.assertIn("0 not equal to the last bit", self.assay("diff", path, "--backend", "reference").stdout)
                self.assertIn("subtract(", self.assay("explain", path, "--element", "0").stdout)

    def test_models(self):
        folder = shutil.copytree(HANDED, self.folder / "models")
        command = ["check", "--backend", "reference", "--filter", "model/", "--models", folder, "--report", self.report]
        result = self.assay(*command, code=0)
        names = {model["name"] for model in self.results(self.report)["models"]}
        dumped = {f"{name}/module_0000.jit_affine" for name in ("snapshot", "text", "unoptimized")}
        self.assertEqual(names, {"affine"} | dumped)
        self.assertEqual(result.stderr.count("inputs are those of"), 2)
        listed = self.assay("check", "--list", "--filter", "model/", "--models", folder / "snapshot").stdout
        self.assertEqual(listed, "model/snapshot/module_0000.jit_affine\n")
        self.assay(*command, "--resume", code=0)
        self.assertEqual({model["name"] for model in self.results(self.report)["models"]}, names)

    def test_arguments_of_every_type(self):
        """A snapshot has them as literals: those of constants, which jaxlib writes itself."""
        arguments = (
            ("pred[3]", "{true, false, true}"), ("s2[3]", "{-2, 1, -1}"), ("u2[3]", "{0, 3, 1}"), ("s4[2]", "{-8, 7}"),
            ("u4[2]", "{15, 1}"), ("s8[2]", "{-128, 7}"), ("u8[2]", "{255, 7}"), ("s16[2]", "{-32768, 7}"),
            ("u16[2]", "{65535, 7}"), ("s32[2]", "{-2147483648, 7}"), ("u32[2]", "{4294967295, 7}"),
            ("s64[2]", "{-9223372036854775808, 7}"), ("u64[2]", "{18446744073709551615, 7}"), ("f16[2]", "{-1.5, inf}"),
            ("bf16[2]", "{-1.5, nan}"), ("f32[2]", "{-1.5, 1e-45}"), ("f64[2]", "{-1.5, 5e-324}"),
            ("c64[2]", "{(1, -2), (0, inf)}"), ("c128[2]", "{(1, -2), (0, inf)}"), ("f8e5m2[2]", "{-1.5, inf}"),
            ("f8e4m3fn[2]", "{-1.5, 448}"), ("f8e4m3b11fnuz[2]", "{-1.5, 30}"), ("f8e5m2fnuz[2]", "{-1.5, 3}"),
            ("f8e4m3fnuz[2]", "{-1.5, 240}"), ("f8e4m3[2]", "{-1.5, inf}"), ("f8e3m4[2]", "{-1.5, inf}"),
            ("f4e2m1fn[2]", "{-1.5, 6}"), ("f8e8m0fnu[2]", "{0.5, 2}"), ("s32[0,2]", "{}"),
            ("s32[2,3]{0,1}", "{{1, 2, 3}, {4, 5, 6}}"), ("s32[1,2,3]{1,2,0}", "{{{1, 2, 3}, {4, 5, 6}}}"),
        )  # fmt: skip
        constants = [f"constant({elements})" for _, elements in arguments]
        literals = [(2, first(first(first(proto_of(entry(f"ROOT c = {shape} {constant}")), 3), 2), 8))
                    for (shape, _), constant in zip(arguments, constants)]

        def tuple_of(operands):
            lines = [f"x{i} = {shape} {operand}\n  " for i, ((shape, _), operand) in enumerate(zip(arguments, operands))]
            shapes = ", ".join(shape for shape, _ in arguments)
            names = ", ".join(f"x{i}" for i in range(len(arguments)))
            return entry(f"{''.join(lines)}ROOT all = ({shapes}) tuple({names})")

        module = proto_of(tuple_of(f"parameter({i})" for i in range(len(arguments))))
        recorded = self.assay("run", self.file("m.pb", message((1, message((1, module))), *literals, (4, b"cpu"))))
        self.assertIn("inputs are those of", recorded.stderr)
        self.assertEqual(recorded.stdout, self.assay("run", self.file("c.hlo", tuple_of(constants))).stdout)

    def test_damage(self):
        pb, mlirbc = proto_of(ADD), (HANDED / "affine.mlirbc").read_bytes()
        for name, content, said in (
            ("cut.pb", pb[: len(pb) // 2], "cut.pb: cannot be converted to HLO: byte "),
            ("cut.mlirbc", mlirbc[: len(mlirbc) // 2], "cut.mlirbc: cannot be converted to HLO: offset "),
            ("nameless", pb[: len(pb) // 2], "nameless: cannot be converted to HLO: byte "),
            ("text.pb", "no message", "cannot be converted to HLO: byte 0: "),
            ("empty.pb", "", "cannot be converted to HLO: no HloModuleProto"),
            ("empty.mlir", "", "cannot be converted to HLO: "),
            ("other.mlir", "module { func.func @main() { stablehlo.whatever } }",
             "other.mlir:1:30: cannot be converted to HLO: there is no operation stablehlo.whatever"),
            ("no_hlo.mlir", 'module { func.func @main(%a: tensor<?xf32>, %b: tensor<1xi32>) -> tensor<?xf32> {'
             '%0 = "stablehlo.dynamic_gather"(%a, %b) : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>'
             "return %0 : tensor<?xf32> } }", "stablehlo.dynamic_gather: it must have 3 operands, found 2"),
            ("no_main.mlir", "module { }", "@main"),
        ):  # fmt: skip
            with self.subTest(name):
                self.assert_fails(2, said, "run", self.file(name, content))

    def test_illegal_messages(self):
        unknown = proto_of(ADD).replace(b"add", b"foo")
        self.assert_fails(2, 'instruction r of computation e: unknown opcode "foo"', "verify", self.file("m.pb", unknown))
        # The verifier's errors have places in the HLO text, and the message says so.
        illegal = proto_of(ADD).replace(b"add", b"not")
        self.assert_fails(2, "not takes", "verify", self.file("n.pb", illegal))

    def test_written_modules(self):
        add = self.file("add.hlo", ADD)
        written = subprocess.run([ASSAY, "print", add, "--format", "proto"], capture_output=True, check=True).stdout
        self.assertEqual(_hlo.HloModule.from_serialized_hlo_module_proto(written).to_string(),
                         _hlo.hlo_module_from_text(ADD).to_string())
        inputs = ["--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 4}"]
        result = self.assay("run", self.file("add", written), *inputs)
        self.assertEqual((result.stdout, result.stderr.count("converted from a serialized module")), ("{4, 6}\n", 1))
        # From a message to a message.
        again = subprocess.run([ASSAY, "print", "-", "--format", "proto"], input=written, capture_output=True, check=True)
        self.assertEqual(again.stdout, written)

    def test_folders(self):
        self.assert_fails(2, "XLA has dumped no module to it", "run", self.folder)
        several = self.folder / "several"
        for i in range(2):
            shutil.copytree(HANDED / "text", self.folder / f"{i}")
            several.mkdir(exist_ok=True)
            (text,) = (HANDED / "text").iterdir()
            shutil.copy(text, several / f"module_000{i}.f.before_optimizations.txt")
        failed = self.assert_fails(2, "XLA has dumped 2 modules to it", "run", several)
        self.assertIn("module_0001.f.before_optimizations.txt", failed.stderr)

    def test_without_jaxlib(self):
        """An assay whose Python has none."""
        path = self.folder / "bin"
        write_program(path / "python3", '#!/bin/sh\nexec "$PYTHON" -S -c "import sys; sys.argv.pop(0);'
                      'import runpy; runpy.run_path(sys.argv[0], run_name=\'__main__\')" "$@"\n')  # fmt: skip
        root = self.folder / "installed"
        shutil.copytree(HANDED.parents[2] / "backends/adapters", root / "backends/adapters")
        shutil.copy(ASSAY, root / "assay")
        env = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "PYTHON": shutil.which("python3")}
        run = functools.partial(subprocess.run, cwd=root, capture_output=True, env=env)
        printed = run([root / "assay", "print", HANDED / "affine.mlir"])
        self.assertEqual((printed.returncode, printed.stdout[:22]), (0, b"HloModule jit_affine, "))
        result = run([root / "assay", "run", HANDED / "snapshot"])
        self.assertEqual((result.returncode, result.stdout.decode()), (0, RESULT))
        result = run([root / "assay", "print", HANDED / "affine.mlir"], env=env | CONVERTED_BY_JAXLIB)
        self.assertEqual(result.returncode, 2)
        self.assertIn("that needs jaxlib, which this Python lacks", result.stderr.decode())
