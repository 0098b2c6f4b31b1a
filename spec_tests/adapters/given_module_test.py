"""The adapter of XLA:CPU and StableHLO gets a module as StableHLO beside its HLO."""

import re
import unittest

from spec_tests.adapters.xla_adapter_test import WIDE_TYPES, Peer, array, binary, entry, f32


class GivenModule:
    """The requirements on both peers; `flags` chooses the peer."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.peer = Peer(*cls.flags)
        cls.greeting = cls.peer.ask_line('{"hello": 1}')

    @classmethod
    def tearDownClass(cls):
        cls.peer.close()

    def assert_outputs(self, reply, *outputs):
        self.assertEqual(reply, {"id": reply["id"], "status": "ok", "outputs": list(outputs)})

    def test_stablehlo_beside_the_hlo_is_what_runs(self):
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


class XlaCpuTest(GivenModule, unittest.TestCase):
    pass


class StableHloTest(GivenModule, unittest.TestCase):
    flags = ("--stablehlo",)


if __name__ == "__main__":
    unittest.main()
