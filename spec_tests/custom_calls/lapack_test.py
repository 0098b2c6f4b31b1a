"""LAPACK's routines as JAX calls them: the reference by defining properties, XLA:CPU against the reference.

Every routine, element type and odd shape is one custom call (lapack_call.py) of a module; a module holds all calls of a
type.
"""

import importlib.util
import json
import unittest

for package in ("numpy", "scipy", "jaxlib"):
    if not importlib.util.find_spec(package):
        raise unittest.SkipTest(f"no {package} here; tools/dev installs it")
import numpy as np

from lapack_call import DTYPES, shape_of
from lapack_calls import Routines

from spec_tests.nightly import is_nightly, nightly
from spec_tests.tools.command_line import CliTest, entry


def to_json(array):
    return {"shape": shape_of(array), "data_hex": np.ascontiguousarray(array).tobytes().hex()}


def from_json(value):
    if "tuple" in value:
        return [from_json(element) for element in value["tuple"]]
    name, dimensions = value["shape"].split("[")
    dimensions = [int(size) for size in dimensions.split("]")[0].split(",") if size]
    return np.frombuffer(bytes.fromhex(value["data_hex"]), DTYPES[name]).reshape(dimensions)


class LapackCases:
    @classmethod
    def setUpClass(cls):
        cls.calls = Routines(cls.letter).all()

    def report(self, calls, command, *options, code=0):
        """Returns the JSON that a command of assay says about a module of these calls."""
        lines, results, parameters = [], [], 0
        for number, call in enumerate(calls):
            text, result = call.text(number, parameters)
            parameters += len(call.operands)
            lines += text
            results.append(result)
        names = ", ".join(f"r{number}" for number in range(len(calls)))
        lines.append(f"  ROOT all = ({', '.join(results)}) tuple({names})")
        operands = [to_json(operand) for call in calls for operand in call.operands]
        inputs = self.file("inputs.json", json.dumps({"inputs": operands}))
        return self.json_of(command, self.file("m.hlo", entry(*lines)), "--inputs", inputs, *options, code=code)

    def test_the_reference_has_the_defining_properties(self):
        outputs = from_json(self.report(self.calls, "run")["outputs"][0])
        for call, output in zip(self.calls, outputs, strict=True):
            if call.check is None:
                continue
            with self.subTest(call.name, config=call.config, shapes=[shape_of(o) for o in call.operands]):
                call.check(self, output if isinstance(output, list) else [output])

    def test_xla_cpu_is_judged_legal(self):
        # jaxlib dies of matrices without elements: it divides by their size to count them.
        calls = [call for call in self.calls if not call.is_broken
                 and all(0 not in o.shape[-2:] for o in call.operands if o.dtype != np.int32)]  # fmt: skip
        if not is_nightly("LAPACK on xla-cpu: all calls of a routine"):
            calls = list({call.name: call for call in calls}.values())
        report = self.report(calls, "diff", "--backend", "xla-cpu", "--budget", "3000")  # all of them on a busy machine
        self.assertEqual(report["pieces"], len(calls))
        self.assertLess(report["pieces_exact"], len(calls))
        for piece in report["offenders"]:
            call = calls[int(piece["instruction"].split("%r")[1].split(" ")[0])]
            legal = {"LEGAL", "SPEC-GAP"} if call.may_be_open else {"LEGAL"}
            self.assertIn(piece["verdict"], legal, f"{piece['instruction']}: {piece['reason']}")

    def test_faults_of_xla_cpu_are_noticed(self):
        calls = [call for call in self.calls if call.is_broken]
        report = self.report(calls, "diff", "--backend", "xla-cpu", code=1)
        self.assertEqual([piece["verdict"] for piece in report["offenders"]], ["FAIL"] * 3)


class F32(LapackCases, CliTest):
    letter = "s"


@nightly
class F64(LapackCases, CliTest):
    letter = "d"


@nightly
class C64(LapackCases, CliTest):
    letter = "c"


class C128(LapackCases, CliTest):
    letter = "z"
