"""The adapter of XLA:CPU and StableHLO gets a module as StableHLO beside its HLO."""

import re
import unittest
import unittest.mock

from backends.adapters.xla_peers import jaxlib_api
from backends.adapters.xla_peers.given_module import PLACES
from backends.adapters.xla_peers.stablehlo_module import mlir_context
from spec_tests.adapters.xla_adapter_test import WIDE_TYPES, OnPeer, array, binary, entry, f32


def identity(version):
    """Returns a portable artifact whose function returns its f32."""
    from jaxlib.mlir.dialects import stablehlo

    text = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}"
    return stablehlo.serialize_portable_artifact_str(text, version)


class GivenModule(OnPeer):
    """The requirements on both peers."""

    def test_the_stablehlo_beside_the_hlo_runs(self):
        hlo = binary("add", "f32[2]")
        given = array("f32[2]", f32(1, -0.5)), array("f32[2]", f32(2, 4))
        subtract = """func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
          %r = stablehlo.subtract %a, %b : tensor<2xf32>
          return %r : tensor<2xf32>
        }"""
        self.assert_outputs(self.peer.run(hlo, *given, stablehlo=subtract), array("f32[2]", f32(-1, -4.5)))
        pair = subtract.replace("-> tensor<2xf32>", "-> (tensor<2xf32>, tensor<2xf32>)")
        pair = pair.replace("return %r : tensor<2xf32>", "return %a, %r : tensor<2xf32>, tensor<2xf32>")
        both = {"tuple": [array("f32[2]", f32(1, -0.5)), array("f32[2]", f32(-1, -4.5))]}
        self.assert_outputs(self.peer.run(hlo, *given, stablehlo=pair), both)
        for unread in ("func.func @main(", subtract.replace("subtract", "of_next_year")):
            self.assert_outputs(self.peer.run(hlo, *given, stablehlo=unread), array("f32[2]", f32(3, 3.5)))

    def test_stablehlo_of_every_type(self):
        names = {"pred": "i1", "c64": "complex<f32>", "c128": "complex<f64>"}
        for element_type in self.greeting["types"]:
            name = names.get(element_type) or re.sub(r"^(u?)(s?)(?=\d)", lambda sign: sign[1] + "i", element_type)
            name = "f" + name[1:].upper() if re.match(r"f\dE", name, re.I) else name
            with self.subTest(element_type, name=name):
                shape, value = f"{element_type}[]", array(f"{element_type}[]", "00" * WIDE_TYPES.get(element_type, 1))
                text = f"func.func @main(%a: tensor<{name}>) -> tensor<{name}> {{\n  return %a : tensor<{name}>\n}}"
                # The HLO has another result: it may not be what runs.
                hlo = entry(f"a = {shape} parameter(0)", "ROOT r = () tuple()")
                self.assert_outputs(self.peer.run(hlo, value, stablehlo=text), value)


    def test_an_artifact(self):
        hlo, value = entry("a = f32[] parameter(0)", "ROOT r = f32[] negate(a)"), array("f32[]", f32(1))
        self.assert_outputs(self.peer.run(hlo, value, stablehlo=identity("1.9.0")), value)


class OlderVersions(unittest.TestCase):
    """Older versions get what they read: no newer artifact, and no newer form of places in the source."""

    def test_of_artifacts(self):
        older, newer = identity("1.9.0"), identity("1.9.0").replace(b"StableHLO_v1.9.0", b"StableHLO_v9.9.0")
        self.assertNotEqual(newer, older)
        for version, artifact, reads in (("0.4.30", older, True), ("0.4.30", newer, False), ("0.5.0", newer, True)):
            with self.subTest(version), unittest.mock.patch.object(jaxlib_api, "VERSION", version):
                if reads:
                    self.assertIn("@main", str(jaxlib_api.module_of_artifact(artifact, mlir_context())))
                else:
                    with self.assertRaisesRegex(jaxlib_api.NotRead, "jaxlib 0.4.30 does not read StableHLO 9.9.0"):
                        jaxlib_api.module_of_artifact(artifact, mlir_context())

    def test_of_stablehlo(self):
        text = b'''#loc1 = loc("x")
func.func @main(%a: tensor<f32> loc("x(1)")) -> tensor<f32> {
  return %a : tensor<f32> loc(#loc2)
} loc(#loc3)
#loc2 = loc("f.py":7:6 to :70)
#loc3 = loc("<module>"(#loc2))
'''
        plain = b"func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}\n"
        self.assertEqual(PLACES.sub(b"", text), plain)

    def test_of_hlo(self):
        text = """HloModule m

FileNames
1 "f.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=6 end_column=70}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  ROOT a = f32[] parameter(0), metadata={op_name="x" stack_frame_id=1}
}
"""
        plain = 'HloModule m\n\n\n\n\n\nENTRY e {\n  ROOT a = f32[] parameter(0), metadata={op_name="x" }\n}\n'
        self.assertEqual(jaxlib_api.STACK_TABLES.sub("", text), plain)


class XlaCpuTest(GivenModule, unittest.TestCase):
    pass


class StableHloTest(GivenModule, unittest.TestCase):
    flags = ("--stablehlo",)
