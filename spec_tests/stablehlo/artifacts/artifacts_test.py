"""Portable artifacts are read as jaxlib reads them: each operation of VHLO, serialized for old and new versions.

jaxlib reads the artifact and prints it; the same text must come of what the reader's print holds, which jaxlib parses.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

try:
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    from backends.adapters.xla_peers import jaxlib_api
except ImportError:
    ir = None

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = ["0.9.0", "0.11.0", "0.14.0", "0.19.0", "1.3.0", "1.9.0", "1.17.0"]
F = "tensor<4x4xf32>"
PROGRAM = f"""module @m attributes {{mhlo.num_partitions = 2 : i32, x.y = dense<[1, 2]> : tensor<2xi64>}} {{
func.func private @dec(%a: {F}) -> {F} {{ return %a : {F} }}
func.func public @main(
  %a: {F} {{jax.x = "y"}}, %b: {F}, %t: !stablehlo.token, %v: tensor<4xf32>, %i: tensor<i32>, %p: tensor<i1>,
  %u: tensor<4xui32>, %s3: tensor<3xi64>, %s2: tensor<2xi64>, %im: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x5xf32>,
  %pad: tensor<2x2xi64>, %gi: tensor<2x1xi32>, %g4: tensor<4x1xi32>, %gi0: tensor<1x2xi32>, %f: tensor<f32>,
  %st: tensor<2xui64>, %iv: tensor<2xi32>, %src: tensor<2x2xf32>) -> ({F} {{jax.result_info = "r"}}) {{
 BODY
 %r = call @dec(%a) : ({F}) -> {F}
 return %r : {F} }} }}"""
MESHES = f"""module @jit_f attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4], device_ids=[3, 2, 1, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>
sdy.mesh @one = <[], device_ids=[3]> {{stablehlo.mesh = {{axes = [{{name = "x", size = 2 : i64}}]}}}}
func.func public @main(%arg0: {F} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{"y", ?}}p1],
  replicated={{"z":(1)2}}, unreduced={{"z":(2)2}}>}}) -> (tensor<2x4xf32> {{jax.result_info = "result"}}) {{
  %0 = stablehlo.add %arg0, %arg0 {{sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{{?}}, {{}}]>]>}} : {F}
  %1 = stablehlo.custom_call @t(%0) {{sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, k])
    {{i=2, j=2, k=4}} reduction={{j}} need_replication={{i, k}}, custom>}} : ({F}) -> {F}
  %2 = sdy.sharding_constraint %1 <@mesh, [{{"x"}}, {{}}]> : {F}
  %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{{"x"}}, {{"y"}}]>] out_shardings=[<@mesh, [{{}}, {{"y"}}]>]
    manual_axes={{"x", "y"}} (%arg1: tensor<2x2xf32>) {{
    %4 = stablehlo.negate %arg1 : tensor<2x2xf32>
    sdy.return %4 : tensor<2x2xf32>
  }} : ({F}) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}} }}"""


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=False)


@unittest.skipIf(ir is None, "jaxlib is not installed")
class ArtifactsTest(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.context = ir.Context()
        jaxlib_api.load_dialects(cls.context)
        cls.reader = subprocess.Popen([os.environ["ARTIFACT_TEXT"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cls.addClassCleanup(cls.reader.communicate)
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def read(self, artifact):
        path = pathlib.Path(self.folder, "artifact")
        path.write_bytes(artifact)
        self.reader.stdin.write(f"{path}\n".encode())
        self.reader.stdin.flush()
        return self.reader.stdout.read(int(self.reader.stdout.readline())).decode()

    def check(self, artifact):
        want = generic(stablehlo.deserialize_portable_artifact(self.context, artifact))
        got = self.read(artifact)
        self.assertFalse(got.startswith("error"), got)
        self.assertEqual(generic(ir.Module.parse(got, self.context)), want)

    def serialized(self, text):
        """Yields the artifact for each version that has what the program needs."""
        with open(os.devnull, "wb") as nothing:
            before = os.dup(2)
            os.dup2(nothing.fileno(), 2)  # MLIR reports there which operation a version lacks
            try:
                for version in VERSIONS:
                    try:
                        yield version, stablehlo.serialize_portable_artifact_str(text, version)
                    except Exception:  # noqa: BLE001, S112: jaxlib has no narrower class
                        continue
            finally:
                os.dup2(before, 2)
                os.close(before)

    def test_every_operation_in_every_version(self):
        text = (HERE / "operations.mlir").read_text()
        bodies = re.sub(r"^// .*(?:Bodies|VHLO).*\n", "", text, flags=re.M).split("// -----\n")
        names = set()
        for body in bodies:
            module = ir.Module.parse(PROGRAM.replace("BODY", body), self.context)
            count = 0
            for version, artifact in list(self.serialized(module.operation.get_asm(enable_debug_info=True))):
                with self.subTest(version=version, body=body):
                    self.check(artifact)
                count += 1
                names |= set(re.findall(rb"(?<=\0)[a-z_0-9-]+_v\d(?=\0)", artifact))
            self.assertGreater(count, 0, body)
        # All of VHLO 1.17 but uniform_quantize and uniform_dequantize: jaxlib has no quantized types.
        self.assertEqual(len(names), 140)

    def test_bits_above_a_narrow_integer_have_no_meaning(self):
        for kind, bits in (("i4", 4), ("ui4", 4), ("i2", 2), ("ui2", 2)):
            with self.subTest(kind):
                values = [1, 0, 2**bits - 1, 2 ** (bits - 1), 1, 0, 2]
                text = (f"func.func @main() -> tensor<7x{kind}> {{\n %c = stablehlo.constant dense<{values}> : "
                        f"tensor<7x{kind}>\n return %c : tensor<7x{kind}>\n}}")  # fmt: skip
                artifact = stablehlo.serialize_portable_artifact_str(text, "1.9.0")
                signed = kind.startswith("i")
                extended = bytes(v - 2**bits + 256 if signed and v >= 2 ** (bits - 1) else v for v in values)
                found = [form for form in (extended, bytes(values)) if form in artifact]
                self.assertTrue(found)
                texts = {self.read(artifact.replace(found[0], form)) for form in
                         (extended, bytes(values), bytes(v ^ (256 - 2**bits) for v in values))}  # fmt: skip
                self.assertEqual(len(texts), 1, texts)

    def test_meshes_of_shardy(self):
        module = ir.Module.parse(MESHES, self.context)
        artifact = jaxlib_api._jax.mlir.serialize_portable_artifact(module.operation.get_asm(enable_debug_info=True),
                                                                    "1.17.0", True)
        self.check(artifact)
